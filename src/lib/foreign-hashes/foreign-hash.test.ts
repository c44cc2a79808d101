import { describe, expect, it } from 'vitest';
import { blake2b } from './blake2b.ts';
import { isForeignHash, verifyForeignHash } from './foreign-hash.ts';

/** Hashes of `lantern quay`, made with the libraries of Python and with bcryptjs. */
const HASHES = {
  MD5: 'ef531641a1bcd69f6233edff6726aa07',
  phpass: '$P$6abcdWXYZPOMU3uWyw.kdQOfHWlo/P/',
  bcrypt: '$2y$04$KtgPAzbLmwob6.mUD7fHGu7qt2eg4WvdL8wIzACGs3aN3TTC6fq02',
  'bcrypt of an HMAC': '$wp$2y$04$YLF4nWhzCZUDwN6Sq48o6Oab3.DtUq7R600cez1bpdm1bEsVRfGCK',
};

describe('hashes of WordPress', () => {
  it.each(Object.entries(HASHES))('%s matches its password only', async (_name, stored) => {
    expect(isForeignHash(stored)).toBe(true);
    expect(await verifyForeignHash('lantern quay', stored)).toBe(true);
    // WordPress leaves out blanks around passwords.
    expect(await verifyForeignHash(' lantern quay\t\n', stored)).toBe(true);
    for (const wrong of ['', 'lantern', 'Lantern quay', 'lantern quay!', 'lantern  quay', 'x'.repeat(5000)])
      expect(await verifyForeignHash(wrong, stored)).toBe(false);
  });

  it('phpass matches the published example of its library', async () => {
    expect(await verifyForeignHash('test12345', '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0')).toBe(true);
  });

  it('the fast hash of application passwords matches', async () => {
    const stored = '$generic$VbqhfQOT_VfaFmt_p27nedVhgUdnEi-dOUZamH4W';
    expect(await verifyForeignHash('abcdEFGHijklMNOPqrstUVWX', stored)).toBe(true);
    expect(await verifyForeignHash('abcdEFGHijklMNOPqrstUVWY', stored)).toBe(false);
  });

  it.each([
    ['', 'empty'],
    ['plain', 'no hash'],
    ['scrypt$16$8$1$YQ$YQ', 'our own'],
    [`${HASHES.bcrypt} `, 'a blank'],
    ['$2y$31$KtgPAzbLmwob6.mUD7fHGu7qt2eg4WvdL8wIzACGs3aN3TTC6fq02', 'work of days'],
    ['$wp$2y$16$YLF4nWhzCZUDwN6Sq48o6Oab3.DtUq7R600cez1bpdm1bEsVRfGCK', 'work of minutes'],
    ['$P$zabcdWXYZPOMU3uWyw.kdQOfHWlo/P/', 'endless rounds'],
    ['$generic$short', 'cut'],
  ])('"%s" is never accepted: %s', async (stored) => {
    expect(isForeignHash(stored)).toBe(false);
    expect(await verifyForeignHash('lantern quay', stored)).toBe(false);
  });

  it('BLAKE2b equals that of Python, for several blocks and with a key', () => {
    const bytes = Buffer.from(Array.from({ length: 200 }, (_, index) => index));
    const hex = (message: Buffer, length: number, key?: Buffer) => blake2b(message, { key, length }).toString('hex');
    expect(hex(bytes, 30, bytes.subarray(0, 17))).toBe('9eeb85a30b838481ae5ac960cd4fa8b4870a2e3a2bb5ab0a0e1120fcf765');
    expect(hex(bytes.subarray(0, 128), 64)).toMatch(
      /^2319e3789c47e2daa5fe807f61bec2a1a6537fa03f19ff32e87eecbfd64b7e0e/,
    );
    expect(hex(Buffer.alloc(0), 64)).toMatch(/^786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419/);
  });
});
