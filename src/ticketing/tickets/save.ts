import { lockSeries } from '../../calendar/events/series/series-store.ts';
import { type Event, findEvent } from '../../calendar/events/store.ts';
import { modifiedTimes } from '../../calendar/posts/post.ts';
import type { Database } from '../../db/database.ts';
import { newRecordId } from '../../db/record-ids.ts';
import type { Provider } from '../../db/tables/ticketing.ts';
import { mayManageTickets } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../http/core/errors.ts';
import { checkRevision } from '../../http/core/revisions.ts';
import { toUtc, utcToLocal } from '../../lib/dates/dates.ts';
import { slugify } from '../../lib/text/slug.ts';
import { plainText } from '../../lib/text/text.ts';
import { logChange, logCreation } from '../../platform/audit/log.ts';
import { applyTexts, changedTranslations, type Texts } from '../../platform/translations/rules.ts';
import { findTranslations } from '../../platform/translations/store.ts';
import { consumeNonce, type NonceUse } from '../nonces/store.ts';
import { findPassEvents, findPassSeries, findPassTickets } from '../passes/pass-tickets.ts';
import { type OptionInput, optionColumns } from '../prices/ticket-options.ts';
import { planCapacity } from '../seats/capacity.ts';
import { recountShared } from '../seats/seat-counters.ts';
import { auditedTicket } from './audited.ts';
import type { TicketScope } from './fields.ts';
import type { TicketFollower } from './follow-series.ts';
import { priceColumns } from './price.ts';
import { saleWindow, type WindowInput } from './sale-window.ts';
import type { Ticket } from './store.ts';
import {
  DEFAULT_PER_ORDER,
  defaultSku,
  findSharedSeats,
  findTicket,
  findTicketsOfEvents,
  insertTicket,
  lowerCapped,
  maxPerOrder,
  saveTicketTexts,
  setSharedCapacity,
  ticketKeys,
  updateTicket,
} from './store.ts';
import { stateOfTicket } from './ticket-change.ts';
import { isTruthy, type TicketObject } from './ticket-input.ts';
import { withdrawTickets } from './withdraw-ticket.ts';

/** Plain fields of a write. Absent: unchanged. null: cleared. */
export interface TicketInput extends WindowInput, OptionInput {
  name?: string | null;
  description?: string | null;
  show_description?: string | null;
  sku?: string | null;
  menu_order?: number | null;
  max_per_order?: number | null;
  /** `series`: a pass for all coming occurrences. */
  scope?: TicketScope;
  ticket?: TicketObject;
}

export interface TicketWrite {
  input: TicketInput;
  provider: Provider;
  /** Minor units; absent when none was sent. */
  price?: number;
  event: Event;
  nonce: NonceUse;
  ctx: RequestContext;
  /** Applies the write to other events of a series. */
  follower?: TicketFollower;
  /** Whether this part of the write of a pass is for an event that the request does not name. */
  isElsewhere?: boolean;
}

/** Finds the series of a series pass. */
type FindSeries = (db: Database) => Promise<number[]>;

/**
 * Runs a write of the tickets of an event: one at a time, and consuming the token only if it succeeds. A write of a
 * series pass concerns the tickets of several events, and first locks its series, so that no event is made meanwhile.
 */
const withNonce = <T>(
  { event, nonce, ctx, follower }: Pick<TicketWrite, 'event' | 'nonce' | 'ctx' | 'follower'>,
  seriesOfPass: FindSeries | undefined,
  work: (db: Database, event: Event) => Promise<T>,
) =>
  ctx.context.db.transaction(async (db) => {
    await follower?.prepare(db);
    if (seriesOfPass) await lockAllSeries(db, seriesOfPass);
    else await lockTickets(db, [event]);
    const current = await findEvent(db, event.id);
    if (!current || !(await consumeNonce(db, nonce))) throw new ApiError('forbidden');
    return work(db, current);
  });

/** Locks series by id, with the series that were split off from them by then, whose ids are higher. */
async function lockAllSeries(db: Database, find: FindSeries): Promise<void> {
  const locked = new Set<number>();
  const findOthers = async () => (await find(db)).filter((id) => !locked.has(id)).toSorted((a, b) => a - b);
  for (let others = await findOthers(); others.length > 0; others = await findOthers()) {
    for (const id of others) {
      await lockSeries(db, id);
      locked.add(id);
    }
  }
}

const seriesOf =
  ({ id }: Event): FindSeries =>
  async (db) => {
    const event = await findEvent(db, id);
    return event && event.series_id !== null ? [event.series_id] : [];
  };

const seriesOfPass = ({ pass_id }: Pick<Ticket, 'pass_id'>): FindSeries | undefined =>
  pass_id === null ? undefined : (db) => findPassSeries(db, pass_id);

/** @param events by id, so that writers cannot deadlock */
async function lockTickets(db: Database, events: readonly Pick<Event, 'id'>[]): Promise<void> {
  for (const { id } of events) await db.dialect.lock(db, `tickets-${id}`);
}

