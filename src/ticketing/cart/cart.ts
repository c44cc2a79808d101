import { checkEventVisible } from '../../calendar/posts/visible-records.ts';
import { can } from '../../http/core/auth.ts';
import { type AddProblem, endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../http/core/errors.ts';
import { RATE_HEADERS } from '../../http/core/headers.ts';
import { clearable, integer, text, texts, withDefault } from '../../http/input/schemas.ts';
import { secretHash } from '../../lib/hash.ts';
import { MAX_CHOSEN } from '../../lib/money/money.ts';
import { NO_STORE, tokenHeaders, visitorOf, writingVisitorOf } from '../../platform/users/visitor-token.ts';
import { countRefusal, networkForFreeSeats } from '../orders/free-seats.ts';
import { networkOfCart } from '../orders/seat-limits.ts';
import { admitPromotion } from '../prices/promotion-entry.ts';
import { MAX_ENTERED, opener, type Promotion } from '../prices/promotion-rules.ts';
import { PROVIDER_NAMES, readProvider } from '../tickets/providers.ts';
import { findTicketsOfEvents } from '../tickets/store.ts';
import { checkoutEndpoint } from './checkout.ts';
import { acceptsDonations } from './donation.ts';
import { type Entry, type MetaEntry, metaEntries, ticketEntries } from './input.ts';
import { admitPasswordFor } from './purchasable.ts';
import { type CartChange, wantedTickets, writeCart } from './save.ts';
import { cartSchema, renderCart } from './view.ts';

const IDENTITY =
  'The cookie `marquee-cart` or the header `X-Cart-Token` identifies the cart of the visitor; parameters cannot select one.';
const POST_ID = 'Id of an event with tickets.';

/** Rejects a `post_id` that is not the id of a visible event; absent and empty ones are accepted. */
async function findPost(
  { post_id }: { post_id?: number | null },
  ctx: RequestContext,
  addProblem: AddProblem,
): Promise<number | undefined> {
  if (!post_id) return undefined;
  await checkEventVisible('post_id', post_id, { ctx, addProblem });
  return post_id;
}

/** @throws {ApiError} post-has-no-tickets, also if all of them need a code that the request lacks */
async function requireTickets(
  { context, viewer }: RequestContext,
  eventId: number | undefined,
  promotion?: Promotion | null,
): Promise<void> {
  if (eventId === undefined) return;
  const tickets = await findTicketsOfEvents(context.db, [eventId]);
  const isOpened = opener(promotion ?? undefined);
  const isShown = tickets.some(
    (ticket) =>
      can(viewer, 'manage_tickets') ||
      (ticket.status === 'publish' && (ticket.requires_code === 0 || isOpened(ticket))),
  );
  if (!isShown) throw new ApiError('post-has-no-tickets');
}

const read = endpoint({
  namespace: 'tickets',
  methods: ['GET'],
  path: '/cart',
  name: 'cart.read',
  summary: 'Read the cart',
  description: `${IDENTITY} Without either, the cart is empty. Expired items are omitted.`,
  input: {
    provider: withDefault(texts('Only tickets of these providers; unknown names match nothing.'), PROVIDER_NAMES),
    post_id: integer(POST_ID, { min: 1 }),
  },
  requestHeaders: ['X-Cart-Token'],
  responses: { 200: cartSchema },
  errors: ['post-has-no-tickets'],
  find: findPost,
  async handle(ctx, { provider }, postId) {
    await requireTickets(ctx, postId);
    const providers = provider && new Set(provider.map(readProvider));
    return ok(await renderCart(ctx, visitorOf(ctx).tokenHash, providers), NO_STORE);
  },
});

const write = endpoint({
  namespace: 'tickets',
  methods: ['POST', 'PUT', 'PATCH'],
  path: '/cart',
  name: 'cart.save',
  summary: 'Add tickets to the cart, change quantities, remove tickets',
  description: `${IDENTITY} Sets the quantity of each listed ticket, all of them or none; other tickets keep theirs. A cart holds its places for MARQUEE_CART_HOLD after its last change. For a new cart, the response sets the cookie and \`X-Cart-Token\`.`,
  input: {
    provider: text(
      'Provider of listed tickets without one. RSVP tickets and tickets of unknown providers are ignored.',
    ),
    tickets: ticketEntries,
    meta: metaEntries,
    post_id: clearable(integer(POST_ID, { min: 1 })),
    promotion: clearable(
      text(
        'Promotion code for the cart, in place of an earlier one; a cart without tickets has none. `null` removes it.',
        { max: MAX_ENTERED },
      ),
    ),
    donation: clearable(
      integer(
        'Donation beside the tickets, in the smallest unit of the currency, if the site accepts any; a cart without tickets has none. `null` removes it. Ignored under `/wp-json/tribe`.',
        { max: MAX_CHOSEN },
      ),
    ),
    password: clearable(text('Password of the event, if it has one.', { max: 200 })),
  },
  counted: 'cart-writes',
  // The header is part of every request; a cookie is not.
  subjectOf: (ctx) => visitorOf(ctx).tokenHash,
  required: ['provider'],
  body: 'CartInput',
  requestHeaders: ['X-Cart-Token'],
  responses: { 200: cartSchema },
  responseHeaders: [...RATE_HEADERS, 'X-Cart-Token'],
  errors: [
    'rest_missing_callback_param',
    'post-has-no-tickets',
    'ticket-does-not-exist',
    'event-cancelled',
    'event-postponed',
    'max-per-order-exceeded',
    'min-per-order-missed',
    'price-not-accepted',
    'ticket-capacity-not-available',
    'cart-is-empty',
    'donation-not-accepted',
    'promotion-unknown',
    'promotion-not-valid',
    'rest_forbidden',
    'too-many-requests',
    'too-many-places-held',
    'too-many-carts',
    'too-many-free-places',
  ],
  find: findPost,
  async handle(ctx, { provider, tickets, meta, promotion, donation: sent, password }, postId) {
    const visitor = writingVisitorOf(ctx);
    const entered = typeof promotion === 'string' ? await admitPromotion(ctx, promotion) : promotion;
    await requireTickets(ctx, postId, entered);
    const donation = sent === undefined || ctx.urls.isReference ? undefined : (sent ?? 0);
    if (donation && !(await acceptsDonations(ctx))) throw new ApiError('donation-not-accepted');
    const change: CartChange = {
      ...changeOf(provider, readPrices(tickets, ctx), meta),
      password: password ?? undefined,
      promotion: entered,
      donation,
      network: networkOfCart(ctx),
      taker: networkForFreeSeats(ctx),
    };
    await admitPasswordFor(wantedTickets(change), change.password, ctx);
    const token = await countRefusal(ctx, () => writeCart(ctx, visitor, change));
    const headers = { ...NO_STORE, ...tokenHeaders(ctx, visitor, token) };
    return ok(await renderCart(ctx, token && secretHash(token), new Set([readProvider(provider)])), headers);
  },
});

/**
 * Entries with their chosen prices. Clients of the reference always buy at suggested prices.
 * @throws {InvalidParams}
 */
function readPrices(tickets: readonly Entry[] | undefined, { urls }: Pick<RequestContext, 'urls'>) {
  if (urls.isReference) return tickets?.map(({ price: _price, ...entry }): Entry => entry);
  if (tickets?.some(({ isWrongPrice }) => isWrongPrice)) throw invalidParam('tickets', 'param.cart_items');
  return tickets;
}

/** Changes for tickets that carts can hold; the last one for each ticket counts. */
function changeOf(provider: string, tickets: readonly Entry[] = [], meta: readonly MetaEntry[] = []) {
  const isOurs = (entry: Entry | MetaEntry) => readProvider(entry.provider ?? provider) === 'tc';
  return {
    entries: new Map(tickets.filter(isOurs).map((entry) => [entry.ticket_id, entry])),
    meta: new Map(meta.filter(isOurs).map(({ ticket_id, items }) => [ticket_id, items])),
  };
}

export const cartEndpoints = [read, write, checkoutEndpoint];
