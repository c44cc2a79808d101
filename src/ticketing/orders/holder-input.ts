import type { z } from 'zod';
import { boolean, email, field, type Json, plainLine } from '../../http/input/schemas.ts';
import { readInput } from '../../http/input/validate.ts';
import { isRecord, membersOf } from '../../lib/text/list.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';

/** Data of holders that customers and holders may change. */

const MAX_NAME = 200;

export const fullName = plainLine('Name of the holder.', { max: MAX_NAME });
export const holderEmail = email('E-mail address of the holder.');
export const holderOptout = boolean('Whether the name is hidden from public lists.');

/** Maximum number of people in one change, more than any real order has. */
const MAX_HOLDERS = 1000;

/** Changes for one attendee of an order; absent members stay unchanged. */
export interface HolderChange {
  id: number;
  full_name?: string;
  email?: string;
  optout?: boolean;
}

const holderFields = { full_name: fullName, email: holderEmail, optout: holderOptout };

const holderSchema: Json = {
  $id: 'HolderInput',
  type: 'object',
  properties: {
    id: { type: 'integer', minimum: 1, description: 'Id of the attendee.' },
    ...Object.fromEntries(Object.entries(holderFields).map(([name, schema]) => [name, schema.meta()])),
  },
  required: ['id'],
};

/** `attendees` of a change of an order. */
export const holderChanges: z.ZodType<HolderChange[]> = field(
  { type: 'array', items: holderSchema, maxItems: MAX_HOLDERS, description: 'Attendees to change.' },
  'param.holders',
  (value) => {
    const members = typeof value === 'object' && value !== null ? membersOf(value) : undefined;
    if (!members || members.length > MAX_HOLDERS) return undefined;
    const changes = members.flatMap((member) => holderOf(member) ?? []);
    return changes.length === members.length ? changes : undefined;
  },
);

function holderOf(member: unknown): HolderChange | undefined {
  if (!isRecord(member)) return undefined;
  const { input, problems } = readInput(holderFields, [], new Map(Object.entries(member)));
  const id = Number(scalarText(member.id));
  return problems.size === 0 && Number.isSafeInteger(id) ? { id, ...input } : undefined;
}

const purchaserFields = {
  name: plainLine('Name of the customer.', { max: MAX_NAME }),
  email: email('E-mail address of the customer.'),
};

/** Changes of the customer; absent members stay unchanged. */
export interface PurchaserChange {
  name?: string;
  email?: string;
}

/** `purchaser` of a change of an order. */
export const purchaserChange: z.ZodType<PurchaserChange> = field(
  {
    $id: 'PurchaserInput',
    type: 'object',
    properties: Object.fromEntries(Object.entries(purchaserFields).map(([name, schema]) => [name, schema.meta()])),
    description: 'The customer.',
  },
  'param.purchaser',
  (value) => {
    if (!isRecord(value)) return undefined;
    const { input, problems } = readInput(purchaserFields, [], new Map(Object.entries(value)));
    return problems.size === 0 ? input : undefined;
  },
);
