import type { Input } from '../../../../../packages/client/src/marquee-client.ts';
import { isProblem } from '../../../../client/problem.ts';
import type { NewEvent } from './new-event-input.ts';

type EventInput = Input<'POST /events/v1/events'>;
type RecurrenceInput = Input<'POST /events/v1/series'>['recurrence'];
type EventChanges = Omit<Input<'PATCH /events/v1/events/{id}'>, 'id'>;
export type TicketInput = Omit<Input<'POST /tickets/v1/tickets'>, 'post_id' | 'add_ticket_nonce'>;

/** A creation request that was sent; the record may exist though the response was lost. */
interface Sent<I> {
  /** Idempotency key: a repeated request creates nothing twice. */
  key: string;
  input: I;
  /** Set once a response has arrived. */
  id?: number;
}

/** Requests sent for a new event. They are stored until all succeeded, and survive a reload. */
export interface SentSoFar {
  event?: Sent<EventInput>;
  ticket?: Sent<TicketInput>;
  /** `isUnwanted` once its removal has been sent, which may have succeeded though the response was lost. */
  series?: Sent<RecurrenceInput> & { isUnwanted?: true };
}

/** Requests that create an event. */
export interface EventWrites {
  createEvent(input: EventInput, key: string): Promise<number>;
  changeEvent(id: number, changes: EventChanges): Promise<unknown>;
  createTicket(event: number, input: TicketInput, key: string): Promise<number>;
  removeTicket(event: number, id: number): Promise<unknown>;
  createSeries(event: number, recurrence: RecurrenceInput, key: string): Promise<number>;
  /** Moves all events of a series to the trash. */
  removeSeries(id: number): Promise<unknown>;
  newKey(): string;
  /** Stores a request before it is sent. */
  keep(sent: SentSoFar): void;
}

interface Wanted {
  event: EventInput;
  ticket: TicketInput | undefined;
  /** undefined if the event does not repeat. */
  recurrence?: RecurrenceInput | undefined;
  status: 'publish' | 'pending' | 'draft';
}

/** Codes of refusals after which nothing was created; after other responses or none, something may have been. */
const REFUSED: ReadonlySet<number> = new Set([400, 403, 404, 410, 413, 422]);
const isRefused = (error: unknown): boolean => isProblem(error) && REFUSED.has(error.status);
const isGone = (error: unknown): boolean => isProblem(error) && (error.status === 404 || error.status === 410);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Creates a draft and its ticket, publishes it, then makes the other events of its series. A retry continues where it
 * failed, with the current input: there is never a second event, and never a published one without its ticket. A series
 * that was made from another input is removed first.
 * @returns id of the event
 */
export async function makeEvent(wanted: Wanted, before: SentSoFar, writes: EventWrites): Promise<number> {
  const sent: SentSoFar = structuredClone(before);
  try {
    if (await removeOtherSeries(wanted, sent, writes)) return await makeEvent(wanted, {}, writes);
    const id = await makeDraft(wanted.event, sent, writes);
    await makeTicket(wanted.ticket, { id, sent, writes });
    if (wanted.status !== 'draft') await writes.changeEvent(id, { status: wanted.status });
    if (wanted.recurrence) await makeSeries(wanted.recurrence, { id, sent, writes });
    return id;
  } catch (error) {
    // The draft was deleted in the meantime.
    if (before.event?.id !== undefined && isGone(error)) return makeEvent(wanted, {}, writes);
    throw error;
  }
}

async function makeDraft(wanted: EventInput, sent: SentSoFar, writes: EventWrites): Promise<number> {
  const make = (event: Sent<EventInput>) =>
    settle(event, {
      create: () => writes.createEvent({ ...event.input, status: 'draft' }, event.key),
      keep: () => writes.keep(sent),
      forget: () => delete sent.event,
    });
  const { event: former } = sent;
  const isOther = former !== undefined && !isSame(former.input, wanted);
  const id = isOther ? await unlessRefused(make(former)) : undefined;
  if (!isOther || id === undefined) {
    sent.event ??= { key: writes.newKey(), input: wanted };
    return make(sent.event);
  }
  await writes.changeEvent(id, { venue: null, ...wanted });
  former.input = wanted;
  writes.keep(sent);
  return id;
}

