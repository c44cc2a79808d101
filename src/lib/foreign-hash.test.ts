import { describe, expect, it } from 'vitest';
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
});