/**
 * Creates a ticket; a series pass has one in each coming occurrence.
 * @returns its id
 * @throws {ApiError} pass-too-many-dates
 */
export async function createTicket(write: TicketWrite): Promise<number> {
  const isPass = write.input.scope === 'series';
  return withNonce(write, isPass ? seriesOf(write.event) : undefined, async (db, named) => {
    const id = await newRecordId(db, 'ticket', write.ctx.keptId);
    const pass_id = isPass ? id : null;
    const events = isPass ? await findPassEvents(db, named, write.ctx.now) : [write.event];
    requireManaged(events, write.ctx);
    if (isPass) await lockTickets(db, events);
    for (const event of events) {
      const isNamed = event.id === write.event.id;
      if (!isNamed) await shareLike(db, { from: write.event, to: event });
      await insertFor(
        db,
        { ...write, event, isElsewhere: !isNamed },
        { id: isNamed ? id : await newRecordId(db, 'ticket'), pass_id },
      );
    }
    // One entry for the tickets of all occurrences, so that it can be undone as a whole.
    await logCreation(db, write.ctx.actor, { kind: auditedTicket, id });
    await write.follower?.follow(db, { after: await stateOfTicket(db, id) });
    return id;
  });
}

/** Gives an event without shared seats the shared seats of another one, as copies of its tickets would. */
async function shareLike(db: Database, { from, to }: { from: Event; to: Event }): Promise<void> {
  const shared = await findSharedSeats(db, from.id);
  if (shared && !(await findSharedSeats(db, to.id))) await setSharedCapacity(db, to.id, shared.capacity);
}

/** @throws {ApiError} forbidden unless the viewer manages the tickets of all events */
function requireManaged(events: readonly Event[], { viewer }: RequestContext): void {
  if (!events.every((event) => mayManageTickets(viewer, event))) throw new ApiError('forbidden');
}

async function insertFor(db: Database, write: TicketWrite, keys: Pick<Ticket, 'id' | 'pass_id'>): Promise<void> {
  const { ctx, event, provider } = write;
  await withCapacity(db, write, async (capacity) => {
    const author_id = ctx.viewer.account?.id ?? 0;
    const utc = toUtc(ctx.now);
    const texts = applyTexts('ticket', write.input, write);
    await insertTicket(db, {
      ...keys,
      author_id,
      date: utcToLocal(utc, ctx.context.config.timezone),
      date_utc: utc,
      ...valuesOf({ ...write, texts: texts.own }, { id: keys.id, author_id }),
      ...capacity,
      event_id: event.id,
      provider,
      status: 'publish',
      iac: 'none',
      sold: 0,
      held: 0,
      is_deleted: 0,
    });
    if (texts.translations.length > 0) await saveTicketTexts(db, keys.id, texts);
  });
}

/**
 * Changes the fields that were sent; of a series pass, in all occurrences that have not ended.
 * @throws {OutdatedRevision}
 */
export const changeTicket = ({ id, pass_id }: Pick<Ticket, 'id' | 'pass_id'>, write: TicketWrite): Promise<void> =>
  withNonce(write, seriesOfPass({ pass_id }), async (db) => {
    const current = await findTicket(db, id);
    if (!current) throw new ApiError('ticket-not-found');
    checkRevision(write.ctx, current);
    const before = await stateBefore(db, id, write);
    const others = await lockPassTickets(db, current, write.ctx);
    await logChange(db, write.ctx.actor, { kind: auditedTicket, id }, () => updateFor(db, current, write));
    for (const { ticket, event } of others) await updateFor(db, ticket, { ...write, event, isElsewhere: true });
    if (before) await write.follower?.follow(db, { before, after: await stateOfTicket(db, id) });
  });

/** The state of a ticket, if its change is to be applied to other events. */
const stateBefore = async (db: Database, id: number, { follower }: Pick<TicketWrite, 'follower'>) =>
  follower && stateOfTicket(db, id);

async function updateFor(db: Database, current: Ticket, write: TicketWrite): Promise<void> {
  const { id } = current;
  const translations = await findTranslations(db, { kind: 'ticket', id });
  const texts = applyTexts('ticket', write.input, { ...write, before: { record: current, translations } });
  const values = valuesOf({ ...write, texts: texts.own }, current, current);
  await withCapacity(db, { ...write, current }, (capacity) => updateTicket(db, current, { ...values, ...capacity }));
  if (changedTranslations(texts, translations).translations) await saveTicketTexts(db, id, texts);
}

/** The other tickets of a pass that a change concerns, with their events, under the locks of all of them. */
async function lockPassTickets(db: Database, { id, event_id, pass_id }: Ticket, ctx: RequestContext) {
  if (pass_id === null) return [];
  const found = await findPassTickets(db, pass_id, ctx.now);
  requireManaged(
    found.map(({ event }) => event),
    ctx,
  );
  await lockTickets(
    db,
    [{ id: event_id }, ...found.map(({ event }) => event)].toSorted((a, b) => a.id - b.id),
  );
  return found.filter(({ ticket }) => ticket.id !== id);
}

