import { z } from 'zod';
import type { Provider } from '../../db/tables/ticketing.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { utcTime } from '../../http/output/output.ts';
import { localDay, toUtc } from '../../lib/dates/dates.ts';
import { siteMoney } from '../../lib/money/money.ts';
import { plainAnswers } from '../../lib/registration-answers.ts';
import { isRecord } from '../../lib/text/list.ts';
import { loadTranslations } from '../../platform/translations/store.ts';
import { amountSchema, renderAmount, renderTotals, totalsSchema } from '../orders/amounts.ts';
import { priceOrder } from '../prices/order-prices.ts';
import { findPriceRecord } from '../prices/price-records.ts';
import { getSitePrices } from '../prices/site-prices.ts';
import { maxPerOrderSchema } from '../tickets/schema.ts';
import { chosenPrice } from '../tickets/store.ts';
import { maxPerOrderOf } from '../tickets/view.ts';
import { acceptsDonations, donationTerm } from './donation.ts';
import {
  cartPromotionSchema,
  discountOfCart,
  findCartPromotion,
  renderCartPromotion,
  withoutHidden,
} from './promotion.ts';
import { type CartContent, findCartContent, type ShownItem } from './store.ts';

/** List name of the only provider with carts. */
const CART_PROVIDER = 'tickets-commerce';

const provider = z.string().describe(`\`${CART_PROVIDER}\`: the only provider whose tickets can be in carts.`);

const cartTicketSchema = z
  .object({
    ticket_id: z.int(),
    quantity: z.int(),
    post_id: z.int().describe('Event of the ticket.'),
    optout: z.int().describe('1: the attendees are hidden from public lists.'),
    iac: z.string().describe('Always `none`: individual attendee collection is not supported.'),
    provider,
    title: z.string(),
    price: amountSchema.describe("Today's price of one place, or the one that the visitor chose."),
    min_price: amountSchema
      .optional()
      .describe('Minimum price that the visitor may choose. Absent for a fixed price, and under `/wp-json/tribe`.'),
    subtotal: amountSchema,
    ...maxPerOrderSchema,
    pass: z
      .object({ dates: z.int().describe('Number of occurrences with a place.') })
      .optional()
      .describe('Only for a series pass; absent under `/wp-json/tribe`.'),
  })
  .meta({ id: 'CartTicket', description: 'Places of one ticket in a cart.' });

const cartMetaSchema = z
  .object({
    ticket_id: z.int(),
    provider,
    items: z.array(z.record(z.string(), z.unknown())).describe('Answers for each seat.'),
  })
  .meta({ id: 'CartMeta', description: 'Answers to registration questions.' });

export const cartSchema = z
  .object({
    tickets: z.array(cartTicketSchema),
    meta: z.array(cartMetaSchema),
    held_until_utc: utcTime.optional().describe('When the first hold expires; absent for an empty cart.'),
    totals: totalsSchema
      .partial()
      .extend({ quantity: z.int(), total: amountSchema })
      .optional()
      .describe('Absent for an empty cart. Only `quantity` and `total` under `/wp-json/tribe`.'),
    promotion: cartPromotionSchema.optional().describe('Absent without a code, and under `/wp-json/tribe`.'),
    cart_url: z.string().describe('Page of the cart; empty for an empty cart.'),
    checkout_url: z.string().describe('Page of the checkout; empty for an empty cart.'),
  })
  .meta({ id: 'Cart', description: 'The visitor’s cart.' });

/**
 * Renders a cart for its visitor. Must not be called inside a transaction.
 * @param providers only tickets of these; all when absent
 */
