import { type Event, findEvent } from '../../calendar/events/store.ts';
import { modifiedNow } from '../../calendar/posts/post.ts';
import type { Database } from '../../db/database.ts';
import type { Provider } from '../../db/tables.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { checkRevision } from '../../http/core/revisions.ts';
import { toUtc, utcToLocal } from '../../lib/dates/dates.ts';
import { slugify } from '../../lib/text/slug.ts';
import { plainText } from '../../lib/text/text.ts';
import { logChange, logCreation } from '../../platform/audit/log.ts';
import { applyTexts, changedTranslations, type Texts } from '../../platform/translations/rules.ts';
import { findTranslations } from '../../platform/translations/store.ts';
import { consumeNonce, type NonceUse } from '../nonces/store.ts';
import { auditedTicket } from './audited.ts';
import { priceColumns } from './price.ts';
import { saleWindow, type WindowInput } from './sale-window.ts';
import { planCapacity } from './seats/capacity.ts';
import { recountShared, returnSeats, type Ticket } from './seats/stock.ts';
import {
  findSharedSeats,
  findTicket,
  findTicketsOfEvents,
  insertTicket,
  lowerCapped,
  PRESET_PER_ORDER,
  saveTicketTexts,
  setSharedCapacity,
  ticketKeys,
  updateTicket,
} from './store.ts';
import { isTruthy, type TicketObject } from './ticket-input.ts';

/** Plain fields of a write. Absent: unchanged. null: cleared. */
export interface TicketInput extends WindowInput {
  name?: string | null;
  description?: string | null;
  show_description?: string | null;
  sku?: string | null;
  menu_order?: number | null;
  max_per_order?: number | null;
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
}

/** Runs a write of the tickets of an event: one at a time, and consuming the token only if it succeeds. */
const withNonce = <T>(
  { event, nonce, ctx }: Pick<TicketWrite, 'event' | 'nonce' | 'ctx'>,
  work: (db: Database) => Promise<T>,
) =>
  ctx.context.db.transaction(async (db) => {
    await db.dialect.lock(db, `tickets-${event.id}`);
    const isThere = (await findEvent(db, event.id)) !== undefined;
    if (!isThere || !(await consumeNonce(db, nonce))) throw new ApiError('forbidden');
    return work(db);
  });

/**
 * Creates a ticket.
 * @returns its id
 */
export const createTicket = (write: TicketWrite): Promise<number> =>
  withNonce(write, async (db) => {
    const id = await withCapacity(db, write, async (capacity) => {
      const author_id = write.ctx.viewer.account?.id ?? 0;
      const utc = toUtc(write.ctx.now);
      const fixed = { author_id, date: utcToLocal(utc, write.ctx.context.config.timezone), date_utc: utc };
      const texts = applyTexts('ticket', write.input, write);
      const made = await insertTicket(db, (id) => ({
        ...fixed,
        ...valuesOf({ ...write, texts: texts.own }, { id, author_id }),
        ...capacity,
        event_id: write.event.id,
        provider: write.provider,
        status: 'publish',
        iac: 'none',
        sold: 0,
        held: 0,
        is_deleted: 0,
      }));
      if (texts.translations.length > 0) await saveTicketTexts(db, made, texts);
      return made;
    });
    await logCreation(db, write.ctx.actor, { kind: auditedTicket, id });
    return id;
  });

/**
 * Changes the fields that were sent.
 * @throws {OutdatedRevision}
 */
export const changeTicket = (id: number, write: TicketWrite): Promise<void> =>
  withNonce(write, async (db) => {
    const current = await findTicket(db, id);
    if (!current) throw new ApiError('ticket-not-found');
    checkRevision(write.ctx, current);
    const translations = await findTranslations(db, { kind: 'ticket', id });
    const texts = applyTexts('ticket', write.input, { ...write, before: { record: current, translations } });
    const values = valuesOf({ ...write, texts: texts.own }, current, current);
    await logChange(db, write.ctx.actor, { kind: auditedTicket, id }, async () => {
      await withCapacity(db, { ...write, current }, (capacity) =>
        updateTicket(db, current, { ...values, ...capacity }),
      );
      if (changedTranslations(texts, translations).translations) await saveTicketTexts(db, id, texts);
    });
  });

