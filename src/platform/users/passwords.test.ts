import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unicodeString } from '../../../test/unicode.ts';
import { readConfig } from '../../base/config.ts';
import { hashPassword, unmatchableHash, verifyPassword } from './passwords.ts';

const context = (passwordCost: number) => ({ config: { ...readConfig({}), passwordCost }, random: randomBytes });
const cheap = context(2 ** 4);

describe('account passwords', () => {
  it('verify against their own hash only', async () => {
    const password = unicodeString({ minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(password, password, async (first, second) => {
        const stored = await hashPassword(first, cheap);
        expect(await verifyPassword(first, stored)).toBe(true);
        expect(await verifyPassword(second, stored)).toBe(first.normalize('NFC') === second.normalize('NFC'));
      }),
      { numRuns: 50 },
    );
  });

  it('match the test vector of RFC 7914', async () => {
    const hash = Buffer.from('fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162', 'hex');
    const stored = `scrypt$1024$8$16$${Buffer.from('NaCl').toString('base64url')}$${hash.toString('base64url')}`;
    expect(await verifyPassword('password', stored)).toBe(true);
  });

  it('are hashed at the configured cost, with a unique salt, in a format that contains both', async () => {
    const stored = await hashPassword('correct horse', context(2 ** 15));
    expect(stored).toMatch(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    expect(await verifyPassword('correct horse', stored)).toBe(true);
    expect(await hashPassword('correct horse', cheap)).not.toBe(await hashPassword('correct horse', cheap));
  });

  it.each(['', 'plain', 'scrypt$16$8$1$$', 'scrypt$16$8$1$YQ', '$2b$10$abcdefghijklmnopqrstuv'])(
    'never match the damaged hash "%s"',
    async (stored) => {
      expect(await verifyPassword('', stored)).toBe(false);
      expect(await verifyPassword('plain', stored)).toBe(false);
    },
  );

  it('never match the hash for unknown accounts', async () => {
    expect(await verifyPassword('', unmatchableHash(cheap))).toBe(false);
  });
});
