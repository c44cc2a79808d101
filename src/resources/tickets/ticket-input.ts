import type { CapacityMode } from '../../db/tables.ts';
import { isDate } from '../../lib/dates.ts';
import { isRecord } from '../../lib/list.ts';
import type { CapacityInput } from './capacity.ts';

/** What a write says of the reduced price: what was sent, still to be read in the currency and on the clock of the site. */
export interface DiscountInput {
  isChecked: boolean;
  price: unknown;
  start?: string;
  end?: string;
}

/** What `ticket` says; members that were not sent are absent. */
export interface TicketObject {
  stock: CapacityInput;
  sale?: DiscountInput;
  notGoing?: boolean;
}

const MODES: readonly unknown[] = ['own', 'global', 'capped', ''];
const MAX_CAPACITY = 1_000_000_000;
const TRUTHY = new Set(['1', 'enable', 'enabled', 'on', 'y', 'yes', 'true']);

/** What clients of the reference send for yes: words, and any number that is not zero. */
export const isTruthy = (value: unknown): boolean => {
  if (typeof value !== 'string' && typeof value !== 'number') return value === true;
  const said = String(value).trim().toLowerCase();
  return TRUTHY.has(said) || (said !== '' && Number.isFinite(Number(said)) && Number(said) !== 0);
};

type Members = Readonly<Record<string, unknown>>;

/** The `ticket` member of a write; undefined when something in it cannot be read. */
export function readTicketObject(value: unknown): TicketObject | undefined {
  if (value === undefined || value === null || value === '') return { stock: {} };
  if (!isRecord(value)) return undefined;
  const stock = readStock(value);
  const sale = readSale(value.sale_price);
  if (!stock || sale === 'unreadable') return undefined;
  return { stock, sale, notGoing: value.not_going === undefined ? undefined : isTruthy(value.not_going) };
}

function readStock({ mode, capacity, event_capacity }: Members): CapacityInput | undefined {
  if (mode !== undefined && mode !== null && !MODES.includes(mode)) return undefined;
  const own = readCapacity(capacity);
  const shared = readCapacity(event_capacity);
  if (own === 'unreadable' || shared === 'unreadable') return undefined;
  // One of MODES, or not sent.
  return { mode: (mode ?? undefined) as CapacityMode | undefined, capacity: own, eventCapacity: shared };
}

/** null for no limit: empty or negative. */
function readCapacity(value: unknown): number | null | undefined | 'unreadable' {
  if (value === undefined) return undefined;
  if (value === null || value === '') return null;
  if (typeof value !== 'string' && typeof value !== 'number') return 'unreadable';
  const text = String(value).trim();
  if (text === '') return null;
  if (!/^[+-]?\d+$/.test(text) || Number(text) > MAX_CAPACITY) return 'unreadable';
  return Number(text) < 0 ? null : Number(text);
}

function readSale(value: unknown): DiscountInput | undefined | 'unreadable' {
  if (value === undefined || value === null || value === '') return undefined;
  if (!isRecord(value)) return 'unreadable';
  const [start, end] = [readDay(value.start_date), readDay(value.end_date)];
  if (start === 'unreadable' || end === 'unreadable') return 'unreadable';
  const { price = null } = value;
  const isBlank = price === null || (typeof price === 'string' && price.trim() === '');
  return { isChecked: isTruthy(value.checked) && !isBlank, price, start, end };
}

/** Days are only checked here; the clock of the site decides which day a word such as `tomorrow` means. */
function readDay(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'string' && isDate(value) ? value : 'unreadable';
}
