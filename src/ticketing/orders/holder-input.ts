import type { z } from 'zod';
import type { Billing } from '../../db/site-settings.ts';
import { boolean, clearable, email, field, type Json, plainBlock, plainLine } from '../../http/input/schemas.ts';
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
export interface CustomerChange {
  name?: string;
  email?: string;
}

/** `purchaser` of a change of an order. */
export const customerChange: z.ZodType<CustomerChange> = field(
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

const MAX_COMPANY = 200;
const MAX_VAT_NUMBER = 50;
const MAX_ADDRESS = 500;

const billingFields = {
  company: clearable(plainLine('Company.', { max: MAX_COMPANY })),
  vat_number: clearable(plainLine('VAT number.', { max: MAX_VAT_NUMBER })),
  address: clearable(plainBlock('Postal address, in lines of plain text.', { max: MAX_ADDRESS })),
};

export const NO_BILLING: Billing = { company: '', vat_number: '', address: '' };

/** `billing` of a checkout or an order; an absent member is empty. */
export const billingData: z.ZodType<Billing> = field(
  {
    $id: 'BillingInput',
    type: 'object',
    properties: Object.fromEntries(Object.entries(billingFields).map(([name, schema]) => [name, schema.meta()])),
    description: 'Data of the customer for the invoice; null or an absent member is empty.',
  },
  'param.billing',
  (value) => {
    if (!isRecord(value)) return undefined;
    const { input, problems } = readInput(billingFields, [], new Map(Object.entries(value)));
    const { company, vat_number, address } = input;
    if (problems.size > 0) return undefined;
    return { company: company ?? '', vat_number: vat_number ?? '', address: address ?? '' };
  },
);

/** JSON of `orders.billing`, with only the members that are filled in. */
export const billingText = (billing: Billing): string =>
  JSON.stringify(Object.fromEntries(Object.entries(billing).filter(([, text]) => text !== '')));

/** Billing data of an order, written by `billingText`. */
export const billingOf = ({ billing }: { billing: string }): Billing => ({
  ...NO_BILLING,
  ...(JSON.parse(billing) as Partial<Billing>),
});