/**
 * Withdraws a ticket from sale and from all responses; a series pass in all occurrences that have not ended. Its attendees
 * keep their seats; carts lose it.
 * @throws {OutdatedRevision}
 */
export const removeTicket = (
  { id, pass_id }: Pick<Ticket, 'id' | 'pass_id'>,
  write: Pick<TicketWrite, 'event' | 'nonce' | 'ctx' | 'follower'>,
): Promise<void> =>
  withNonce(write, seriesOfPass({ pass_id }), async (db) => {
    const { ctx } = write;
    const current = await findTicket(db, id);
    if (!current) throw new ApiError('ticket-not-found');
    checkRevision(ctx, current);
    const before = await stateBefore(db, id, write);
    const others = await lockPassTickets(db, current, ctx);
    await withdrawTickets(db, [current, ...others.map(({ ticket }) => ticket)], ctx);
    if (before) await write.follower?.follow(db, { before });
  });

/** Withdraws the tickets of a permanently deleted event, in the same transaction. */
export async function withdrawTicketsOf(db: Database, eventId: number, ctx: RequestContext): Promise<void> {
  await db.dialect.lock(db, `tickets-${eventId}`);
  for (const ticket of await findTicketsOfEvents(db, [eventId])) await withdrawTickets(db, [ticket], ctx);
}

type CapacityColumns = Pick<Ticket, 'mode' | 'capacity'>;

/**
 * Saves a ticket with its mode and capacity, then updates the shared seats of its event. Their row is written before it
 * is recounted, so that every sale in progress is either already counted or waits. A pass keeps the capacity that the
 * shared seats of other events have.
 */
async function withCapacity<T>(
  db: Database,
  { input, provider, event, current, isElsewhere }: TicketWrite & { current?: Ticket },
  save: (capacity: CapacityColumns) => Promise<T>,
): Promise<T> {
  const sharedSeats = await findSharedSeats(db, event.id);
  const { eventCapacity, ...limits } = input.ticket?.capacity ?? {};
  const sent = isElsewhere && sharedSeats ? limits : { ...limits, eventCapacity };
  const { shared, ...own } = planCapacity(sent, { provider, current, sharedSeats });
  const saved = await save(own);
  const capacity = shared === undefined ? sharedSeats?.capacity : shared;
  if (capacity === undefined) return saved;
  if (typeof shared === 'number') await lowerCapped(db, event.id, shared);
  await setSharedCapacity(db, event.id, capacity);
  await recountShared(db, event.id);
  return saved;
}

function valuesOf(
  write: TicketWrite & { texts: Texts },
  { id, author_id }: Pick<Ticket, 'id' | 'author_id'>,
  current?: Ticket,
) {
  const { input, provider, event, ctx } = write;
  const { title = '', description = '' } = write.texts;
  const prices = priceColumns({ provider, price: write.price, discount: input.ticket?.discount }, ctx, current);
  const isShown = input.show_description === undefined ? current?.show_description !== 0 : isShowing(input);
  return {
    title,
    description,
    ...ticketKeys({ title, description }),
    slug: slugify(title) || `ticket-${id}`,
    show_description: isShown ? (1 as const) : (0 as const),
    menu_order: input.menu_order === undefined ? (current?.menu_order ?? -1) : (input.menu_order ?? -1),
    not_going: (input.ticket?.notGoing ?? current?.not_going === 1) ? (1 as const) : (0 as const),
    sku: provider === 'rsvp' ? '' : skuOf(input.sku === undefined ? current?.sku : input.sku, { id, author_id, title }),
    ...saleWindow(input, current, { event, siteZone: ctx.context.config.timezone, now: ctx.now }),
    ...prices,
    ...perOrder(input, ctx, { price: prices.price, current }),
    ...modifiedTimes(ctx),
  };
}

/**
 * Options, with limits per order that some quantity meets. A write that names neither limit keeps them.
 * @throws {InvalidParams}
 */
function perOrder(
  input: TicketInput,
  ctx: RequestContext,
  { price, current }: { price: number; current: Ticket | undefined },
) {
  const { max_per_order: sent = current?.max_per_order, min_per_order } = input;
  const max_per_order = sent ?? DEFAULT_PER_ORDER;
  const options = optionColumns(input, ctx, { price, current });
  const isChanged = input.max_per_order !== undefined || min_per_order !== undefined;
  if (isChanged && options.min_per_order > maxPerOrder({ max_per_order }))
    throw invalidParam(min_per_order === undefined ? 'max_per_order' : 'min_per_order', 'param.per_order');
  return { max_per_order, ...options };
}

/** The description is shown by default. */
const isShowing = ({ show_description }: TicketInput): boolean =>
  show_description === null || isTruthy(show_description);

const skuOf = (sku: string | null | undefined, ticket: Pick<Ticket, 'id' | 'author_id' | 'title'>): string =>
  plainText(sku ?? '') || defaultSku(ticket);
