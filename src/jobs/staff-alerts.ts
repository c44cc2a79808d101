import { sql } from 'kysely';
import type { Context } from '../base/context.ts';
import type { Database } from '../db/database.ts';
import { type EventScope, eventScope, isInScope, viewerOf } from '../http/core/auth.ts';
import { addSeconds, type LocalTime, toUtc } from '../lib/dates/dates.ts';
import type { AlertKind } from '../lib/mail-kinds.ts';
import type { Mail } from '../platform/mails/outbox.ts';
import { queueAccountMail } from '../platform/users/account-mails.ts';
import { chosenAlerts } from '../platform/users/alerts.ts';
import { accountOf, type UserRow } from '../platform/users/store.ts';
import { countOrders, findScarceEvents, type ScarceEvent } from '../ticketing/reports/staff-alerts.ts';

/**
 * Alerts to accounts that chose them: one mail for each event and kind; of the other alerts, at most one per hour or
 * day. These are written first and do not count towards the limit for events.
 */

const HOUR = 3600;
const DAY = 24 * HOUR;
/** Maximum number of alerts about events to one account in 24 hours. Others are written later, if they still apply. */
export const MAX_ALERTS = 20;
const EVENT_ALERTS = ['sold-out', 'few-left'] as const;

/** An alert that is due, with the key that names its reason. */
interface Due {
  alert: AlertKind;
  key: string;
  record: Pick<Mail, 'record_kind' | 'record_id'>;
}

/** Writes the alerts that are due. */
export async function alertStaff({ config, db, now }: Pick<Context, 'config' | 'db' | 'now'>): Promise<void> {
  if (!config.smtp) return;
  const users = await db.query.selectFrom('users').selectAll().where('alerts', '<>', '[]').orderBy('id').execute();
  const chosen = new Set(users.flatMap(chosenAlerts));
  if (chosen.size === 0) return;
  const time = now();
  const utc = toUtc(time);
  const facts = { finding: await latestFinding(db), job: await latestDeadJob(db), utc };
  const write = async (user: UserRow, { alert, key, record }: Due) =>
    db.transaction((trx) => queueAccountMail(trx, user, { kind: `alert-${alert}`, key, record, now: time }));
  for (const user of users)
    for (const due of await withoutWritten(db, await digestsFor(db, user, facts))) await write(user, due);
  const readers: Reader[] = [];
  for (const user of users) if (chosenAlerts(user).some(isEventAlert)) readers.push(await readerOf(db, user, utc));
  if (readers.length === 0) return;
  for await (const events of findScarceEvents(db, utc)) {
    for (const reader of readers) {
      const due = reader.room > 0 ? await withoutWritten(db, eventsFor(reader, events)) : [];
      for (const one of due.slice(0, reader.room)) await write(reader.user, one);
      reader.room -= Math.min(reader.room, due.length);
    }
    if (readers.every(({ room }) => room === 0)) return;
  }
}

const isEventAlert = (alert: AlertKind): boolean => EVENT_ALERTS.some((one) => one === alert);

/** An account that wants alerts about events. */
interface Reader {
  user: UserRow;
  scope: EventScope;
  /** Number of alerts that may still be written within 24 hours. */
  room: number;
  /** Kinds and events of the alerts in the last 24 hours. */
  told: ReadonlySet<string>;
}

async function readerOf({ query }: Database, user: UserRow, utc: LocalTime): Promise<Reader> {
  const recent = await query
    .selectFrom('mails')
    .select(['kind', 'record_id'])
    .where('account_id', '=', user.id)
    .where('account_id', '>', sql.lit(0))
    .where(
      'kind',
      'in',
      EVENT_ALERTS.map((alert) => `alert-${alert}` as const),
    )
    .where('created_utc', '>', addSeconds(utc, -DAY))
    .execute();
  return {
    user,
    scope: eventScope(viewerOf(accountOf(user)), 'read_attendees'),
    room: Math.max(0, MAX_ALERTS - recent.length),
    told: new Set(recent.map(({ kind, record_id }) => `${kind}-${record_id}`)),
  };
}

