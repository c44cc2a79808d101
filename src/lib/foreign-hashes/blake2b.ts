/** BLAKE2b with a key and a short output (RFC 7693), which Node offers only without them. */

const MASK = (1n << 64n) - 1n;
const BLOCK = 128;

const IV = [
  ...[0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n],
  ...[0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n],
];

/** Order of the words of a block in each round; rounds 11 and 12 repeat the first two. */
const SIGMA = [
  '0123456789abcdef',
  'ea489fd61c02b753',
  'b8c052fdae367194',
  '7931dcbe265a40f8',
  '905724afe1bc683d',
  '2c6a0b834d75fe19',
  'c51fed4a0763928b',
  'db7ec13950f4862a',
  '6fe9b308c2d714a5',
  'a2847615fb9e3cd0',
].map((row) => [...row].map((digit) => Number.parseInt(digit, 16)));

const rotated = (word: bigint, bits: bigint): bigint => ((word >> bits) | (word << (64n - bits))) & MASK;

type Quarter = readonly [number, number, number, number];
const QUARTERS: readonly Quarter[] = [
  ...([
    [0, 4, 8, 12],
    [1, 5, 9, 13],
    [2, 6, 10, 14],
    [3, 7, 11, 15],
  ] as const),
  ...([
    [0, 5, 10, 15],
    [1, 6, 11, 12],
    [2, 7, 8, 13],
    [3, 4, 9, 14],
  ] as const),
];

function mix(v: bigint[], [a, b, c, d]: Quarter, [x, y]: readonly [bigint, bigint]): void {
  const at = (index: number): bigint => v[index] ?? 0n;
  v[a] = (at(a) + at(b) + x) & MASK;
  v[d] = rotated(at(d) ^ at(a), 32n);
  v[c] = (at(c) + at(d)) & MASK;
  v[b] = rotated(at(b) ^ at(c), 24n);
  v[a] = (at(a) + at(b) + y) & MASK;
  v[d] = rotated(at(d) ^ at(a), 16n);
  v[c] = (at(c) + at(d)) & MASK;
  v[b] = rotated(at(b) ^ at(c), 63n);
}

function compress(state: bigint[], block: Buffer, { count, isLast }: { count: number; isLast: boolean }): void {
  const words = Array.from({ length: 16 }, (_, index) => block.readBigUInt64LE(index * 8));
  const v = [...state, ...IV];
  v[12] = (v[12] ?? 0n) ^ BigInt(count);
  if (isLast) v[14] = (v[14] ?? 0n) ^ MASK;
  for (let round = 0; round < 12; round++) {
    const order = SIGMA[round % 10] ?? [];
    QUARTERS.forEach((quarter, index) => {
      mix(v, quarter, [words[order[2 * index] ?? 0] ?? 0n, words[order[2 * index + 1] ?? 0] ?? 0n]);
    });
  }
  for (let index = 0; index < 8; index++) state[index] = (state[index] ?? 0n) ^ (v[index] ?? 0n) ^ (v[index + 8] ?? 0n);
}

/** @param length of the output in bytes, at most 64 */
export function blake2b(message: Buffer, { key = Buffer.alloc(0), length }: { key?: Buffer; length: number }): Buffer {
  const keyBlock = key.length > 0 ? Buffer.concat([key, Buffer.alloc(BLOCK - key.length)]) : key;
  const data = Buffer.concat([keyBlock, message]);
  const state = [...IV];
  state[0] = (state[0] ?? 0n) ^ 0x01010000n ^ BigInt(key.length << 8) ^ BigInt(length);
  for (let at = 0; at === 0 || at < data.length; at += BLOCK) {
    const block = Buffer.alloc(BLOCK);
    data.copy(block, 0, at, at + BLOCK);
    compress(state, block, { count: Math.min(at + BLOCK, data.length), isLast: at + BLOCK >= data.length });
  }
  const output = Buffer.alloc(64);
  state.forEach((word, index) => {
    output.writeBigUInt64LE(word, index * 8);
  });
  return output.subarray(0, length);
}
