import { toUtc } from '../../lib/dates/local-time.ts';
import type { MailKind } from '../../lib/mail-kinds.ts';
import { plainText } from '../../lib/text/text.ts';
import type { Refund } from '../../ticketing/ledger/refunds.ts';
import type { HeldEvent } from '../../ticketing/orders/held-ticket.ts';
import { isUnpaid } from '../../ticketing/orders/statuses.ts';
import { isCountedStatus } from '../../ticketing/seats/seats.ts';
import { addressLines, venuesOf } from '../cards/place.ts';
import { priceInWords } from '../cards/price.ts';
import type { CustomerOrder } from '../frame/responses.ts';
import { MAX_ATTACHED } from '../paper/mail-papers.ts';
import { itemRows } from '../shop/order.ts';
import { keptUntil, orderTotal } from '../shop/order-payment.ts';
import { orderPriceLines } from '../shop/price-lines.ts';
import { whenOf } from '../shop/ticket.ts';
import { validUntil } from '../shop/ticket-state.ts';
import type { Block, EventBlock } from './mail-body.ts';
import type { CodedTicket, OrderFacts } from './order-facts.ts';

/** Content of each kind of mail about an order. */

export interface MailContent {
  subject: string;
  heading: string;
  blocks: readonly Block[];
  /** Tickets whose codes are in the mail, in the order of their blocks. */
  codes: readonly CodedTicket[];
  /** Whether the events are attached for a calendar. */
  hasCalendar: boolean;
}

interface Asked {
  /** Whether staff requested the mail, which is then sent after its events too. */
  isAskedFor: boolean;
  /** Only of a mail about one. */
  refund?: Refund;
  /** Ids of the attendees cancelled by the step that the mail is about; absent for all cancelled ones. */
  cancelled?: ReadonlySet<number>;
}

/** Maximum number of codes in a mail; more would be cut off by mail programs. */
export const MAX_CODES = 20;
/** Maximum number of events that a mail describes. */
const MAX_EVENTS = 10;
/** Maximum characters of a name in a mail: visitors choose them. */
const MAX_NAME = 100;

/** Content of a mail about an order; undefined for an outdated one. */
export function orderMailContent(kind: MailKind, facts: OrderFacts, asked: Asked): MailContent | undefined {
  if (kind === 'tickets') return ticketsContent(facts, asked);
  if (kind === 'order') return orderContent(facts);
  if (kind === 'payment_failed') return failedPaymentContent(facts);
  return kind === 'place_cancelled' ? cancelledContent(facts, asked) : refundContent(facts, asked);
}

/** Mail about an unpaid order: how to pay and until when; with the codes of an order to be paid at the door. */
function orderContent(facts: OrderFacts): MailContent | undefined {
  const { order, stored, t, now } = facts;
  const isOver = order.expires_utc !== null && order.expires_utc <= toUtc(now);
  if (!isUnpaid(stored.status) || isOver) return undefined;
  const { number = '' } = order;
  return {
    subject: line(t('mail.order_subject', { number, event: eventNames(facts) })),
    heading: t('order.heading', { id: number }),
    blocks: [
      ...(order.at_door ? atDoor(facts) : [...toPay(facts), payButton(facts)]),
      ...eventBlocks(facts),
      ...codeBlocks(facts),
      ...pdfButton(facts),
      ...(order.at_door ? [orderButton(facts)] : []),
      ...priceBlocks(facts),
    ],
    codes: facts.tickets.slice(0, MAX_CODES),
    hasCalendar: order.at_door,
  };
}

function toPay(facts: OrderFacts): Block[] {
  const { order, t } = facts;
  const { payment, status } = order;
  const text = t(status === 'approved' ? 'mail.approved_text' : 'mail.order_text');
  const intro = { kind: 'text', text, isIntro: true } as const;
  if (status === 'approved') return [intro];
  const until = keptUntil(order, facts);
  const how = payment ? [payment.name, payment.text].filter(Boolean).join('\n') : t('mail.pay_elsewhere');
  const rows = [
    [t('mail.to_pay'), orderTotal(order, facts)],
    ...(payment?.reference ? [[t('mail.reference'), payment.reference]] : []),
    [t('checkout.payment'), how],
  ] as [string, string][];
  return [
    intro,
    { kind: 'facts', rows, isMain: true },
    ...(until === '' ? [] : [{ kind: 'text', text: until } as const]),
  ];
}

