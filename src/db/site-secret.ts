import { isSameSecret } from '../lib/hash.ts';
import { secretFingerprint } from '../lib/site-keys.ts';
import type { Database } from './database.ts';

/**
 * The secret of the site: MARQUEE_SECRET, or a random one that the first start stores in the table `site`. The table
 * also stores its fingerprint, so that all processes derive the same keys.
 */

const SECRET = 'secret';
const FINGERPRINT = 'secret_fingerprint';
const SECRET_BYTES = 32;

interface SecretOptions {
  /** MARQUEE_SECRET. */
  given: string | undefined;
  random: (bytes: number) => Buffer;
}

/**
 * Returns the secret of the site, creating and storing it on the first start.
 * @returns undefined if the given secret does not match the database, or if none is given and the database has only a
 * fingerprint
 */
export async function ensureSecret(db: Database, { given, random }: SecretOptions): Promise<string | undefined> {
  const settled = await findSettled(db);
  if (settled) return secretOf(settled, given);
  return db.transaction(async (trx) => {
    await trx.dialect.lock(trx, 'marquee-secret');
    const meanwhile = await findSettled(trx);
    if (meanwhile) return secretOf(meanwhile, given);
    const secret = given ?? random(SECRET_BYTES).toString('base64url');
    const made = given === undefined ? [{ name: SECRET, value: secret }] : [];
    await trx.query
      .insertInto('site')
      .values([...made, { name: FINGERPRINT, value: secretFingerprint(secret) }])
      .execute();
    return secret;
  });
}

interface Settled {
  fingerprint: string;
  /** The generated secret; undefined if MARQUEE_SECRET provides it. */
  made: string | undefined;
}

async function findSettled({ query }: Database): Promise<Settled | undefined> {
  const rows = await query.selectFrom('site').selectAll().where('name', 'in', [SECRET, FINGERPRINT]).execute();
  const find = (name: string) => rows.find((row) => row.name === name)?.value;
  const fingerprint = find(FINGERPRINT);
  return fingerprint === undefined ? undefined : { fingerprint, made: find(SECRET) };
}

function secretOf({ fingerprint, made }: Settled, given: string | undefined): string | undefined {
  const secret = given ?? made;
  return secret !== undefined && isSameSecret(secretFingerprint(secret), fingerprint) ? secret : undefined;
}

/** Removes the secret, so that the next start creates another one. Returns whether there was one. */
export async function forgetSecret(db: Database): Promise<boolean> {
  const forgotten = await db.transaction(({ query }) =>
    query.deleteFrom('site').where('name', 'in', [SECRET, FINGERPRINT]).returning('name').execute(),
  );
  return forgotten.length > 0;
}
