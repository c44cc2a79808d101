import { callByName } from '../demo/create.ts';
import { localToUtc, toUtc } from '../lib/dates/dates.ts';
import { parsePrice, siteMoney } from '../lib/money/money.ts';
import { scalarText } from '../lib/text/scalar-text.ts';
import { type ImportedAttendee, importAttendee, replaceSecurityCode } from '../ticketing/imports/import-attendee.ts';
import { ORDER_STATUSES } from '../ticketing/orders/statuses.ts';
import { isCountedStatus } from '../ticketing/seats/seats.ts';
import { getTickets, type Ticket } from '../ticketing/tickets/store.ts';
import { type At, linkOf } from './draft-params.ts';
import { type Draft, idOf } from './drafts.ts';
import { type Link, saveLink } from './links.ts';
import { fieldsOf, type Plan } from './plan.ts';
import { Unimportable } from './write-owned.ts';

/** Writes attendees with their places and money at the source. */

/** @throws {Unimportable} if its ticket was not imported */
export async function writeAttendee(draft: Draft, plan: Plan, at: At): Promise<number> {
  if ('link' in plan) return changeAttendee(plan, draft, at);
  const { db, ctx } = at;
  const { fields } = draft;
  const ticket = await ticketOf(fields, at);
  const foreignOrder = idOf(fields.order);
  const link = foreignOrder === 0 ? undefined : await linkOf('order', foreignOrder, at);
  const order = orderOf(fields, link, at);
  const isPaid = ticket.provider === 'tc';
  const imported: ImportedAttendee = {
    ...{ ticket, status: fields.status === 'trash' ? 'trash' : 'publish', optout: fields.optout === true },
    ...{ full_name: textOf(fields.full_name), email: textOf(fields.email), information: fields.information },
    date_utc: textOf(fields.date_utc) || toUtc(ctx.now),
    ...(fields.checked_in === true && { checkIn: checkInOf(fields, at) }),
    ...(typeof fields.security_code === 'string' && { securityCode: fields.security_code }),
    answer: fields.going === false ? 'no' : 'yes',
    ...(isPaid && { order }),
  };
  if (isPaid && imported.status === 'publish' && !isCountedStatus(order.status))
    at.findings.push({ code: 'archived', detail: order.status });
  const made = await importAttendee(db, imported, ctx);
  at.former = { isSettled: imported.order?.isSettled === true };
  if (made.orderId === null || made.orderId === order.id) return made.id;
  if (order.id === undefined && foreignOrder !== 0) await linkOrder(made.orderId, foreignOrder, at);
  const { changes } = at.writing;
  changes.push({ kind: 'order', record_id: made.orderId, foreign_id: foreignOrder, action: 'created', revision: 1 });
  return made.id;
}

/** @throws {Unimportable} if the ticket was not imported */
async function ticketOf({ ticket_id }: Draft['fields'], at: At): Promise<Ticket> {
  const id = (await linkOf('ticket', idOf(ticket_id), at))?.record_id ?? undefined;
  const ticket = id === undefined ? undefined : (await getTickets(at.db, [id])).get(id);
  if (!ticket) throw new Unimportable({ code: 'no-ticket', detail: scalarText(ticket_id) ?? '' });
  return ticket;
}

/** The order of an attendee: one that the link names, or a new one. */
function orderOf(fields: Draft['fields'], link: Link | undefined, at: At): NonNullable<ImportedAttendee['order']> {
  const { config } = at.ctx.context;
  const price = parsePrice(fields.price || '0', siteMoney(config).decimals);
  if (price === undefined) at.findings.push({ code: 'price', detail: scalarText(fields.price) ?? '' });
  const id = link?.record_id ?? undefined;
  return {
    id,
    keptId: (at.writing.keepsIds !== false && idOf(fields.order)) || undefined,
    // The link of an order that was imported in its own step has a hash.
    isSettled: id !== undefined && link?.hash !== '',
    status: ORDER_STATUSES.find((one) => one === fields.order_status) ?? 'completed',
    ...{ price: price ?? 0, currency: config.currency },
  };
}

/** Links an order that was created with its first attendee. */
async function linkOrder(record_id: number, foreign_id: number, { db, writing }: At): Promise<void> {
  const { source, importId: import_id, links } = writing;
  const seen_utc = toUtc(writing.ctx.now);
  await saveLink(
    db,
    { source, kind: 'order', foreign_id, record_id, hash: '', fields: '{}', revision: 1, import_id, seen_utc },
    links,
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Check-in of an attendee. The source has the local time of its site, which is read in the time zone of this site. */
const checkInOf = ({ checkin, source }: Draft['fields'], { ctx }: At): ImportedAttendee['checkIn'] => ({
  date_utc: textOf(checkin) === '' ? toUtc(ctx.now) : localToUtc(textOf(checkin), ctx.context.config.timezone).utc,
  source: source === 'app' ? 'app' : 'site',
});

/** Fields of an attendee that may change at the source after its import. Changes of money are not followed. */
const CHANGEABLE: Readonly<Record<string, string>> = {
  full_name: 'full_name',
  email: 'email',
  optout: 'optout',
  checked_in: 'check_in',
};

async function changeAttendee(plan: Extract<Plan, { link: Link }>, { fields }: Draft, at: At): Promise<number> {
  const id = Number(plan.link.record_id);
  const names = fieldsOf(plan);
  const taken = names.filter((name) => CHANGEABLE[name] !== undefined);
  const { security_code: code } = fields;
  // A file has the code, which a running site does not reveal.
  const hasCode = names.includes('security_code') && typeof code === 'string';
  if (hasCode) await replaceSecurityCode(at.db, id, code);
  const others = names.filter(
    (name) => CHANGEABLE[name] === undefined && !['checkin', 'source', 'security_code'].includes(name),
  );
  if (others.length > 0) at.findings.push({ code: 'not-followed', detail: others.join(', ') });
  const change = Object.fromEntries(taken.map((name) => [CHANGEABLE[name], fields[name]]));
  if (taken.length > 0) await callByName(['attendees', 'update'], { id, ...change }, at.ctx);
  return id;
}