function eventsFor({ user, scope, told }: Reader, events: readonly ScarceEvent[]): Due[] {
  const chosen = new Set(chosenAlerts(user));
  return events.flatMap(({ id, capacity, left, author_id }): Due[] => {
    const alert = left === 0 ? 'sold-out' : 'few-left';
    if (!chosen.has(alert) || told.has(`alert-${alert}-${id}`) || !isInScope(scope, { id, author_id })) return [];
    // A larger hall may sell out again.
    const key = `${alert}-event-${id}-${capacity}-account-${user.id}`;
    return [{ alert, key, record: { record_kind: 'event', record_id: id } }];
  });
}

interface Facts {
  /** Names the latest open finding; undefined without any. */
  finding: string | undefined;
  /** The same for failed jobs. */
  job: string | undefined;
  utc: LocalTime;
}

async function digestsFor(db: Database, user: UserRow, { finding, job, utc }: Facts): Promise<Due[]> {
  const chosen = new Set(chosenAlerts(user));
  const record = { record_kind: 'user', record_id: user.id } as const;
  const due: Due[] = [];
  const digest = async (alert: AlertKind, reason: string | undefined, seconds: number) => {
    if (reason === undefined || !chosen.has(alert)) return;
    const last = await lastAlert(db, user.id, alert);
    if (last === undefined || last <= addSeconds(utc, -seconds))
      due.push({ alert, key: `${alert}-${reason}-account-${user.id}`, record });
  };
  await digest('payments', finding, DAY);
  await digest('jobs', job, HOUR);
  if (chosen.has('orders')) await digest('orders', await newOrders(db, user, utc), HOUR);
  return due;
}

/** Names the orders since the last alert about them; undefined without any. */
async function newOrders(db: Database, user: UserRow, utc: LocalTime): Promise<string | undefined> {
  const from = (await lastAlert(db, user.id, 'orders')) ?? addSeconds(utc, -HOUR);
  const scope = eventScope(viewerOf(accountOf(user)), 'read_orders');
  const { count } = await countOrders(db, { scope, from, to: utc });
  return count === 0 ? undefined : `until-${utc}`;
}

/** Finds a finding of any age: there may have been no mail server, or no account that wanted alerts. */
async function latestFinding({ query }: Database): Promise<string | undefined> {
  const finding = await query
    .selectFrom('reconciliation_findings')
    .select(['id', 'modified_utc'])
    .where('status', '=', sql.lit('open'))
    .orderBy('modified_utc', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return finding && `${finding.id}-${finding.modified_utc}`;
}

async function latestDeadJob({ query }: Database): Promise<string | undefined> {
  const job = await query
    .selectFrom('jobs')
    .select(['id', 'due_utc'])
    .where('state', '=', sql.lit('dead'))
    .orderBy('due_utc', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return job && `${job.id}-${job.due_utc}`;
}

/** Time at which the last alert of a kind was written for an account. */
async function lastAlert({ query }: Database, userId: number, alert: AlertKind): Promise<LocalTime | undefined> {
  const last = await query
    .selectFrom('mails')
    .select('created_utc')
    .where('account_id', '=', userId)
    .where('account_id', '>', sql.lit(0))
    .where('kind', '=', `alert-${alert}`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.created_utc;
}

/** Leaves out alerts that were written before, without a transaction. */
async function withoutWritten({ query }: Database, due: readonly Due[]): Promise<Due[]> {
  if (due.length === 0) return [];
  const keys = due.map(({ key }) => key);
  const rows = await query.selectFrom('mails').select('key').where('key', 'in', keys).execute();
  const written = new Set(rows.map(({ key }) => key));
  return due.filter(({ key }) => !written.has(key));
}
