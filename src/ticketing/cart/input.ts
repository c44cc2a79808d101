import type { z } from 'zod';
import type { Flag } from '../../db/columns.ts';
import { email, field, integer, text } from '../../http/input/schemas.ts';
import { readInput } from '../../http/input/validate.ts';
import { MAX_CHOSEN } from '../../lib/money/money.ts';
import { plainAnswers } from '../../lib/registration-answers.ts';
import { isRecord, membersOf } from '../../lib/text/list.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import { MAX_PER_ORDER } from '../tickets/store.ts';

/** Parses the lists of objects that clients send to carts, as JSON or as forms. */

type Json = Readonly<Record<string, unknown>>;

/** Maximum number of entries in a list, more than any real cart has. */
const MAX_ENTRIES = 200;

/** The objects of a list; none for null, undefined for anything but a list of objects. */
function objectsOf(value: unknown, max: number): Json[] | undefined {
  if (value === null) return [];
  const members = typeof value === 'object' ? membersOf(value) : undefined;
  const objects = members?.filter(isRecord);
  return objects && objects.length === members?.length && objects.length <= max ? objects : undefined;
}

/** Answers as plain text; undefined when they are invalid or exceed a limit, so that none is dropped silently. */
function answersOf(value: unknown): Json | unknown[] | undefined {
  const { answers, isComplete } = plainAnswers(value);
  return isComplete ? answers : undefined;
}

/** Reads an id like the reference: `-3` is 3, `"2"` is 2, `"abc"` is 0. */
function absolute(value: unknown): number {
  const number = Math.trunc(Math.abs(Number.parseFloat(scalarText(value) ?? '')));
  return Number.isNaN(number) ? 0 : Math.min(number, Number.MAX_SAFE_INTEGER);
}

const quantityField = integer('New number of places; 0 removes the ticket.');

const priceField = integer(
  'For a ticket with a `min_price`, the chosen price of a place in the smallest unit of the currency. `null` for the suggested price; absent to keep the earlier choice. Ignored under `/wp-json/tribe`.',
  { max: MAX_CHOSEN },
);

const flag = (value: unknown): Flag => (/^(1|true|yes|on)$/i.test(scalarText(value)?.trim() ?? '') ? 1 : 0);

const providerName = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export interface Entry {
  ticket_id: number;
  quantity: number;
  /** Absent: unchanged. */
  optout?: Flag;
  provider?: string;
  /** Chosen price in minor units; null for the suggested one. Absent: unchanged. */
  price?: number | null;
  /** Whether an invalid price was sent. */
  isWrongPrice?: boolean;
}

const ticketSchema = {
  $id: 'CartTicketInput',
  type: 'object',
  properties: {
    ticket_id: { type: 'integer', minimum: 1 },
    quantity: quantityField.meta(),
    price: { ...priceField.meta(), nullable: true },
    optout: { type: 'boolean', description: 'Whether the attendees are hidden from public lists.' },
    provider: { type: 'string' },
  },
  required: ['ticket_id', 'quantity'],
};

const TICKETS = 'Tickets to change, each with its new quantity. Other tickets stay unchanged.';

/** `tickets` of a write. Entries without a ticket are skipped; one without a quantity invalidates the list. */
export const ticketEntries: z.ZodType<Entry[]> = field(
  { type: 'array', nullable: true, default: null, items: ticketSchema, maxItems: MAX_ENTRIES, description: TICKETS },
  'param.cart_items',
  (value) => {
    const entries = objectsOf(value, MAX_ENTRIES)?.map(entryOf);
    const read = entries?.flatMap((entry) => entry ?? []);
    return read?.length === entries?.length ? read?.filter(({ ticket_id }) => ticket_id > 0) : undefined;
  },
);

function entryOf(entry: Json): Entry | undefined {
  const quantity = quantityField.safeParse(entry.quantity);
  const price = priceField.safeParse(entry.price ?? undefined);
  const hasPrice = entry.price !== undefined && entry.price !== null;
  if (!quantity.success) return undefined;
  return {
    ticket_id: absolute(entry.ticket_id),
    quantity: quantity.data,
    ...(entry.optout !== undefined && { optout: flag(entry.optout) }),
    provider: providerName(entry.provider),
    ...(entry.price === null && { price: null }),
    ...(hasPrice && (price.success ? { price: price.data } : { isWrongPrice: true })),
  };
}

