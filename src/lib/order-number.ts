/**
 * Numbers of orders for people: letters and digits that are hard to confuse when read aloud or written down. A number
 * can be computed from the id, and the id from the number; it is public.
 */

/** No vowels, so that no words occur; no 0, 1 or L; and no Z, S or B, which look like 2, 5 and 8. */
const ALPHABET = '23456789CDFGHJKMNPQRTVWXY';
const BASE = BigInt(ALPHABET.length);
const MIN_LENGTH = 6;

/** About 25⁶ divided by the golden ratio, and not a multiple of 5: consecutive ids get numbers far apart. */
const FACTOR = 150_887_207n;

/** Length of the number of an id: at least six, more only for ids that need it. */
function lengthFor(id: bigint): number {
  let length = MIN_LENGTH;
  while (id >= BASE ** BigInt(length)) length += 1;
  return length;
}

export function orderNumber(id: number): string {
  const length = lengthFor(BigInt(id));
  let rest = (BigInt(id) * FACTOR) % BASE ** BigInt(length);
  let number = '';
  for (let place = 0; place < length; place += 1) {
    number = ALPHABET.charAt(Number(rest % BASE)) + number;
    rest /= BASE;
  }
  return number;
}

/** The id of the order with a number, in either letter case; undefined if the text is not an order number. */
export function orderIdOf(number: string): number | undefined {
  const places = [...number.toUpperCase()].map((letter) => ALPHABET.indexOf(letter));
  if (places.length < MIN_LENGTH || places.length > MAX_LENGTH || places.includes(-1)) return undefined;
  const modulus = BASE ** BigInt(places.length);
  const value = places.reduce((sum, place) => sum * BASE + BigInt(place), 0n);
  const id = Number((value * inverseOf(FACTOR, modulus)) % modulus);
  return Number.isSafeInteger(id) && orderNumber(id) === number.toUpperCase() ? id : undefined;
}

/** 25¹¹ is below 2⁵³. */
const MAX_LENGTH = 11;

/** Modular inverse: `factor ** (φ - 1)`, where φ is 4/5 of the modulus, a power of 25. */
function inverseOf(factor: bigint, modulus: bigint): bigint {
  let [result, square] = [1n, factor % modulus];
  for (let exponent = (modulus / 5n) * 4n - 1n; exponent > 0n; exponent /= 2n) {
    if (exponent % 2n === 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}
