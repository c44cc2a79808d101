import { sql } from 'kysely';
import type { Context } from '../base/context.ts';
import type { Database } from '../db/database.ts';
import type { AlertKind } from '../db/platform-tables.ts';
import { eventScope, isInScope, viewerOf } from '../http/core/auth.ts';
import { addSeconds, type LocalTime, toUtc } from '../lib/dates/dates.ts';
import type { Mail } from '../platform/mails/outbox.ts';
import { queueAccountMail } from '../platform/users/account-mails.ts';
import { chosenAlerts } from '../platform/users/alerts.ts';
import { accountOf, type UserRow } from '../platform/users/store.ts';
import { countOrders, findScarceEvents, type ScarceEvent } from '../ticketing/reports/staff-alerts.ts';

/** Alerts to accounts that have chosen them: one mail for each event and kind, and at most one an hour of the others. */

const HOUR = 3600;
const DAY = 24 * HOUR;
/** Alerts to one account in 24 hours. Further ones are written later, if they still make sense. */
export const MAX_ALERTS = 20;

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
  const scarce = chosen.has('sold-out') || chosen.has('few-left') ? await findScarceEvents(db, utc) : [];
  const facts = { scarce, finding: await latestFinding(db, utc), job: await latestDeadJob(db, utc), utc };
  for (const user of users) {
    const due = await withoutWritten(db, await dueFor(db, user, facts));
    const room = due.length === 0 ? 0 : MAX_ALERTS - (await countAlerts(db, user.id, utc));
    for (const { alert, key, record } of due.slice(0, Math.max(0, room)))
      await db.transaction((trx) => queueAccountMail(trx, user, { kind: `alert-${alert}`, key, record, now: time }));
  }
}

interface Facts {
  scarce: readonly ScarceEvent[];
  /** Names the latest open finding; undefined without any. */
  finding: string | undefined;
  job: string | undefined;
  utc: LocalTime;
}

async function dueFor(db: Database, user: UserRow, { scarce, finding, job, utc }: Facts): Promise<Due[]> {
  const chosen = new Set(chosenAlerts(user));
  const scope = eventScope(viewerOf(accountOf(user)), 'read_attendees');
  const record = { record_kind: 'user', record_id: user.id } as const;
  const due: Due[] = [];
  for (const { id, capacity, left, author_id } of scarce) {
    const alert = left === 0 ? 'sold-out' : 'few-left';
    if (!chosen.has(alert) || !isInScope(scope, { id, author_id })) continue;
    // A larger hall may sell out again.
    const key = `${alert}-event-${id}-${capacity}-account-${user.id}`;
    due.push({ alert, key, record: { record_kind: 'event', record_id: id } });
  }
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

async function latestFinding({ query }: Database, utc: LocalTime): Promise<string | undefined> {
  const finding = await query
    .selectFrom('reconciliation_findings')
    .select(['id', 'modified_utc'])
    .where('status', '=', sql.lit('open'))
    .where('modified_utc', '>', addSeconds(utc, -DAY))
    .orderBy('modified_utc', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return finding && `${finding.id}-${finding.modified_utc}`;
}

async function latestDeadJob({ query }: Database, utc: LocalTime): Promise<string | undefined> {
  const job = await query
    .selectFrom('jobs')
    .select(['id', 'due_utc'])
    .where('state', '=', sql.lit('dead'))
    .where('due_utc', '>', addSeconds(utc, -DAY))
    .orderBy('due_utc', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return job && `${job.id}-${job.due_utc}`;
}

/** When the last alert of a kind was written for an account. */
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

async function countAlerts({ query }: Database, userId: number, utc: LocalTime): Promise<number> {
  const { count } = await query
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', userId)
    .where('account_id', '>', sql.lit(0))
    .where(sql<boolean>`kind LIKE 'alert-%'`)
    .where('created_utc', '>', addSeconds(utc, -DAY))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Leaves out what was written before, without a transaction. */
async function withoutWritten({ query }: Database, due: readonly Due[]): Promise<Due[]> {
  if (due.length === 0) return [];
  const keys = due.map(({ key }) => key);
  const rows = await query.selectFrom('mails').select('key').where('key', 'in', keys).execute();
  const written = new Set(rows.map(({ key }) => key));
  return due.filter(({ key }) => !written.has(key));
}