function atDoor(facts: OrderFacts): Block[] {
  const { order, t } = facts;
  const until = validUntil(facts, order.expires_utc);
  const texts = [...(until === undefined ? [] : [until]), ...(order.payment?.text ? [order.payment.text] : [])];
  return [
    { kind: 'text', text: t('order.bring', { number: order.number ?? '' }) },
    { kind: 'facts', rows: [[t('ticket.unpaid_state'), orderTotal(order, facts)]], isMain: true },
    ...texts.map((text) => ({ kind: 'text', text }) as const),
  ];
}

/** Mail about a payment refused by a bank or a service: how to pay again, and until when. */
function failedPaymentContent(facts: OrderFacts): MailContent | undefined {
  const { order, stored, t, now } = facts;
  const isOver = order.expires_utc !== null && order.expires_utc <= toUtc(now);
  if (!isUnpaid(stored.status) || stored.status === 'approved' || isOver) return undefined;
  const { number = '' } = order;
  const [, ...how] = toPay(facts);
  return {
    subject: line(t('mail.failed_subject', { number })),
    heading: t('mail.failed_heading'),
    blocks: [
      { kind: 'text', text: t('mail.failed_text'), isIntro: true },
      ...how,
      payButton(facts),
      ...eventBlocks(facts),
      numberLine(facts),
    ],
    codes: [],
    hasCalendar: false,
  };
}

/** Places that are cancelled, of an order or of a part of it. */
function cancelledContent(facts: OrderFacts, asked: Asked): MailContent | undefined {
  const { order, stored, t } = facts;
  const { number = '' } = order;
  const isMeant = (id: number) => asked.cancelled?.has(id) ?? true;
  const cancelled = order.attendees.filter(({ id, status }) => status === 'trash' && isMeant(id));
  if (cancelled.length === 0) return undefined;
  const isAll = !isCountedStatus(stored.status);
  const events = isAll ? [] : eventBlocks(facts);
  const whole = stored.status === 'not-completed' ? 'mail.lapsed_text' : 'order.cancelled';
  return {
    subject: line(t('mail.places_cancelled_subject', { number })),
    heading: t('mail.places_cancelled_heading'),
    blocks: [
      { kind: 'text', text: t(isAll ? whole : 'mail.places_cancelled_text'), isIntro: true },
      cancelledPlaces(cancelled, facts, events),
      ...events,
      orderButton(facts),
      numberLine(facts),
    ],
    codes: [],
    hasCalendar: false,
  };
}

/**
 * A line for each ticket of some places, with their number; with its event, if there are several.
 * @param shown blocks of the mail that name their event already
 */
function cancelledPlaces(places: CustomerOrder['attendees'], { t }: OrderFacts, shown: readonly Block[] = []): Block {
  const titles = new Set(places.map(({ event }) => event && shortened(event.title)));
  const [title] = titles;
  const isOne = titles.size === 1 && title;
  const isShown = shown.some((block) => block.kind === 'event' && shortened(block.title) === title);
  const groups = Map.groupBy(places, (place) =>
    [shortened(place.title), !isOne && place.event && shortened(place.event.title)].filter(Boolean).join(', '),
  );
  const lines = [...groups].slice(0, MAX_EVENTS).map(([words, same]) => `${same.length} × ${words}`);
  return {
    kind: 'facts',
    rows: [
      ...(isOne && !isShown ? [[t('ticket.event'), title] as const] : []),
      [t('mail.cancelled_places'), lines.join('\n')] as const,
    ],
  };
}

