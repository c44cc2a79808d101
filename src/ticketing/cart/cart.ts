import { checkEventVisible } from '../../calendar/posts/visible-records.ts';
import { can } from '../../http/core/auth.ts';
import { type AddProblem, endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { RATE_HEADERS } from '../../http/core/headers.ts';
import { clearable, integer, text, texts, withDefault } from '../../http/input/schemas.ts';
import { secretHash } from '../../lib/hash.ts';
import { tokenHeaders, UNCACHED, visitorOf, writingVisitorOf } from '../../platform/users/visitor-token.ts';
import { countingRefusals, networkOfTaker } from '../orders/free-places.ts';
import { networkOfCart } from '../orders/seat-limits.ts';
import { PROVIDER_NAMES, readProvider } from '../tickets/providers.ts';
import { findTicketsOfEvents } from '../tickets/store.ts';
import { checkoutEndpoint } from './checkout.ts';
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

async function requireTickets({ context, viewer }: RequestContext, eventId: number | undefined): Promise<void> {
  if (eventId === undefined) return;
  const tickets = await findTicketsOfEvents(context.db, [eventId]);
  const isShown = tickets.some(({ status }) => status === 'publish' || can(viewer, 'manage_tickets'));
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
  answers: { 200: cartSchema },
  errors: ['post-has-no-tickets'],
  find: findPost,
  async handle(ctx, { provider }, postId) {
    await requireTickets(ctx, postId);
    const providers = provider && new Set(provider.map(readProvider));
    return ok(await renderCart(ctx, visitorOf(ctx).tokenHash, providers), UNCACHED);
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
    password: clearable(text('Password of the event, if it has one.', { max: 200 })),
  },
  counted: 'cart-writes',
  // The header is part of every request; a cookie is not.
  subjectOf: (ctx) => visitorOf(ctx).tokenHash,
  required: ['provider'],
  body: 'CartInput',
  requestHeaders: ['X-Cart-Token'],
  answers: { 200: cartSchema },
  answerHeaders: [...RATE_HEADERS, 'X-Cart-Token'],
  errors: [
    'rest_missing_callback_param',
    'post-has-no-tickets',
    'ticket-does-not-exist',
    'event-cancelled',
    'max-per-order-exceeded',
    'ticket-capacity-not-available',
    'rest_forbidden',
    'too-many-requests',
    'too-many-places-held',
    'too-many-carts',
    'too-many-free-places',
  ],
  find: findPost,
  async handle(ctx, { provider, tickets, meta, password }, postId) {
    const visitor = writingVisitorOf(ctx);
    await requireTickets(ctx, postId);
    const change: CartChange = {
      ...changeOf(provider, tickets, meta),
      password: password ?? undefined,
      network: networkOfCart(ctx),
      taker: networkOfTaker(ctx),
    };
    await admitPasswordFor(wantedTickets(change), change.password, ctx);
    const token = await countingRefusals(ctx, () => writeCart(ctx, visitor, change));
    const headers = { ...UNCACHED, ...tokenHeaders(ctx, visitor, token) };
    return ok(await renderCart(ctx, token && secretHash(token), new Set([readProvider(provider)])), headers);
  },
});

/** Changes for tickets that carts can hold; the last one for each ticket counts. */
function changeOf(provider: string, tickets: readonly Entry[] = [], meta: readonly MetaEntry[] = []) {
  const isOurs = (entry: Entry | MetaEntry) => readProvider(entry.provider ?? provider) === 'tc';
  return {
    entries: new Map(tickets.filter(isOurs).map((entry) => [entry.ticket_id, entry])),
    meta: new Map(meta.filter(isOurs).map(({ ticket_id, items }) => [ticket_id, items])),
  };
}

export const cartEndpoints = [read, write, checkoutEndpoint];
