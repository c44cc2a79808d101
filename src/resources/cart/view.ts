import { z } from 'zod';
import type { Provider } from '../../db/tables.ts';
import type { RequestContext } from '../../http/endpoint.ts';
import { toUtc } from '../../lib/dates.ts';
import { isRecord } from '../../lib/list.ts';
import { plainAnswers } from '../../lib/plain-answers.ts';
import { findCartContent } from './store.ts';

/** The name in lists of the only provider that has carts. */
const CART_PROVIDER = 'tickets-commerce';

const provider = z.string().describe(`\`${CART_PROVIDER}\`: the only provider whose tickets can be in carts.`);

const cartTicketSchema = z
  .object({
    ticket_id: z.int(),
    quantity: z.int(),
    post_id: z.int().describe('Event of the ticket.'),
    optout: z.int().describe('1: the attendees are left out of public lists.'),
    iac: z.string().describe('Always `none`: individual attendee collection is not supported.'),
    provider,
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
    cart_url: z.string().describe('Empty for an empty cart.'),
    checkout_url: z.string().describe('URL to POST the checkout to; empty for an empty cart.'),
  })
  .meta({ id: 'Cart', description: 'The visitor’s cart.' });

/**
 * Renders a cart for its visitor.
 * @param providers only tickets of these; all when absent
 */
export async function renderCart(
  { context, urls, now }: RequestContext,
  tokenHash: string | undefined,
  providers?: ReadonlySet<Provider | undefined>,
): Promise<z.output<typeof cartSchema>> {
  const isShown = tokenHash !== undefined && (providers?.has('tc') ?? true);
  const content = isShown ? await findCartContent(context.db, tokenHash, toUtc(now)) : undefined;
  const items = content?.items ?? [];
  return {
    tickets: items.map(({ ticket_id, quantity, event_id, optout }) => ({
      ticket_id,
      quantity,
      post_id: event_id,
      optout,
      iac: 'none',
      provider: CART_PROVIDER,
    })),
    meta: items.flatMap(({ ticket_id }) => {
      const stored = content?.meta[ticket_id];
      const answers = stored?.map((item) => plainAnswers(item).answers).filter(isRecord);
      return answers ? [{ ticket_id, provider: CART_PROVIDER, items: answers }] : [];
    }),
    cart_url: items.length > 0 ? urls.rest('tickets', '/cart') : '',
    checkout_url: items.length > 0 ? urls.rest('tickets', '/cart/checkout') : '',
  };
}
