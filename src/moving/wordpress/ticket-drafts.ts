import { type Draft, type Finding, idOf, readAttendee, readTicket } from '../drafts.ts';
import { importedTitle } from '../texts.ts';
import { membersOfPhp, type PhpValue, phpText, readPhpValue } from './php-value.ts';
import { first, metaFindings, postItem, type Site } from './site.ts';
import type { Meta, Post, Staging } from './staging.ts';

/** Tickets, orders and attendees of a staged site. */

/** Start or end of a sale: a day with its time, or both in one text. */
function momentOf(meta: Meta, name: 'start' | 'end'): string {
  const date = first(meta, `_ticket_${name}_date`);
  const time = first(meta, `_ticket_${name}_time`);
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return date;
  return `${date} ${/^\d\d:\d\d:\d\d$/.test(time) ? time : '00:00:00'}`;
}

/** An amount that is a number, a text, or an object of the original that holds one. */
function amountOf(value: string): string {
  const parsed = readPhpValue(value);
  if (parsed === undefined) return value.startsWith('O:') ? '' : value;
  const members = membersOfPhp(parsed);
  return members.size > 0 ? phpText(members.get('initial_value') ?? members.get('decimal')) : phpText(parsed);
}

export function ticketDraft(post: Post, { staging }: Site): Draft {
  const meta = staging.meta('post', post.id);
  const isPaid = post.type === 'tec_tc_ticket';
  const event = idOf(first(meta, isPaid ? '_tec_tickets_commerce_event' : '_tribe_rsvp_for_event'));
  const capacity = first(meta, '_tribe_ticket_capacity');
  const mode = first(meta, '_global_stock_mode') || 'own';
  const shared = first(staging.meta('post', event), '_tribe_ticket_capacity');
  const price = amountOf(first(meta, '_price'));
  const isShared = mode === 'global' || mode === 'capped';
  const item = {
    ...postItem(post),
    ...{ title: post.title, description: post.excerpt, provider: isPaid ? 'tc' : 'rsvp', post_id: event },
    ...{ available_from: momentOf(meta, 'start'), available_until: momentOf(meta, 'end') },
    ...{ sku: first(meta, '_sku'), cost_details: { values: [price] } },
    capacity: mode === 'global' ? shared || capacity : capacity,
    capacity_details: { global_stock_mode: mode },
    sale_price_data: {
      ...{ enabled: first(meta, '_sale_price_checked'), sale_price: amountOf(first(meta, '_sale_price')) },
      ...{ start_date: first(meta, '_sale_price_start_date'), end_date: first(meta, '_sale_price_end_date') },
    },
  };
  const draft = readTicket(item);
  const notGoing = /^(?:1|yes|true)$/.test(first(meta, '_tribe_ticket_show_not_going'));
  const ticket = {
    // Written by `readTicket`.
    ...(draft.fields.ticket as Record<string, unknown>),
    ...(mode === 'capped' && isShared && { event_capacity: Number(shared) > 0 ? Number(shared) : null }),
    ...(!isPaid && { not_going: notGoing }),
  };
  const stock = first(meta, '_stock');
  const questions = membersOfPhp(readPhpValue(first(meta, '_tribe_tickets_meta'))).size;
  const findings: Finding[] = [
    ...metaFindings(meta),
    ...(stock.startsWith('-') ? [{ code: 'stock-negative', detail: stock.slice(0, 20) }] : []),
    ...(questions > 0 ? [{ code: 'questions', detail: String(questions) }] : []),
    ...(post.status === 'publish' ? [] : [{ code: 'ticket-status', detail: post.status.slice(0, 40) }]),
  ];
  return { ...draft, fields: { ...draft.fields, ticket }, findings: [...draft.findings, ...findings] };
}

const ORDER = /^tec-tc-(completed|pending|action-req|approved|denied|not-completed|refunded|reversed|voided)$/;

/**
 * Status of an order on this site. An order that was only created is not completed; a deleted or unknown one is void.
 */