/** The tickets of a completed order with their codes. */
function ticketsContent(facts: OrderFacts, { isAskedFor }: Asked): MailContent | undefined {
  const { order, stored, tickets, t, now } = facts;
  const ends = tickets.flatMap(({ event }) => event?.utc_end_date ?? []);
  const isOver = facts.order.attendees.every(({ event }) => event === null || event.utc_end_date <= toUtc(now));
  if (stored.status !== 'completed' || tickets.length === 0 || ends.length === 0) return undefined;
  if (isOver && !isAskedFor) return undefined;
  return {
    subject: line(t('mail.tickets_subject', { event: eventNames(facts) })),
    heading: t('mail.tickets_heading', { count: tickets.length }),
    blocks: [
      { kind: 'text', text: t('mail.tickets_text', { count: tickets.length }), isIntro: true },
      ...eventBlocks(facts),
      ...codeBlocks(facts),
      ...pdfButton(facts),
      orderButton(facts),
      ...(order.total.minor > 0 ? priceBlocks(facts) : [numberLine(facts)]),
    ],
    codes: tickets.slice(0, MAX_CODES),
    hasCalendar: true,
  };
}

function refundContent(facts: OrderFacts, { refund }: Asked): MailContent | undefined {
  const { order, t } = facts;
  if (!refund || refund.status === 'failed') return undefined;
  const { number = '' } = order;
  const total = priceInWords(refund.amount, facts, order.currency);
  const isLate = refund.source === 'late';
  return {
    subject: line(t('mail.refund_subject', { number })),
    heading: t('mail.refund_subject', { number }),
    blocks: [
      ...(isLate ? [{ kind: 'text', text: t('pay.late') } as const] : []),
      {
        kind: 'text',
        text: t(refund.status === 'done' ? 'pay.back_done' : 'pay.back_coming', { total }),
        isIntro: true,
      },
      ...refundedPlaces(refund, facts),
      orderButton(facts),
    ],
    codes: [],
    hasCalendar: false,
  };
}

/** The places that a refund cancels. */
function refundedPlaces({ attendees }: Refund, facts: OrderFacts): Block[] {
  const { order, stored, t } = facts;
  if (!isCountedStatus(stored.status))
    return [{ kind: 'text', text: t('order.cancelled') }, cancelledPlaces(order.attendees, facts)];
  // Written by `requestRefunds`.
  const ids = new Set(JSON.parse(attendees || '[]') as number[]);
  const places = order.attendees.filter(({ id, status }) => ids.has(id) && status === 'trash');
  if (places.length === 0) return [];
  return [{ kind: 'text', text: t('mail.places_cancelled_text') }, cancelledPlaces(places, facts)];
}

const orderButton = ({ order, t, link }: OrderFacts): Block => ({
  kind: 'button',
  label: t('mail.open_order'),
  url: link(order.url),
});

/** Link to the payment; for a transfer, whose instructions are in the mail, to the order. */
const payButton = (facts: OrderFacts): Block => {
  const { order, t, link } = facts;
  const isTransfer = order.payment !== null && order.payment.reference !== null;
  if (order.pay_url === null || isTransfer) return orderButton(facts);
  return { kind: 'button', label: t('pay.now'), url: link(order.pay_url) };
};

const numberLine = ({ order, t }: OrderFacts): Block => ({
  kind: 'text',
  text: t('order.heading', { id: order.number ?? '' }),
  isQuiet: true,
});

function priceBlocks(facts: OrderFacts): Block[] {
  const { order, t } = facts;
  const items = itemRows(order, facts).map(({ title, quantity, minor }) => ({
    name: `${quantity} × ${shortened(title)}`,
    amount: priceInWords(minor, facts, order.currency),
  }));
  return [
    { kind: 'heading', text: t('order.heading', { id: order.number ?? '' }) },
    { kind: 'amounts', rows: [...items, ...orderPriceLines(order, facts)] },
  ];
}

/** Titles of the events of an order, including those that are not published. */
function eventNames({ order }: OrderFacts): string {
  const titles = [...new Set(order.attendees.flatMap(({ event }) => event?.title ?? []))];
  return titles.map(shortened).slice(0, 3).join(', ');
}

