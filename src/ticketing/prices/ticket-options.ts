import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { TicketsTable } from '../../db/tables/ticketing.ts';
import type { AddProblem, RequestContext } from '../../http/core/endpoint.ts';
import { boolean, clearable, custom, integer } from '../../http/input/schemas.ts';
import { amountText, parsePrice, siteMoney } from '../../lib/money/money.ts';
import { findPriceRecord } from './price-records.ts';
import type { SitePrices } from './site-prices.ts';

/** Terms of a ticket besides its price. Clients of the reference neither see nor change them. */

const MAX_MINIMUM = 100;

const PRICE = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }], examples: ['5.00'] };

export const optionFields = {
  tax_rate_id: clearable(
    integer('Tax that the price includes, or that is added to it. Ignored under `/wp-json/tribe`.', { min: 1 }),
  ),
  min_per_order: clearable(
    integer(
      'Minimum number of places per order, for users who do not manage attendees; 0 for none. Ignored under `/wp-json/tribe`.',
      { max: MAX_MINIMUM },
    ),
  ),
  requires_code: clearable(
    boolean(
      'true: only staff see the ticket, and customers with a promotion code that opens it. Not for RSVPs. Ignored under `/wp-json/tribe`.',
    ),
  ),
  min_price: custom(
    'Pay what you can: the minimum price that customers may choose, 0 for any. The price of the ticket is the suggested one. Blank or `null` for a fixed price. Not for RSVPs. Ignored under `/wp-json/tribe`.',
    PRICE,
  ),
};

/** Members of a ticket in responses. */
export const optionSchema = {
  tax_rate_id: z
    .int()
    .optional()
    .describe('Tax that the price includes, or that is added to it. Absent without one, and under `/wp-json/tribe`.'),
  tax: z
    .object({
      name: z.string(),
      rate: z.int().describe('Thousandths of a percent.'),
      included: z.boolean().describe('Whether the price includes it; otherwise it is added.'),
    })
    .optional()
    .describe('Only with `tax_rate_id`.'),
  min_per_order: z
    .int()
    .optional()
    .describe(
      'Minimum number of places per order, for users who do not manage attendees. Absent without one, and under `/wp-json/tribe`.',
    ),
  requires_code: z
    .literal(true)
    .optional()
    .describe('For a ticket that a promotion code opens. Absent for others, and under `/wp-json/tribe`.'),
  min_price: z
    .string()
    .optional()
    .describe('Minimum price that customers may choose. Absent for a fixed price, and under `/wp-json/tribe`.'),
};

export interface OptionInput {
  tax_rate_id?: number | null;
  min_per_order?: number | null;
  requires_code?: boolean | null;
  /** As sent, in the currency of the site. */
  min_price?: unknown;
}

type OptionColumns = Pick<Selectable<TicketsTable>, 'tax_rate_id' | 'min_per_order' | 'requires_code' | 'min_price'>;

const isBlank = (value: unknown): boolean => value === null || (typeof value === 'string' && value.trim() === '');

/** Parses a minimum price; null for a fixed price, undefined if it is not an amount. */
const readLeast = (value: unknown, { context }: Pick<RequestContext, 'context'>): number | null | undefined =>
  isBlank(value) ? null : parsePrice(value, siteMoney(context.config).decimals);

/**
 * The minimum price after a write. If it is not sent, a lower price lowers it: clients that do not know the field may
 * set such prices.
 */
function leastPrice(
  ctx: RequestContext,
  { sent, current, price }: { sent: unknown; current: number | null; price: number },
) {
  const least = sent === undefined ? current : (readLeast(sent, ctx) ?? null);
  return least === null ? null : Math.min(least, price);
}

/** The options of a ticket after a write, with its price. */
export function optionColumns(
  sent: OptionInput,
  ctx: RequestContext,
  { price, current }: { price: number; current?: OptionColumns | undefined },
): OptionColumns {
  const { tax_rate_id, min_per_order, requires_code, min_price } = ctx.urls.isReference ? {} : sent;
  return {
    tax_rate_id: tax_rate_id === undefined ? (current?.tax_rate_id ?? null) : tax_rate_id,
    min_per_order: min_per_order === undefined ? (current?.min_per_order ?? 0) : (min_per_order ?? 0),
    requires_code: (requires_code ?? (requires_code === undefined && current?.requires_code === 1)) ? 1 : 0,
    min_price: leastPrice(ctx, { sent: min_price, current: current?.min_price ?? null, price }),
  };
}

/** Rejects a tax rate that does not exist, and a minimum price that is no amount or exceeds the price. */
export async function checkOptions(
  { tax_rate_id, min_price }: OptionInput,
  ctx: RequestContext,
  { price, addProblem }: { price: number; addProblem: AddProblem },
): Promise<void> {
  const { context, urls } = ctx;
  if (urls.isReference) return;
  const least = min_price === undefined ? null : readLeast(min_price, ctx);
  if (least === undefined || (least !== null && least > price)) addProblem('min_price', { key: 'param.min_price' });
  if (!tax_rate_id) return;
  const rate = await findPriceRecord(context.db, 'tax_rates', tax_rate_id);
  if (!rate) addProblem('tax_rate_id', { key: 'param.tax_rate_unknown' });
}

/** Options in responses, those that differ from the defaults. */
export function optionsOf(
  { tax_rate_id, min_per_order, requires_code, min_price }: OptionColumns,
  { taxRates, urls: { isReference }, context }: Pick<SitePrices, 'taxRates'> & Pick<RequestContext, 'urls' | 'context'>,
): z.output<z.ZodObject<typeof optionSchema>> {
  if (isReference) return {};
  const tax = taxRates.get(tax_rate_id ?? 0);
  return {
    ...(tax_rate_id !== null && { tax_rate_id }),
    ...(tax && { tax }),
    ...(min_per_order > 0 && { min_per_order }),
    ...(requires_code === 1 && { requires_code: true as const }),
    ...(min_price !== null && { min_price: amountText(min_price, siteMoney(context.config).decimals) }),
  };
}