/** Id of the record of an earlier request whose input has changed since; undefined if it was refused. */
const unlessRefused = (made: Promise<number>): Promise<number | undefined> =>
  made.catch((error: unknown) => {
    if (isRefused(error)) return undefined;
    throw error;
  });

interface TicketPlace {
  /** Id of the event. */
  id: number;
  sent: SentSoFar;
  writes: EventWrites;
}

async function makeTicket(wanted: TicketInput | undefined, { id, sent, writes }: TicketPlace): Promise<void> {
  const make = (ticket: Sent<TicketInput>) =>
    settle(ticket, {
      create: () => writes.createTicket(id, ticket.input, ticket.key),
      keep: () => writes.keep(sent),
      forget: () => delete sent.ticket,
    });
  if (sent.ticket && !isSame(sent.ticket.input, wanted)) {
    const former = await unlessRefused(make(sent.ticket));
    if (former !== undefined) await writes.removeTicket(id, former);
    delete sent.ticket;
    writes.keep(sent);
  }
  if (!wanted) return;
  sent.ticket ??= { key: writes.newKey(), input: wanted };
  await make(sent.ticket);
}

async function makeSeries(wanted: RecurrenceInput, { id, sent, writes }: TicketPlace): Promise<number> {
  sent.series ??= { key: writes.newKey(), input: wanted };
  const { series } = sent;
  return settle(series, {
    create: () => writes.createSeries(id, series.input, series.key),
    keep: () => writes.keep(sent),
    forget: () => delete sent.series,
  });
}

/** Removes a series that may have been made from another input. Resolves to whether there was one. */
async function removeOtherSeries(wanted: Wanted, sent: SentSoFar, writes: EventWrites): Promise<boolean> {
  const { event, ticket, series } = sent;
  if (!series || event?.id === undefined) return false;
  const isOther =
    series.isUnwanted ||
    !isSame(series.input, wanted.recurrence) ||
    !isSame(event.input, wanted.event) ||
    !isSame(ticket?.input, wanted.ticket);
  if (!isOther) return false;
  const made = await unlessRefused(makeSeries(series.input, { id: event.id, sent, writes }));
  if (made === undefined) return false;
  series.isUnwanted = true;
  writes.keep(sent);
  try {
    await writes.removeSeries(made);
  } catch (error) {
    const isKept = isProblem(error, 'series-has-holders') || (isRefused(error) && !isGone(error));
    if (isKept) delete series.isUnwanted;
    writes.keep(sent);
    throw error;
  }
  writes.keep({});
  return true;
}

interface Creation {
  create(): Promise<number>;
  keep(): void;
  /** After a refusal nothing was created. */
  forget(): void;
}

/** Id of a requested record; the request is repeated if no response has arrived. */
async function settle<I>(sent: Sent<I>, { create, keep, forget }: Creation): Promise<number> {
  if (sent.id !== undefined) return sent.id;
  keep();
  try {
    sent.id = await create();
  } catch (error) {
    if (isRefused(error)) forget();
    throw error;
  } finally {
    keep();
  }
  return sent.id;
}

/** Unfinished new event. */
interface KeptEvent {
  values: NewEvent;
  sent: SentSoFar;
}

/** The input and requests of an account's new event are stored in this browser until all succeeded. */
const keyOf = (account: number): string => `marquee-console-new-event-${account}`;

export function storeNewEvent(account: number, kept: KeptEvent): void {
  const { values, sent } = kept;
  if (values.title === '' && !values.venue?.length && !sent.event) return;
  try {
    localStorage.setItem(keyOf(account), JSON.stringify(kept));
  } catch {
    // Without storage the form still works.
  }
}

export function clearNewEvent(account: number): void {
  localStorage.removeItem(keyOf(account));
}

export function storedNewEvent(account: number): KeptEvent | undefined {
  const kept = localStorage.getItem(keyOf(account));
  if (kept === null) return undefined;
  // Only this module writes there; earlier versions stored the values alone, and the venue as a text.
  const { values, sent = {} } = JSON.parse(kept) as Partial<KeptEvent>;
  if (!values) return undefined;
  const { venue, ...others } = values;
  return { values: { ...others, ...(Array.isArray(venue) && { venue }) }, sent };
}
