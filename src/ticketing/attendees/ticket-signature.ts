import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { Context } from '../../base/context.ts';
import { compiledOnce } from '../../db/compiled-statement.ts';
import type { Database } from '../../db/database.ts';
import { type SignedTicket, signedText } from '../../lib/door/signed-code.ts';
import type { SiteKey } from '../../lib/site-keys.ts';
import { isAdmitted } from './admission.ts';
import type { Attendee } from './store.ts';

/**
 * Signatures of codes (Ed25519), with which a device at the door admits a ticket that was sold after it last
 * synchronised. Private keys are derived from the secret of the site, so that the database alone cannot sign.
 */

/** Bytes before the 32 bytes of a private key (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
/** Bytes before the key in the public form. */
const SPKI_PREFIX = 12;

const privateKeys = new WeakMap<SiteKey, Map<number, KeyObject>>();

/** The private key with a number, derived once per process. */
function privateKeyOf(siteKey: SiteKey, id: number): KeyObject {
  const keys = privateKeys.get(siteKey) ?? new Map<number, KeyObject>();
  privateKeys.set(siteKey, keys);
  const known = keys.get(id);
  if (known) return known;
  const seed = createHmac('sha256', siteKey('ticket-signature')).update(`key ${id}`).digest();
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  keys.set(id, key);
  return key;
}

/** The 32 bytes of a public key in base64url. */
export const publicKeyOf = (siteKey: SiteKey, id: number): string =>
  createPublicKey(privateKeyOf(siteKey, id))
    .export({ format: 'der', type: 'spki' })
    .subarray(SPKI_PREFIX)
    .toString('base64url');

const signingKeys = compiledOnce((query) =>
  query.selectFrom('signing_keys').select('id').where('retired_utc', '=', '').orderBy('id', 'desc').limit(1),
);

/** Id of the key that signs; undefined before the first one is created. */
export const findSigningKey = async (db: Database): Promise<number | undefined> => (await signingKeys(db))[0]?.id;

/** Signature of a ticket, `KEY.SIGNATURE` in base64url; undefined if it has none. */
export type SignTicket = (
  attendee: SignedTicket & Pick<Attendee, 'status' | 'attendance_status' | 'pass_id'>,
) => string | undefined;

/**
 * Returns a function that signs tickets that admit. Series passes have no signature, since their code names no event.
 */
export async function ticketSigner({ db, siteKey }: Pick<Context, 'db' | 'siteKey'>): Promise<SignTicket> {
  const id = await findSigningKey(db);
  return (attendee) => {
    if (id === undefined || attendee.pass_id !== null || !isAdmitted(attendee)) return undefined;
    const signature = sign(null, Buffer.from(signedText(attendee)), privateKeyOf(siteKey, id));
    return `${id}.${signature.toString('base64url')}`;
  };
}