export async function renderCart(
  ctx: RequestContext,
  tokenHash: string | undefined,
  providers?: ReadonlySet<Provider | undefined>,
): Promise<z.output<typeof cartSchema>> {
  const { context, urls, now } = ctx;
  const isShown = tokenHash !== undefined && (providers?.has('tc') ?? true);
  const content = isShown ? await findCartContent(context.db, tokenHash, toUtc(now)) : undefined;
  if (!content || content.items.length === 0) return EMPTY;
  const { meta, promotionId } = content;
  const items = await shownItems(ctx, content);
  if (items.length === 0) return EMPTY;
  return {
    ...(await renderContent(ctx, items, {
      promotionId,
      donation: (await acceptsDonations(ctx)) ? content.donation : 0,
    })),
    meta: items.flatMap(({ ticket_id }) => {
      const stored = meta[ticket_id];
      const answers = stored?.map((item) => plainAnswers(item).answers).filter(isRecord);
      return answers ? [{ ticket_id, provider: CART_PROVIDER, items: answers }] : [];
    }),
    cart_url: urls.page('/cart/'),
    checkout_url: urls.page('/checkout/'),
  };
}

const EMPTY = { tickets: [], meta: [], cart_url: '', checkout_url: '' };

/** Items that the promotion of the cart opens, as far as they require a code. */
async function shownItems({ context: { db }, viewer }: RequestContext, content: CartContent): Promise<ShownItem[]> {
  const { items, promotionId } = content;
  if (items.every(({ requires_code }) => requires_code === 0)) return items;
  const promotion = promotionId === null ? undefined : await findPriceRecord(db, 'promotions', promotionId);
  return withoutHidden(db, items, { viewer, promotion });
}

/** Items with the names and today's prices of their tickets, and the total. */
async function renderContent(
  ctx: RequestContext,
  items: readonly ShownItem[],
  { promotionId, donation }: Pick<CartContent, 'promotionId' | 'donation'>,
) {
  const { config } = ctx.context;
  const format = siteMoney(config);
  const day = localDay(toUtc(ctx.now), config.timezone);
  const tickets = items.map((item) => ({
    ...item,
    id: item.ticket_id,
    unitPrice: chosenPrice(item, { chosen: item.chosen_price, day }),
  }));
  const translated = tickets.map(({ id }) => ({ kind: 'ticket' as const, id }));
  const texts = await loadTranslations(ctx, translated);
  const { taxRates, fees } = await getSitePrices(ctx.context);
  const lines = tickets.map(({ tax_rate_id, requires_code, unitPrice, ...item }) => ({
    ...item,
    isHidden: requires_code === 1,
    price: unitPrice,
    tax: taxRates.get(tax_rate_id ?? 0),
  }));
  const promotion = await findCartPromotion(ctx.context.db, { id: promotionId, lines }, ctx);
  const terms = { fees, discount: discountOfCart(promotion), ...donationTerm(donation, ctx) };
  const { totals } = priceOrder(lines, terms);
  return {
    tickets: tickets.map((ticket) => renderItem(ctx, ticket, texts.show('ticket', ticket).title)),
    ...(promotion && !ctx.urls.isReference && { promotion: renderCartPromotion(promotion) }),
    held_until_utc: tickets.map(({ expires_utc }) => expires_utc).sort()[0],
    totals: {
      quantity: tickets.reduce((sum, { quantity }) => sum + quantity, 0),
      ...(ctx.urls.isReference ? { total: renderAmount(totals.total, format) } : renderTotals(totals, format)),
    },
  };
}

/** @param item with the price of one place */
function renderItem(
  { context, urls }: RequestContext,
  item: ShownItem & { unitPrice: number },
  title: string,
): z.output<typeof cartTicketSchema> {
  const format = siteMoney(context.config);
  const { min_price } = item;
  return {
    ticket_id: item.ticket_id,
    quantity: item.quantity,
    post_id: item.event_id,
    optout: item.optout,
    iac: 'none',
    provider: CART_PROVIDER,
    title,
    price: renderAmount(item.unitPrice, format),
    subtotal: renderAmount(item.unitPrice * item.quantity, format),
    ...(min_price !== null && !urls.isReference && { min_price: renderAmount(min_price, format) }),
    ...maxPerOrderOf(item, urls),
    ...(item.pass_id !== null && !urls.isReference && { pass: { dates: item.dates } }),
  };
}
