import { z } from 'zod';
import type { Provider } from '../../db/tables.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { utcTime } from '../../http/output/output.ts';
import { localDay, toUtc } from '../../lib/dates/dates.ts';
import { siteMoney } from '../../lib/money/money.ts';
import { plainAnswers } from '../../lib/plain-answers.ts';
import { isRecord } from '../../lib/text/list.ts';
import { loadTranslations } from '../../platform/translations/store.ts';
import { amountSchema, renderAmount } from '../orders/view.ts';
import { maxPerOrderSchema } from '../tickets/schema.ts';
import { priceOn } from '../tickets/store.ts';
import { maxPerOrderOf } from '../tickets/view.ts';
import { findCartContent, type ShownItem } from './store.ts';

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
    price: amountSchema.describe("Today's price of one place."),
    subtotal: amountSchema,
    ...maxPerOrderSchema,
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
    totals: z.object({ quantity: z.int(), total: amountSchema }).optional().describe('Absent for an empty cart.'),
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
  if (!content || content.items.length === 0) return { tickets: [], meta: [], cart_url: '', checkout_url: '' };
  const { items, meta } = content;
  return {
    ...(await pricedItems(ctx, items)),
    meta: items.flatMap(({ ticket_id }) => {
      const stored = meta[ticket_id];
      const answers = stored?.map((item) => plainAnswers(item).answers).filter(isRecord);
      return answers ? [{ ticket_id, provider: CART_PROVIDER, items: answers }] : [];
    }),
    cart_url: urls.page('/cart/'),
    checkout_url: urls.page('/checkout/'),
  };
}

/** Items with the names and today's prices of their tickets, and the total. */
async function pricedItems(ctx: RequestContext, items: readonly ShownItem[]) {
  const { config } = ctx.context;
  const format = siteMoney(config);
  const today = localDay(toUtc(ctx.now), config.timezone);
  const tickets = items.map((item) => ({ ...item, id: item.ticket_id, unitPrice: priceOn(item, today) }));
  const texts = await loadTranslations(
    ctx,
    tickets.map(({ id }) => ({ kind: 'ticket', id })),
  );
  const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);
  return {
    tickets: tickets.map((ticket) => ({
      ticket_id: ticket.id,
      quantity: ticket.quantity,
      post_id: ticket.event_id,
      optout: ticket.optout,
      iac: 'none',
      provider: CART_PROVIDER,
      title: texts.show('ticket', ticket).title,
      price: renderAmount(ticket.unitPrice, format),
      subtotal: renderAmount(ticket.unitPrice * ticket.quantity, format),
      ...maxPerOrderOf(ticket, ctx.urls),
    })),
    held_until_utc: tickets.map(({ expires_utc }) => expires_utc).sort()[0],
    totals: {
      quantity: sumOf(tickets.map(({ quantity }) => quantity)),
      total: renderAmount(sumOf(tickets.map(({ unitPrice, quantity }) => unitPrice * quantity)), format),
    },
  };
}
