import { sql } from 'kysely';
import { findEvent } from '../../calendar/events/store.ts';
import { eventScope, isInScope, viewerOf } from '../../http/core/auth.ts';
import { addSeconds } from '../../lib/dates/dates.ts';
import type { AlertKind } from '../../lib/mail-kinds.ts';
import { formatMoney, siteFormat } from '../../lib/money/money.ts';
import { chosenAlerts } from '../../platform/users/alerts.ts';
import { accountOf } from '../../platform/users/store.ts';
import { findOpenFindings } from '../../ticketing/books/findings.ts';
import { countOrders, findScarcity } from '../../ticketing/reports/staff-alerts.ts';
import type { AccountContent, AccountFacts } from './account-facts.ts';
import type { Block } from './mail-body.ts';
import { aboutEvent, shortened } from './order-mails.ts';

/** Content of alerts to staff, with the data at the time of sending. */

const HOUR = 3600;

/** Content of an alert; undefined if it is outdated, or if the account no longer wants it. */
export async function alertContent(alert: AlertKind, facts: AccountFacts): Promise<AccountContent | undefined> {
  if (!chosenAlerts(facts.user).includes(alert)) return undefined;
  switch (alert) {
    case 'payments':
      return paymentsContent(facts);
    case 'jobs':
      return jobsContent(facts);
    case 'few-left':
    case 'sold-out':
      return placesContent(alert, facts);
    case 'orders':
      return ordersContent(facts);
  }
}

const content = (
  { screen, t }: AccountFacts,
  {
    button,
    path,
    blocks,
    ...content
  }: Pick<AccountContent, 'subject' | 'heading'> & {
    blocks: Block[];
    button: string;
    path: string;
  },
): AccountContent => ({
  ...content,
  blocks: [
    ...blocks,
    { kind: 'button', label: button, url: screen(path) },
    { kind: 'text', text: t('alert.choose'), isQuiet: true },
  ],
  why: 'alert.why',
});

async function paymentsContent(facts: AccountFacts): Promise<AccountContent | undefined> {
  const { context, t } = facts;
  const count = (await findOpenFindings(context.db)).length;
  if (count === 0) return undefined;
  return content(facts, {
    subject: t('alert.payments_subject', { count }),
    blocks: [{ kind: 'text', text: t('alert.payments_text') }],
    ...{ button: t('alert.payments_button'), path: 'orders/findings' },
  });
}

async function jobsContent(facts: AccountFacts): Promise<AccountContent | undefined> {
  const { context, t } = facts;
  const kinds = await context.db.query
    .selectFrom('jobs')
    .select(['kind', ({ fn }) => fn.countAll<number>().as('count')])
    .where('state', '=', sql.lit('dead'))
    .groupBy('kind')
    .orderBy('kind')
    .execute();
  const count = kinds.reduce((sum, one) => sum + Number(one.count), 0);
  if (count === 0) return undefined;
  return content(facts, {
    subject: t('alert.jobs_subject', { count }),
    blocks: [
      { kind: 'text', text: t('alert.jobs_text') },
      { kind: 'facts', rows: kinds.map((one) => [one.kind, String(one.count)] as const) },
    ],
    ...{ button: t('alert.jobs_button'), path: 'settings/jobs?state=dead' },
  });
}

async function placesContent(alert: 'few-left' | 'sold-out', facts: AccountFacts): Promise<AccountContent | undefined> {
  const { context, mail, user, t, day } = facts;
  const event = await findEvent(context.db, mail.record_id);
  const scope = eventScope(viewerOf(accountOf(user)), 'read_attendees');
  if (!event || !isInScope(scope, event)) return undefined;
  const scarcity = await findScarcity(context.db, event.id);
  if (!scarcity || (scarcity.left === 0) !== (alert === 'sold-out')) return undefined;
  const { capacity, left } = scarcity;
  const title = shortened(event.title);
  const heading = alert === 'sold-out' ? t('alert.sold_out_heading') : t('alert.few_left_heading', { count: left });
  return content(facts, {
    subject: aboutEvent(t, heading, title),
    heading,
    blocks: [
      {
        kind: 'facts',
        rows: [
          [t('ticket.event'), title],
          [t('event.when'), day(event.start_date)],
          [t('alert.sold'), t('alert.sold_of', { sold: String(capacity - left), capacity: String(capacity) })],
        ],
      },
    ],
    ...{ button: t('alert.event_button'), path: `events/${event.id}/overview` },
  });
}

async function ordersContent(facts: AccountFacts): Promise<AccountContent | undefined> {
  const { context, mail, user, t, language } = facts;
  const before = await context.db.query
    .selectFrom('mails')
    .select('created_utc')
    .where('account_id', '=', user.id)
    .where('account_id', '>', sql.lit(0))
    .where('kind', '=', 'alert-orders')
    .where('created_utc', '<', mail.created_utc)
    .orderBy('created_utc', 'desc')
    .limit(1)
    .executeTakeFirst();
  const { count, totals } = await countOrders(context.db, {
    scope: eventScope(viewerOf(accountOf(user)), 'read_orders'),
    ...{ from: before?.created_utc ?? addSeconds(mail.created_utc, -HOUR), to: mail.created_utc },
  });
  if (count === 0) return undefined;
  const { config } = context;
  const sums = totals.map(({ currency, minor }) => formatMoney(minor, siteFormat(config, language, currency)));
  return content(facts, {
    subject: t('alert.orders_subject', { count }),
    blocks: [{ kind: 'facts', rows: [[t('alert.orders_total'), sums.join('\n')]], isMain: true }],
    ...{ button: t('alert.orders_button'), path: 'orders' },
  });
}