function orderStatus({ status }: Post): { status: string; findings: Finding[] } {
  const known = ORDER.exec(status)?.[1];
  if (known !== undefined) return { status: known, findings: [] };
  if (status === 'tec-tc-created') return { status: 'not-completed', findings: [] };
  return { status: 'voided', findings: [{ code: 'order-status', detail: status.slice(0, 40) }] };
}

/** Texts of money as a number with a decimal point. */
const decimal = (text: string): string => text.replace(/^(-?\d+),(\d{1,3})$/, '$1.$2');

export function orderDraft(post: Post, { staging }: Site): Draft {
  const meta = staging.meta('post', post.id);
  const { status, findings } = orderStatus(post);
  const items = readPhpValue(first(meta, '_tec_tc_order_items'));
  const seats = staging.children(post.id, 'tec_tc_attendee').map((seat) => {
    const own = staging.meta('post', seat.id);
    return {
      ...{ id: seat.id, ticket: idOf(first(own, '_tec_tickets_commerce_ticket')), isTrashed: seat.status === 'trash' },
      price: decimal(first(own, '_tec_tickets_commerce_price_paid')) || '0',
    };
  });
  const names = ['first', 'last'].map((part) => first(meta, `_tec_tc_order_purchaser_${part}_name`));
  const id = idOf(post.id);
  return {
    ...{ kind: 'order', id, at: '', ...(id === 0 && { cannot: { code: 'no-id', detail: String(post.id) } }) },
    fields: {
      ...{ status, date_utc: post.date_gmt, currency: first(meta, '_tec_tc_order_currency').slice(0, 3).toUpperCase() },
      total: decimal(first(meta, '_tec_tc_order_total_value')),
      purchaser_name: importedTitle(first(meta, '_tec_tc_order_purchaser_full_name') || names.join(' ').trim()),
      purchaser_email: first(meta, '_tec_tc_order_purchaser_email').trim().slice(0, 254),
      gateway: [first(meta, '_tec_tc_order_gateway'), first(meta, '_tec_tc_order_gateway_order_id')]
        .filter((part) => part !== '')
        .join(' ')
        .slice(0, 200),
      ...{ charge: chargeTitle(items), seats, items: soldItems(items) },
    },
    findings: [...findings, ...metaFindings(meta)],
  };
}

/** Title of the first fee among the items of an order; empty if there is none. */
function chargeTitle(items: PhpValue | undefined): string {
  for (const value of membersOfPhp(items).values()) {
    const item = membersOfPhp(value);
    if (phpText(item.get('type')) === 'fee')
      return importedTitle(phpText(item.get('display_name')) || 'Fee').slice(0, 100);
  }
  return '';
}

/** Places that an order names, for orders without attendees. */
function soldItems(items: PhpValue | undefined): { ticket: number; quantity: number; price: string }[] {
  return [...membersOfPhp(items).values()].slice(0, 50).flatMap((value) => {
    const item = membersOfPhp(value);
    const ticket = idOf(item.get('ticket_id'));
    const quantity = Number(phpText(item.get('quantity')));
    const isPlaces = ticket !== 0 && Number.isInteger(quantity) && quantity > 0 && quantity <= 200;
    return isPlaces ? [{ ticket, quantity, price: decimal(phpText(item.get('price'))) || '0' }] : [];
  });
}

/** Keys of the values of attendees, which differ between RSVPs and paid places. */
const PAID_KEYS = {
  ...{ ticket: '_tec_tickets_commerce_ticket', event: '_tec_tickets_commerce_event' },
  ...{ name: '_tec_tickets_commerce_full_name', email: '_tec_tickets_commerce_email' },
  ...{ code: '_tec_tickets_commerce_security_code', checkIn: '_tec_tickets_commerce_checked_in' },
  ...{ details: '_tec_tickets_commerce_checked_in_details', optout: '_tec_tickets_commerce_optout' },
};
const REPLY_KEYS: typeof PAID_KEYS = {
  ...{ ticket: '_tribe_rsvp_product', event: '_tribe_rsvp_event' },
  ...{ name: '_tribe_rsvp_full_name', email: '_tribe_rsvp_email' },
  ...{ code: '_tribe_rsvp_security_code', checkIn: '_tribe_rsvp_checkedin' },
  ...{ details: '_tribe_rsvp_checkedin_details', optout: '_tribe_rsvp_attendee_optout' },
};

