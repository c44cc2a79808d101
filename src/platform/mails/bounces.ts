import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Database } from '../../db/database.ts';
import { isSameSecret } from '../../lib/hash.ts';
import type { SiteKey } from '../../lib/site-keys.ts';
import { addressKey } from '../../lib/text/email.ts';
import { type Mail, mailboxHash } from './outbox.ts';
import { findMail } from './store.ts';

/** Returned mails. Their envelope sender names the mail (VERP), and only this site can make it. */

/** Hexadecimal digits; 80 bits. Mail servers may change the case of letters, so that Base64 is not possible. */
const MAC_LENGTH = 20;

const macOf = (siteKey: SiteKey, { id, mailbox }: Pick<Mail, 'id' | 'mailbox'>): string =>
  createHmac('sha256', siteKey('bounce')).update(`${id} ${mailbox}`).digest('hex').slice(0, MAC_LENGTH);

/** Envelope sender of a mail; undefined unless MARQUEE_BOUNCE_DOMAIN is set. */
export function bounceAddressOf(
  { config, siteKey }: Pick<Context, 'config' | 'siteKey'>,
  mail: Pick<Mail, 'id' | 'mailbox'>,
): string | undefined {
  const { bounceDomain } = config;
  return bounceDomain && `bounce+${mail.id}.${macOf(siteKey, mail)}@${bounceDomain}`;
}

const ADDRESS = /^bounce\+([1-9]\d{0,14})\.([\da-f]{20})@/i;
const MESSAGE_ID = /^<?mail-([1-9]\d{0,14})-[\da-f]{1,40}@/i;

/**
 * Mail that one of some envelope senders names; undefined if all are forged. A sender is no longer valid once its mail
 * was sent to another mailbox.
 */
export async function findBouncedMail(
  { db, siteKey }: Pick<Context, 'db' | 'siteKey'>,
  addresses: readonly string[],
): Promise<Mail | undefined> {
  for (const address of addresses) {
    const [, id, mac = ''] = ADDRESS.exec(address.trim()) ?? [];
    const mail = id === undefined ? undefined : await findMail(db, Number(id));
    if (mail && isSameSecret(mac.toLowerCase(), macOf(siteKey, mail))) return mail;
  }
  return undefined;
}

/** The mail with a `Message-ID`, for providers that report it. */
export async function findMailByMessageId(db: Database, messageId: string): Promise<Mail | undefined> {
  const [, id] = MESSAGE_ID.exec(messageId.trim()) ?? [];
  const mail = id === undefined ? undefined : await findMail(db, Number(id));
  const bare = (text: string) => text.trim().replace(/^<|>$/g, '');
  return mail && mail.message_id !== '' && isSameSecret(bare(messageId), bare(mail.message_id)) ? mail : undefined;
}

const MAX_REASON = 500;

/** Marks a mail that was sent as returned; one that was not sent, or is marked already, stays as it is. */
export async function markBounced(db: Database, mail: Mail, reason: string): Promise<Mail> {
  const marked = await db.query
    .updateTable('mails')
    .set({ status: 'bounced', smtp_reply: reason.replaceAll('\0', '').slice(0, MAX_REASON) })
    .where('id', '=', mail.id)
    .where('mailbox', '=', mail.mailbox)
    .where('status', '=', sql.lit('sent'))
    .returningAll()
    .executeTakeFirst();
  if (marked) return marked;
  return (await findMail(db, mail.id)) ?? mail;
}

/** Number of returned mails after which an address gets no unsolicited mails. */
const MAX_BOUNCES = 2;

/**
 * The addresses among some, by their `addressKey`, to which mails came back twice: they get no reminders. Mails that come
 * back from other spellings do not count, since anyone may order with a `+tag` of an address.
 */
export async function findUnreachable({ query }: Database, addresses: readonly string[]): Promise<string[]> {
  const rows = await query
    .selectFrom('mails')
    .select('to_email')
    .where('mailbox', 'in', addresses.map(mailboxHash))
    .where('status', '=', sql.lit('bounced'))
    .execute();
  const returned = Map.groupBy(rows, ({ to_email }) => addressKey(to_email));
  const keys = [...new Set(addresses.map(addressKey))];
  return keys.filter((key) => (returned.get(key)?.length ?? 0) >= MAX_BOUNCES);
}
