import type { Provider } from '../../db/tables.ts';
import type { RequestContext } from '../../http/endpoint.ts';
import { ApiError } from '../../http/errors.ts';
import type { DateExpression } from '../../lib/dates.ts';
import { parsePrice, siteMoney } from '../../lib/money.ts';
import { discountDay } from './sale-window.ts';
import type { Ticket } from './stock.ts';
import type { DiscountInput } from './ticket-input.ts';

const inMinorUnits = (value: unknown, { context }: RequestContext): number | undefined =>
  parsePrice(value, siteMoney(context.config).decimals);

/** The price of a write in minor units. Nothing said on an update: undefined, as it is. */
export function readPrice(
  value: unknown,
  { ctx, isUpdate }: { ctx: RequestContext; isUpdate: boolean },
): number | undefined {
  if (value === undefined && isUpdate) return undefined;
  const price = value === null ? 0 : inMinorUnits(value, ctx);
  if (price === undefined) throw new ApiError('tec-tickets-rest-invalid_price');
  return price;
}

/** Whether a reduced price, if there is to be one, is a price. */
export const isReadable = (sale: DiscountInput | undefined, ctx: RequestContext): boolean =>
  !sale?.isChecked || inMinorUnits(sale.price, ctx) !== undefined;

export type PriceColumns = Pick<Ticket, 'price' | 'sale_price' | 'sale_price_start' | 'sale_price_end'>;

const NO_SALE = { sale_price: null, sale_price_start: '', sale_price_end: '' };

interface Pricing {
  provider: Provider;
  /** Minor units; absent when nothing was said. */
  price?: number;
  sale?: DiscountInput;
  ctx: RequestContext;
}

/** The prices of a ticket after a write. A reduced price is kept only while it is below the regular one. */
export function priceColumns({ provider, price: said, sale, ctx }: Pricing, current?: PriceColumns): PriceColumns {
  if (provider === 'rsvp') return { price: 0, ...NO_SALE };
  const price = said ?? current?.price ?? 0;
  const reduced = sale ? reducedTo(sale, ctx) : current;
  if (!reduced || reduced.sale_price === null || reduced.sale_price >= price) return { price, ...NO_SALE };
  const { sale_price, sale_price_start, sale_price_end } = reduced;
  return { price, sale_price, sale_price_start, sale_price_end };
}

function reducedTo({ isChecked, price, start, end }: DiscountInput, ctx: RequestContext): Omit<PriceColumns, 'price'> {
  const { timezone } = ctx.context.config;
  const day = (date: DateExpression | undefined) => (date ? discountDay(date, timezone, ctx.now) : '');
  const sale_price = isChecked ? (inMinorUnits(price, ctx) ?? null) : null;
  return { sale_price, sale_price_start: day(start), sale_price_end: day(end) };
}
