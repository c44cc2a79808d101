import type { Context } from '../../base/context.ts';
import { ANONYMOUS } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { Urls } from '../../http/core/urls.ts';
import { toUtc } from '../../lib/dates/local-time.ts';
import { orderNumber } from '../../lib/order-number.ts';
import type { Mail } from '../../platform/mails/outbox.ts';
import { getSite, type Site } from '../../platform/site/settings.ts';
import { findAttendeesOfOrders } from '../../ticketing/attendees/store.ts';
import { ticketUrl } from '../../ticketing/attendees/ticket-token.ts';
import { findCurrentOrders, findCurrentTickets } from '../../ticketing/mails/current-orders.ts';
import { heldEvent, loadHeldRelations } from '../../ticketing/orders/held-ticket.ts';
import { orderUrl } from '../../ticketing/orders/order-token.ts';
import { whenOf } from '../shop/ticket.ts';
import { mailWording } from './event-facts.ts';
import { type Block, htmlOf, textOf } from './mail-body.ts';
import { line, shortened } from './order-mails.ts';

/** Mail with links to the current orders and tickets of its address. */

/** Events that an entry names. */
const MAX_EVENTS = 3;

/** @returns undefined if there are none, so that no mail is sent */
export async function renderMyTickets(
  context: Context,
  { language: asked, to_email }: Pick<Mail, 'language' | 'to_email'>,
  origin: string,
): Promise<{ subject: string; text: string; html: string; site: Site } | undefined> {
  const { config, db } = context;
  const language = asked || (config.languages[0] ?? 'en');
  const now = context.now();
  const ctx: RequestContext = { context, viewer: ANONYMOUS, urls: new Urls(origin), language, now };
  const [orders, tickets] = await Promise.all([
    findCurrentOrders(db, to_email, toUtc(now)),
    findCurrentTickets(db, to_email, toUtc(now)),
  ]);
  if (orders.length + tickets.length === 0) return undefined;
  const site = await getSite(context, language);
  const orderIds = orders.map(({ id }) => id);
  const attendees = await findAttendeesOfOrders(db, orderIds);
  const { events } = await loadHeldRelations(ctx, [...attendees, ...tickets]);
  const wording = mailWording(context, { language, origin, siteName: site.name });
  const { t } = wording;
  const entries: Entry[] = [
    ...orders.map((order) => ({
      events: attendees
        .filter(({ order_id, status }) => order_id === order.id && status === 'publish')
        .map(({ event_id }) => event_id),
      ...{ number: orderNumber(order.id), label: t('mail.open_order'), url: orderUrl(ctx, order) },
    })),
    ...tickets.map((ticket) => ({ events: [ticket.event_id], label: t('order.open'), url: ticketUrl(ctx, ticket) })),
  ];
  const isSecondary = entries.length > 1;
  const subject = t('find.subject', { site: site.name });
  const body = {
    ...{ language, siteName: site.name, heading: t('mine.heading'), colors: site.colors },
    blocks: [
      { kind: 'text', text: t('find.text') } as const,
      ...entries.flatMap((entry) => entryBlocks(entry, { events, ctx, wording, isSecondary })),
    ],
    footer: `${t('mail.keep')} ${t('find.why', { site: site.name })}`,
  };
  return { subject: line(subject), text: textOf(body), html: htmlOf(body), site };
}

/** An order or a ticket. */
interface Entry {
  /** Ids of its events. */
  events: readonly number[];
  /** Number of the order; absent for a ticket. */
  number?: string;
  /** Text of the button. */
  label: string;
  url: string;
}

interface EntryOptions {
  events: Awaited<ReturnType<typeof loadHeldRelations>>['events'];
  ctx: RequestContext;
  wording: ReturnType<typeof mailWording>;
  /** Whether the mail has several buttons. */
  isSecondary: boolean;
}

function entryBlocks(entry: Entry, { events, ctx, wording, isSecondary }: EntryOptions): Block[] {
  const { t, link } = wording;
  const held = [...new Set(entry.events)]
    .flatMap((id) => events.get(id) ?? [])
    .sort((a, b) => a.utc_start_date.localeCompare(b.utc_start_date))
    .map((event) => heldEvent(event, ctx.urls));
  const titles = [...new Set(held.map(({ title }) => shortened(title)))].slice(0, MAX_EVENTS);
  // The first date to come.
  const next = held.find(({ utc_end_date }) => utc_end_date > toUtc(ctx.now));
  const rows: [string, string][] = [];
  if (next) rows.push([t('event.when'), whenOf({ event: next }, wording) ?? '']);
  if (entry.number !== undefined) rows.push([t('invoice.order'), entry.number]);
  return [
    { kind: 'heading', text: titles.join(', ') },
    { kind: 'facts', rows },
    { kind: 'button', label: entry.label, url: link(entry.url), isSecondary },
  ];
}
