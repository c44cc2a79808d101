import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Context } from '../../base/context.ts';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Block size and parallelism; with N = 2^15 one hash takes 32 MiB of memory. RFC 7914. */
const BLOCK = 8;
const PARALLEL = 1;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

const FORM = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)$/;

interface ScryptParameters {
  cost: number;
  block: number;
  parallel: number;
  salt: Buffer;
}

type HashContext = Pick<Context, 'config' | 'random'>;

/** Hash of an account password, `scrypt$N$r$p$salt$hash`: it contains its parameters, so the cost may change later. */
export async function hashPassword(password: string, context: HashContext): Promise<string> {
  const hashed = newParameters(context);
  return written(hashed, await run(password, hashed, HASH_BYTES));
}

/** Whether a password matches a hash, in constant time; false for a hash in another format. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [, cost, block, parallel, salt = '', hash = ''] = FORM.exec(stored) ?? [];
  if (!cost) return false;
  const expected = Buffer.from(hash, 'base64url');
  const hashed = {
    cost: Number(cost),
    block: Number(block),
    parallel: Number(parallel),
    salt: Buffer.from(salt, 'base64url'),
  };
  return timingSafeEqual(await run(password, hashed, expected.length), expected);
}

/** A hash that matches no known password, and takes as long to check as a real one. */
export const unmatchableHash = (context: HashContext): string =>
  written(newParameters(context), Buffer.alloc(HASH_BYTES));

/** Tests for a hash of an account that has no password yet. */
export const isUnmatchable = (stored: string): boolean =>
  stored.endsWith(`$${Buffer.alloc(HASH_BYTES).toString('base64url')}`);

const newParameters = ({ config, random }: HashContext): ScryptParameters => ({
  cost: config.passwordCost,
  block: BLOCK,
  parallel: PARALLEL,
  salt: random(SALT_BYTES),
});

const written = ({ cost, block, parallel, salt }: ScryptParameters, hash: Buffer): string =>
  ['scrypt', cost, block, parallel, salt.toString('base64url'), hash.toString('base64url')].join('$');

function run(password: string, { cost, block, parallel, salt }: ScryptParameters, bytes: number): Promise<Buffer> {
  // scrypt needs 128 r (N + p + 2) bytes; Node's own limit is just below that for N = 2^15.
  const maxmem = 128 * block * (cost + parallel + 2);
  // The same letters may arrive composed or decomposed, depending on the keyboard (RFC 8265, 4.2).
  return derive(password.normalize('NFC'), salt, bytes, { N: cost, r: block, p: parallel, maxmem });
}
