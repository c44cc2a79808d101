import type { Context } from '../../base/context.ts';
import { ANONYMOUS } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { Urls } from '../../http/core/urls.ts';
import { addSeconds } from '../../lib/dates/dates.ts';
import { toUtc } from '../../lib/dates/local-time.ts';
import { isAboutOrder, isAnnouncement, type MailKind } from '../../lib/mail-kinds.ts';
import { orderNumber } from '../../lib/order-number.ts';
import { getSite } from '../../platform/site/settings.ts';
import type { Refund } from '../../ticketing/ledger/refunds.ts';
import type { HeldEvent } from '../../ticketing/orders/held-ticket.ts';
import type { CustomerOrder } from '../frame/responses.ts';
import { announcementContent } from './announcement-mails.ts';
import { type EventFacts, mailWording, readEventFacts, valuesOf } from './event-facts.ts';
import { type ReaderFacts, receivedContent, reminderContent, rsvpContent, transferredContent } from './holder-mails.ts';
import type { CodedTicket, OrderFacts } from './order-facts.ts';
import { type MailContent, orderMailContent } from './order-mails.ts';
import type { RenderedMail } from './rendered-mail.ts';

/** Mails about a sample, for previews and tests: an event of the site, and a customer, order and code that lead nowhere. */

const NAME = 'Ada Park';
const CODE = '0123456789';
const PRICE = 2000;

interface SampleOptions {
  /** Id of the event; 0 for the next one. */
  event: number;
  language: string;
  origin: string;
}

/** A mail about an order. */
export function orderMail(facts: OrderFacts, content: MailContent): RenderedMail {
  const { t, site, order, events } = facts;
  const held = order.attendees.flatMap(({ event }) => event ?? []);
  const [event] = held;
  const shown = events.filter(({ id }) => id === event?.id);
  const { values = {} } = event ? valuesOf({ ...facts, event, events: shown }, order.purchaser.name) : {};
  return {
    facts,
    content,
    values: { ...values, order: order.number ?? '', name: order.purchaser.name, site: site.name },
    eventIds: [...new Set(held.map(({ id }) => id))],
    footer: `${t('mail.keep')} ${t('mail.why', { site: site.name })}`,
    replyTo: '',
  };
}

/** Renders a mail of a kind about a sample, with its default texts. */
export async function sampleMail(context: Context, kind: MailKind, options: SampleOptions): Promise<RenderedMail> {
  const facts = await sampleFacts(context, options);
  if (isAboutOrder(kind)) return sampleOrderMail(facts, kind);
  if (isAnnouncement(kind)) return announcementContent(facts, sampleAnnouncement(facts, kind), NAME);
  const page = facts.link(facts.ctx.urls.page(`/ticket/0/${'0'.repeat(32)}/`));
  const reader: ReaderFacts = { ...facts, readerName: NAME, ticketPage: page };
  const codes = [sampleTicket(facts)];
  if (kind === 'ticket_received') return receivedContent(reader, codes);
  if (kind === 'ticket_transferred')
    return transferredContent(facts, { ticket: facts.t('order.tickets'), recipient: NAME });
  if (kind === 'reminder') return reminderContent(reader, facts.link(facts.ctx.urls.page('/unsubscribe/0/')));
  return rsvpContent(reader, { isYes: true, codes, isChanged: kind === 'rsvp_changed' });
}

async function sampleFacts(context: Context, { event, language: asked, origin }: SampleOptions): Promise<EventFacts> {
  const id = event || (await findNextEvent(context));
  const found = await readEventFacts(context, { id, origin, language: asked });
  if (found) return found;
  const language = asked || (context.config.languages[0] ?? 'en');
  const site = await getSite(context, language);
  const now = context.now();
  const ctx: RequestContext = { context, viewer: ANONYMOUS, urls: new Urls(origin), language, now };
  const facts = { ...mailWording(context, { language, origin, siteName: site.name }), ctx, site, now, events: [] };
  return {
    ...facts,
    event: madeUpEvent(ctx, facts.t('mail.sample_event')),
    status: 'scheduled',
    note: '',
    organizerEmail: '',
  };
}

/** The next published event; 0 for none. */
async function findNextEvent({ db, now }: Context): Promise<number> {
  const next = await db.query
    .selectFrom('events')
    .select('id')
    .where('status', '=', 'publish')
    .where('password', '=', '')
    .where('utc_start_date', '>', toUtc(now()))
    .orderBy('utc_start_date')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return next?.id ?? 0;
}

function madeUpEvent({ now, urls }: RequestContext, title: string): HeldEvent {
  const start = `${addSeconds(toUtc(now), 7 * 86_400).slice(0, 10)} 19:00:00`;
  const end = `${start.slice(0, 10)} 21:00:00`;
  return {
    ...{ id: 0, title, url: urls.page('/'), all_day: false, timezone: 'UTC' },
    ...{ start_date: start, end_date: end, utc_start_date: start, utc_end_date: end },
  };
}

const sampleTicket = ({ event, t, ctx }: EventFacts): CodedTicket => ({
  ...{ content: ctx.urls.page('/'), code: CODE, holder: NAME, title: t('order.tickets'), event, dates: [] },
});

const sampleAnnouncement = ({ t, event }: EventFacts, kind: MailKind) => ({
  // Kinds of announcements only.
  kind: kind as Parameters<typeof announcementContent>[1]['kind'],
  ...{ event_id: event.id, subject: '', body: kind === 'announcement' ? t('mail.sample_text') : '' },
});

function sampleOrderMail(facts: EventFacts, kind: MailKind): RenderedMail {
  const { event, ctx, now } = facts;
  const isPaid = kind === 'tickets' || kind === 'refund';
  const status = isPaid ? 'completed' : 'pending';
  const amount = { minor: PRICE, formatted: '' };
  const ticket = { id: 0, title: facts.t('order.tickets'), event, full_name: NAME };
  // Members that mails read; the others are absent.
  const order = {
    ...{
      id: 0,
      number: orderNumber(123_456),
      status,
      currency: ctx.context.config.currency,
      total: amount,
      charges: [],
    },
    ...{ purchaser: { name: NAME, email: '' }, at_door: false, payment: null, pay_url: null, taxes: [] },
    items: [{ ticket_id: 0, title: ticket.title, quantity: 1, price: amount, subtotal: amount }],
    attendees: [{ ...ticket, status: kind === 'place_cancelled' ? 'trash' : 'publish' }],
    expires_utc: isPaid ? null : addSeconds(toUtc(now), 86_400),
    url: ctx.urls.page(`/order/0/${'0'.repeat(32)}/`),
  } as unknown as CustomerOrder;
  const stored = { status: kind === 'place_cancelled' ? 'voided' : status } as OrderFacts['stored'];
  const refund = { status: 'done', amount: PRICE, source: 'staff', attendees: '[]' } as Refund;
  const orderFacts: OrderFacts = { ...facts, stored, order, tickets: isPaid ? [sampleTicket(facts)] : [] };
  const content = orderMailContent(kind, orderFacts, { isAskedFor: true, refund });
  if (!content) throw new Error(`there is no sample of ${kind}`);
  return orderMail(orderFacts, content);
}