const ADDRESS = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,189}$/;

export function attendeeDraft(post: Post, { staging }: Site): Draft {
  const meta = staging.meta('post', post.id);
  const isPaid = post.type === 'tec_tc_attendee';
  const keys = isPaid ? PAID_KEYS : REPLY_KEYS;
  const order = isPaid ? staging.post(post.parent) : undefined;
  const hasOrder = order?.type === 'tec_tc_order';
  const details = membersOfPhp(readPhpValue(first(meta, keys.details)));
  const email = first(meta, keys.email).trim();
  const isAddress = ADDRESS.test(email);
  const item = {
    ...{ ...postItem(post), provider: isPaid ? 'tc' : 'rsvp', title: first(meta, keys.name) },
    ...{ ticket_id: idOf(first(meta, keys.ticket)), post_id: idOf(first(meta, keys.event)) },
    ...{ email: isAddress ? email : '', optout: /^(?:1|yes|true)$/.test(first(meta, keys.optout)) },
    ...{ order: hasOrder ? order.id : '', payment: { price: first(meta, '_tec_tickets_commerce_price_paid') || '0' } },
    rsvp_going: first(meta, '_tribe_rsvp_status') !== 'no',
    checked_in: first(meta, keys.checkIn) === '1',
    checkin_details: { date: phpText(details.get('date')), source: phpText(details.get('source')) },
    information: answersOf(meta),
  };
  // Without an order its status cannot be known: the place counts as paid.
  const draft = readAttendee(item, hasOrder ? orderStatus(order).status : 'completed');
  const code = first(meta, keys.code);
  const isTaken = staging.hasEarlierCode(post.id, code);
  const isCode = /^[\w-]{4,64}$/.test(code);
  const deleted = first(meta, '_tribe_deleted_product_name');
  const hasPrice = !isPaid || first(meta, '_tec_tickets_commerce_price_paid') !== '';
  return {
    ...draft,
    fields: { ...draft.fields, ...(isCode && !isTaken && { security_code: code }) },
    findings: [
      ...draft.findings.filter(({ code: found }) => found !== 'no-order'),
      ...(isPaid && !hasOrder ? [{ code: 'no-order', detail: String(post.parent) }] : []),
      ...(isAddress || email === '' ? [] : [{ code: 'email', detail: email.slice(0, 100) }]),
      ...(isTaken || (code !== '' && !isCode) ? [{ code: 'code-taken', detail: '' }] : []),
      ...(hasPrice ? [] : [{ code: 'price', detail: '' }]),
      ...(deleted === '' ? [] : [{ code: 'ticket-deleted', detail: deleted.slice(0, 100) }]),
      ...metaFindings(meta),
    ],
  };
}

/** Answers to the questions of a ticket, by the slug of the question. */
function answersOf(meta: Meta): Record<string, unknown> {
  const members = membersOfPhp(readPhpValue(first(meta, '_tribe_tickets_meta')));
  const entries = [...members].flatMap(([name, value]): [string, unknown][] => {
    const one = phpText(value);
    if (one !== '') return [[name, one]];
    const several = [...membersOfPhp(value).values()].map(phpText).filter((text) => text !== '');
    return several.length > 0 ? [[name, several.join(', ')]] : [];
  });
  return Object.fromEntries(entries.slice(0, 100));
}

export const hasTickets = (staging: Staging): boolean => staging.count(['tec_tc_ticket', 'tribe_rsvp_tickets']) > 0;