export interface MetaEntry {
  ticket_id: number;
  provider?: string;
  items: Json[];
}

const ANSWERS =
  'Plain text: tags are removed from keys and texts. At most 200 keys and items in 5 levels, 200 characters per key and 20,000 in all for each person; without their tags, keys of an object must be unique and not empty.';

const ANSWERS_SCHEMA = { type: 'object', additionalProperties: true };

const metaSchema = {
  $id: 'CartMetaInput',
  type: 'object',
  properties: {
    ticket_id: { type: 'integer', minimum: 1 },
    provider: { type: 'string' },
    items: {
      type: 'array',
      items: ANSWERS_SCHEMA,
      maxItems: MAX_PER_ORDER,
      description: `Answers for each seat. ${ANSWERS}`,
    },
  },
  required: ['ticket_id', 'items'],
};

const META = 'Answers to registration questions, for the seats of tickets in the cart; at most 64 KiB.';

/** `meta` of a write. */
export const metaEntries: z.ZodType<MetaEntry[]> = field(
  { type: 'array', nullable: true, default: null, items: metaSchema, maxItems: MAX_ENTRIES, description: META },
  'param.cart_meta',
  (value) => {
    const entries = objectsOf(value, MAX_ENTRIES)?.map((entry) => {
      const items = objectsOf(entry.items ?? [], MAX_PER_ORDER)?.map((item) => answersOf(item));
      if (!items?.every(isRecord)) return undefined;
      return { ticket_id: absolute(entry.ticket_id), provider: providerName(entry.provider), items };
    });
    const read = entries?.flatMap((entry) => entry ?? []);
    return read?.length === entries?.length ? read?.filter(({ ticket_id }) => ticket_id > 0) : undefined;
  },
);

/** Holder of a seat; absent members default to those of the customer. */
export interface HolderEntry {
  ticket_id: number;
  full_name?: string;
  email?: string;
  optout?: Flag;
  information?: unknown;
}

const MAX_NAME = 300;
const holderFields = { full_name: text('', { max: MAX_NAME }), email: email('') };

const holderSchema = {
  $id: 'GuestInput',
  type: 'object',
  properties: {
    ticket_id: { type: 'integer', minimum: 1 },
    full_name: { type: 'string', maxLength: MAX_NAME },
    email: { type: 'string', format: 'email' },
    optout: { type: 'boolean' },
    information: { ...ANSWERS_SCHEMA, description: `Answers to registration questions. ${ANSWERS}` },
  },
  required: ['ticket_id'],
};

const HOLDERS = 'Holders of the places of each ticket, in order. The remaining places get the name of the customer.';
/** Maximum number of named seats in a checkout. */
const MAX_HOLDERS = 1000;

/** `attendees` of a checkout. */
export const holderEntries: z.ZodType<HolderEntry[]> = field(
  { type: 'array', nullable: true, items: holderSchema, maxItems: MAX_HOLDERS, description: HOLDERS },
  'param.cart_attendees',
  (value) => {
    const entries = objectsOf(value, MAX_HOLDERS)?.map(holderOf);
    const read = entries?.flatMap((entry) => entry ?? []);
    return read?.length === entries?.length ? read : undefined;
  },
);

function holderOf(entry: Json): HolderEntry | undefined {
  const { input, problems } = readInput(holderFields, [], new Map(Object.entries(entry)));
  const hasEmail = entry.email !== undefined && entry.email !== null && entry.email !== '';
  if (problems.has('full_name') || (hasEmail && problems.has('email'))) return undefined;
  const information = answersOf(entry.information ?? {});
  if (!information) return undefined;
  return {
    ticket_id: absolute(entry.ticket_id),
    ...input,
    ...(entry.optout !== undefined && { optout: flag(entry.optout) }),
    ...((entry.information ?? null) !== null && { information }),
  };
}
