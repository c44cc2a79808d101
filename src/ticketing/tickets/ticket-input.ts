import type { CapacityMode } from '../../db/tables/ticketing.ts';
import { type DateExpression, parseDate } from '../../lib/dates/dates.ts';
import { isRecord } from '../../lib/text/list.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import type { CapacityInput } from '../seats/capacity.ts';

/** The discount of a write, not yet parsed in the currency and time zone of the site. */
export interface DiscountInput {
  isChecked: boolean;
  price: unknown;
  start?: DateExpression;
  end?: DateExpression;
}

/** The member `ticket` of a write; members that were not sent are absent. */
export interface TicketObject {
  capacity: CapacityInput;
  discount?: DiscountInput;
  notGoing?: boolean;
}

const MODES: readonly unknown[] = ['own', 'global', 'capped', ''];
const MAX_CAPACITY = 1_000_000_000;
const TRUTHY = new Set(['1', 'enable', 'enabled', 'on', 'y', 'yes', 'true']);

/** Whether a value means "yes" to clients of the reference: some words, and any number except zero. */
export const isTruthy = (value: unknown): boolean => {
  const said = scalarText(value)?.trim().toLowerCase() ?? '';
  return TRUTHY.has(said) || (said !== '' && Number.isFinite(Number(said)) && Number(said) !== 0);
};

type Members = Readonly<Record<string, unknown>>;

/** Parses the `ticket` member of a write; undefined if any part of it is invalid. */
export function readTicketObject(value: unknown): TicketObject | undefined {
  if (value === undefined || value === null || value === '') return { capacity: {} };
  if (!isRecord(value)) return undefined;
  const capacity = readCapacities(value);
  const discount = readDiscount(value.sale_price);
  if (!capacity || discount === 'unreadable') return undefined;
  return { capacity, discount, notGoing: value.not_going === undefined ? undefined : isTruthy(value.not_going) };
}

function readCapacities({ mode, capacity, event_capacity }: Members): CapacityInput | undefined {
  if (mode !== undefined && mode !== null && !MODES.includes(mode)) return undefined;
  const own = readCapacity(capacity);
  const shared = readCapacity(event_capacity);
  if (own === 'unreadable' || shared === 'unreadable') return undefined;
  // One of MODES, or absent.
  return { mode: (mode ?? undefined) as CapacityMode | undefined, capacity: own, eventCapacity: shared };
}

/** Empty and negative values are null: no limit. */
function readCapacity(value: unknown): number | null | undefined | 'unreadable' {
  if (value === undefined) return undefined;
  if (value === null || value === '') return null;
  const text = scalarText(value)?.trim();
  if (text === undefined) return 'unreadable';
  if (text === '') return null;
  if (!/^[+-]?\d+$/.test(text) || Number(text) > MAX_CAPACITY) return 'unreadable';
  return Number(text) < 0 ? null : Number(text);
}

function readDiscount(value: unknown): DiscountInput | undefined | 'unreadable' {
  if (value === undefined || value === null || value === '') return undefined;
  if (!isRecord(value)) return 'unreadable';
  const [start, end] = [readDay(value.start_date), readDay(value.end_date)];
  if (start === 'unreadable' || end === 'unreadable') return 'unreadable';
  const { price = null } = value;
  const isBlank = price === null || (typeof price === 'string' && price.trim() === '');
  return { isChecked: isTruthy(value.checked) && !isBlank, price, start, end };
}

/** Only checks the syntax; the meaning of words such as `tomorrow` depends on the site time. */
function readDay(value: unknown): DateExpression | undefined | 'unreadable' {
  if (value === undefined || value === null || value === '') return undefined;
  return (typeof value === 'string' ? parseDate(value) : undefined) ?? 'unreadable';
}