function eventBlocks(facts: OrderFacts): Block[] {
  const { order, t } = facts;
  const held = order.attendees.flatMap(({ status, event }) => (event && status === 'publish' ? [event] : []));
  const events = [...new Map(held.map((event) => [event.id, event])).values()].sort((a, b) =>
    a.utc_start_date.localeCompare(b.utc_start_date),
  );
  const blocks = merged(events.slice(0, MAX_EVENTS).map((event) => eventBlock(event, facts)));
  const count = events.length - MAX_EVENTS;
  return count > 0 ? [...blocks, { kind: 'text', text: t('mail.more_dates', { count }) }] : blocks;
}

/** One block for events that differ in their dates only, as those of a series. */
function merged(blocks: readonly EventBlock[]): EventBlock[] {
  const groups = Map.groupBy(blocks, ({ when: [label], ...same }) => JSON.stringify([label, same]));
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const [label, date] = first.when;
    return [{ ...first, when: [label, [date, ...others.map(({ when }) => when[1])].join('\n')] as const }];
  });
}

export function eventBlock(event: HeldEvent, facts: Pick<OrderFacts, 't' | 'dates' | 'events'>): EventBlock {
  const { t, dates } = facts;
  const shown = facts.events.find(({ id }) => id === event.id);
  const status = shown?.event_status ?? 'scheduled';
  const isOff = status === 'cancelled' || status === 'postponed';
  const places = shown ? venuesOf(shown).map((venue) => [venue.venue, ...addressLines(venue)].join('\n')) : [];
  return {
    kind: 'event',
    title: line(event.title),
    ...(status !== 'scheduled' && { state: [t('ticket.state'), t(`status.${status}`)] }),
    when: [t(isOff ? 'mail.was_planned' : 'event.when'), whenOf({ event }, { dates }) ?? ''],
    isOff,
    more: [
      ...(places.length > 0 ? [[t('ticket.where'), places.join('\n')] as const] : []),
      ...(event.online_url === undefined ? [] : [[t('event.online'), event.online_url] as const]),
    ],
  };
}

/** First tickets with their codes, and the place of the others. */
export function codeBlocks(facts: Pick<OrderFacts, 'tickets' | 't'>): Block[] {
  const { tickets, t } = facts;
  const isOneEvent = new Set(tickets.map(({ event }) => event?.id)).size === 1;
  const blocks = tickets.slice(0, MAX_CODES).map(
    ({ code, holder, title, event }, index): Block => ({
      kind: 'code',
      cid: codeId(index),
      code,
      alt: t('ticket.code_of', { name: shortened(holder) }),
      lines: [shortened(holder), shortened(title), ...(event && !isOneEvent ? [line(event.title)] : [])].filter(
        Boolean,
      ),
    }),
  );
  if (tickets.length === 0) return [];
  const more: Block[] =
    tickets.length > MAX_CODES ? [{ kind: 'text', text: t('mail.more_codes', { count: tickets.length }) }] : [];
  return [{ kind: 'heading', text: t('order.tickets') }, ...blocks, ...more];
}

/** Link to the tickets as PDF, if there are too many to attach it. */
const pdfButton = ({ tickets, order, t, link }: OrderFacts): Block[] =>
  tickets.length > MAX_ATTACHED
    ? [{ kind: 'button', label: t('paper.tickets'), url: link(`${order.url}tickets.pdf`) }]
    : [];

/** Name of the picture of a code in its mail. */
export const codeId = (index: number): string => `code-${index + 1}`;

/** Subject about an event. */
export const aboutEvent = (t: OrderFacts['t'], heading: string, event: string): string =>
  line(t('mail.about_event', { heading, event }));

/** One line: texts of records must not begin a header. */
export const line = (text: string): string => plainText(text).replace(/\p{Cc}+/gu, ' ');

export const shortened = (text: string): string => {
  const letters = [...line(text)];
  return letters.length > MAX_NAME ? `${letters.slice(0, MAX_NAME - 1).join('')}…` : letters.join('');
};
