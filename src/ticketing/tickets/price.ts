import type { Provider } from '../../db/tables/ticketing.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import type { DateExpression } from '../../lib/dates/dates.ts';
import { parsePrice, siteMoney } from '../../lib/money/money.ts';
import { discountDay } from './sale-window.ts';
import type { Ticket } from './store.ts';
import type { DiscountInput } from './ticket-input.ts';

const inMinorUnits = (value: unknown, { context }: RequestContext): number | undefined =>
  parsePrice(value, siteMoney(context.config).decimals);

/**
 * The price of a write in minor units; undefined when an update sends none.
 * @throws {ApiError} tec-tickets-rest-invalid_price
 */
export function readPrice(
  value: unknown,
  { ctx, isUpdate }: { ctx: RequestContext; isUpdate: boolean },
): number | undefined {
  if (value === undefined && isUpdate) return undefined;
  const price = value === null ? 0 : inMinorUnits(value, ctx);
  if (price === undefined) throw new ApiError('tec-tickets-rest-invalid_price');
  return price;
}

/** Whether the price of a discount is valid, or there is no discount. */
export const isReadableDiscount = (discount: DiscountInput | undefined, ctx: RequestContext): boolean =>
  !discount?.isChecked || inMinorUnits(discount.price, ctx) !== undefined;

export type PriceColumns = Pick<Ticket, 'price' | 'sale_price' | 'sale_price_start' | 'sale_price_end'>;

const NO_DISCOUNT = { sale_price: null, sale_price_start: '', sale_price_end: '' };

interface PriceInput {
  provider: Provider;
  /** Minor units; absent when none was sent. */
  price?: number;
  discount?: DiscountInput;
}

/** The prices of a ticket after a write. A discounted price is kept only while it is below the regular one. */
export function priceColumns(
  { provider, price: sent, discount }: PriceInput,
  ctx: RequestContext,
  current?: PriceColumns,
): PriceColumns {
  if (provider === 'rsvp') return { price: 0, ...NO_DISCOUNT };
  const price = sent ?? current?.price ?? 0;
  const discounted = discount ? discountColumns(discount, ctx) : current;
  if (!discounted || discounted.sale_price === null || discounted.sale_price >= price) return { price, ...NO_DISCOUNT };
  const { sale_price, sale_price_start, sale_price_end } = discounted;
  return { price, sale_price, sale_price_start, sale_price_end };
}

function discountColumns(
  { isChecked, price, start, end }: DiscountInput,
  ctx: RequestContext,
): Omit<PriceColumns, 'price'> {
  const { timezone } = ctx.context.config;
  const day = (date: DateExpression | undefined) => (date ? discountDay(date, timezone, ctx.now) : '');
  const sale_price = isChecked ? (inMinorUnits(price, ctx) ?? null) : null;
  return { sale_price, sale_price_start: day(start), sale_price_end: day(end) };
}
