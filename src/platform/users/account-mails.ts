import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { addSeconds, toUtc } from '../../lib/dates/dates.ts';
import { type AccountMailKind, NOTICE_MAIL_KINDS } from '../../lib/mail-kinds.ts';
import { type Mail, queueMail } from '../mails/outbox.ts';

/** Mails to accounts, written in the transaction of their reason. They are sent before mails to customers. */

/** Members of an account that mails use. */
export interface Addressee {
  id: number;
  email: string;
  /** Empty for the first of the site. */
  language: string;
}

/** Head start in seconds over other mails in the queue. */
const AHEAD_SECONDS = 7 * 24 * 60 * 60;

/** The first administrator has an address at `localhost`, where no mail can arrive. */
export const isReachable = ({ email }: Pick<Addressee, 'email'>): boolean => !/@localhost$/i.test(email);

interface NewAccountMail {
  kind: AccountMailKind;
  /** Names the reason. */
  key: string;
  record: Pick<Mail, 'record_kind' | 'record_id'>;
  now: Date;
  /** Language of the request, for an account that has chosen none. */
  language?: string | undefined;
  /** Account that asks for the mail. */
  userId?: number | undefined;
}

/** Mails about changes of an account, which its owner can cause any number of times, to an address of the owner's choice. */
const NOTICES: ReadonlySet<string> = new Set(NOTICE_MAIL_KINDS);
/** Maximum notices of one kind to an account within a day; the first ones suffice. */
export const MAX_NOTICES = 10;
const DAY = 24 * 60 * 60;

async function hasManyNotices({ query }: Database, { id }: Addressee, { kind, now }: NewAccountMail): Promise<boolean> {
  const { count } = await query
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', id)
    // For the partial index.
    .where(sql<boolean>`account_id > 0`)
    .where('kind', '=', kind)
    .where('user_id', '=', 0)
    .where('created_utc', '>', addSeconds(toUtc(now), -DAY))
    .executeTakeFirstOrThrow();
  return Number(count) >= MAX_NOTICES;
}

/** Writes a mail to an account, unless its address cannot be reached, or it has got many notices of the kind. */
export async function queueAccountMail(db: Database, user: Addressee, mail: NewAccountMail): Promise<void> {
  if (!isReachable(user)) return;
  const { kind, key, record, now, language = '', userId } = mail;
  if (NOTICES.has(kind) && (await hasManyNotices(db, user, mail))) return;
  await queueMail(db, {
    ...{ kind, key, now, ...record },
    ...{ to: user.email, language: user.language || language, accountId: user.id, delay: -AHEAD_SECONDS },
    ...(userId !== undefined && { userId }),
  });
}