/**
 * Withdraws a ticket from sale and from all responses. Its attendees keep their seats; carts lose it. It is marked as
 * deleted before it is removed from carts, so that no cart can take it in between.
 * @throws {OutdatedRevision}
 */
export const removeTicket = (id: number, write: Pick<TicketWrite, 'event' | 'nonce' | 'ctx'>): Promise<void> =>
  withNonce(write, async (db) => {
    const current = await findTicket(db, id);
    if (!current) throw new ApiError('ticket-not-found');
    checkRevision(write.ctx, current);
    await withdrawTicket(db, current, write.ctx);
  });

async function withdrawTicket(db: Database, ticket: Ticket, ctx: RequestContext): Promise<void> {
  const { id } = ticket;
  await logChange(db, ctx.actor, { kind: auditedTicket, id }, () =>
    updateTicket(db, ticket, { is_deleted: 1, ...modifiedNow(ctx) }),
  );
  const items = await db.query.deleteFrom('cart_items').where('ticket_id', '=', id).returning('quantity').execute();
  const quantity = items.reduce((sum, item) => sum + item.quantity, 0);
  await returnSeats(db, [{ ticket_id: id, quantity }], 'held');
}

/** Withdraws the tickets of a permanently deleted event, in the same transaction. */
export async function withdrawTicketsOf(db: Database, eventId: number, ctx: RequestContext): Promise<void> {
  await db.dialect.lock(db, `tickets-${eventId}`);
  for (const ticket of await findTicketsOfEvents(db, [eventId])) await withdrawTicket(db, ticket, ctx);
}

type CapacityColumns = Pick<Ticket, 'mode' | 'capacity'>;

/**
 * Saves a ticket with its mode and capacity, then updates the shared seats of its event. Their row is written before it
 * is recounted, so that every sale in progress is either already counted or waits.
 */
async function withCapacity<T>(
  db: Database,
  { input, provider, event, current }: TicketWrite & { current?: Ticket },
  save: (capacity: CapacityColumns) => Promise<T>,
): Promise<T> {
  const sharedSeats = await findSharedSeats(db, event.id);
  const { shared, ...own } = planCapacity(input.ticket?.capacity ?? {}, { provider, current, sharedSeats });
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
  const isShown = input.show_description === undefined ? current?.show_description !== 0 : isShowing(input);
  return {
    title,
    description,
    ...ticketKeys({ title, description }),
    slug: slugify(title) || `ticket-${id}`,
    show_description: isShown ? (1 as const) : (0 as const),
    menu_order: input.menu_order === undefined ? (current?.menu_order ?? -1) : (input.menu_order ?? -1),
    max_per_order: maxPerOrder(input, current),
    not_going: (input.ticket?.notGoing ?? current?.not_going === 1) ? (1 as const) : (0 as const),
    sku: provider === 'rsvp' ? '' : skuOf(input.sku === undefined ? current?.sku : input.sku, { id, author_id, title }),
    ...saleWindow(input, current, { event, siteZone: ctx.context.config.timezone, now: ctx.now }),
    ...priceColumns({ provider, price: write.price, discount: input.ticket?.discount }, ctx, current),
    ...modifiedNow(ctx),
  };
}

const maxPerOrder = ({ max_per_order: sent }: TicketInput, current?: Ticket): number =>
  sent === undefined ? (current?.max_per_order ?? PRESET_PER_ORDER) : (sent ?? PRESET_PER_ORDER);

/** The description is shown by default. */
const isShowing = ({ show_description }: TicketInput): boolean =>
  show_description === null || isTruthy(show_description);

const skuOf = (sku: string | null | undefined, ticket: Pick<Ticket, 'id' | 'author_id' | 'title'>): string =>
  plainText(sku ?? '') || defaultSku(ticket);

/** Default SKU of a ticket. */
export const defaultSku = ({ id, author_id, title }: Pick<Ticket, 'id' | 'author_id' | 'title'>): string =>
  `${id}-${author_id}-${title.toUpperCase().replaceAll(' ', '-')}`;
