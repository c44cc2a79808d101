import { admitPassword } from '../../calendar/events/access.ts';
import { checkEventsVisible } from '../../calendar/posts/visible-records.ts';
import { eventScope, hasEventRights, type Viewer } from '../../http/core/auth.ts';
import { endpoint, type InputOf, type RequestContext } from '../../http/core/endpoint.ts';
import type { QueryValue } from '../../http/core/urls.ts';
import { resolveUtcParam } from '../../http/input/date-param.ts';
import {
  boolean,
  date,
  filledText,
  ids,
  integer,
  oneOf,
  searchText,
  texts,
  withDefault,
} from '../../http/input/schemas.ts';
import {
  COUNTED_LIST_HEADERS,
  countedListResponse,
  countedListSchema,
  countedPageFields,
  countedPageOf,
} from '../../http/output/pagination.ts';
import { isAbsolute, toUtc } from '../../lib/dates/dates.ts';
import { readLanguage } from '../../platform/translations/rules.ts';
import { admitPromotion, promotionField } from '../prices/promotion-entry.ts';
import { listTickets, type TicketFilter, type TicketOrder } from './filter.ts';
import { cacheLifetimeOf } from './freshness.ts';
import { PROVIDER_NAMES, readProviders } from './providers.ts';
import { shownTicketSchema } from './schema.ts';
import { getTickets } from './store.ts';
import { type LoadTicketAttendees, renderTickets } from './view.ts';
import { ticketVisibilityFor } from './visibility.ts';

/** A bound on a number of seats or people. Negative ones are harmless, and clients send -1 for "no limit". */
const bound = (description: string) => integer(description, { min: Number.MIN_SAFE_INTEGER });

const fields = {
  ...countedPageFields,
  search: searchText('Words that must all occur in name or description.'),
  order: withDefault(oneOf('Sort direction.', ['ASC', 'DESC']), 'ASC'),
  orderby: withDefault(
    oneOf('Field to sort by; `menu_order` is the order that the organizer gave the tickets of an event.', [
      'id',
      'include',
      'title',
      'slug',
      'menu_order',
    ]),
    'title',
  ),
  is_available: boolean('true: only tickets with places left; false: only others.'),
  provider: withDefault(texts('Only of these providers: `rsvp`, `tc`. Unknown names match nothing.'), PROVIDER_NAMES),
  after: date('Created at or after this time, UTC.'),
  before: date('Created at or before this time, UTC.'),
  include: ids('Only these tickets.'),
  exclude: ids('Exclude these tickets.'),
  include_post: ids('Only tickets of these events.'),
  exclude_post: ids('Exclude tickets of these events.'),
  attendees_min: bound('At least this many attendees. For privileged users.'),
  attendees_max: bound('At most this many attendees. For privileged users.'),
  checkedin_min: bound('At least this many attendees checked in. For privileged users.'),
  checkedin_max: bound('At most this many attendees checked in. For privileged users.'),
  capacity_min: bound('At least this capacity, or no limit.'),
  capacity_max: bound('At most this capacity.'),
  available_from: date('The sale begins at or after this time, UTC.'),
  available_until: date('The sale ends at or before this time, UTC.'),
  post_status: withDefault(
    texts('Publication status of the events; statuses that the user may not see match nothing.'),
    'publish',
  ),
  status: withDefault(
    texts('Publication status of the tickets; statuses that the user may not see match nothing.'),
    'publish',
  ),
  currency: texts('Currency codes; RSVPs have none.'),
  attendee_information_available: boolean('Accepted for compatibility; ignored.'),
  password: filledText('Reveals tickets of events with this password.', { max: 200 }),
  promotion: promotionField,
  requires_code: boolean('true: only tickets that require a promotion code; false: only others.'),
};

type ListInput = Partial<InputOf<typeof fields>>;

const PRIVILEGED = ['attendees_min', 'attendees_max', 'checkedin_min', 'checkedin_max'] as const;

/** Filters that locked tickets match too: id and event. All other properties are hidden. */
const SHOWN_FILTERS: ReadonlySet<string> = new Set<keyof ListInput>([
  ...(Object.keys(countedPageFields) as (keyof typeof countedPageFields)[]),
  'order',
  'orderby',
  'include',
  'exclude',
  'include_post',
  'exclude_post',
  'post_status',
  'attendee_information_available',
  'password',
  'promotion',
]);

/** The list of tickets, by name unless sorted otherwise. */
export const ticketListEndpoint = (loadAttendees: LoadTicketAttendees) =>
  endpoint({
    namespace: 'tickets',
    methods: ['GET'],
    path: '/tickets',
    name: 'tickets.list',
    summary: 'List tickets',
    description: 'Filters are combined with AND.',
    input: fields,
    responses: { 200: countedListSchema('tickets', shownTicketSchema, 'TicketList') },
    responseHeaders: COUNTED_LIST_HEADERS,
    errors: ['invalid-page-number', 'rest_forbidden', 'promotion-unknown', 'promotion-not-valid'],
    async find(input: ListInput, ctx, addProblem) {
      await checkEventsVisible('include_post', input.include_post ?? [], { ctx, addProblem });
      await checkEventsVisible('exclude_post', input.exclude_post ?? [], { ctx, addProblem });
    },
    may: (viewer: Viewer, _target, input: ListInput) =>
      PRIVILEGED.every((name) => input[name] === undefined) || hasEventRights(viewer, 'read_attendees'),
    async handle(ctx, input: ListInput) {
      const { db, config } = ctx.context;
      await admitPassword(ctx, input.password, 'any');
      const promotion = input.promotion === undefined ? undefined : await admitPromotion(ctx, input.promotion);
      const page = countedPageOf(input, config.perPage);
      const list = { filter: { ...filterOf(input, ctx), promotion }, order: orderOf(input) };
      const { total, ids: found } = await listTickets(db, list, { limit: page.perPage, offset: page.offset });
      const rows = await getTickets(db, found);
      const tickets = found.flatMap((id) => rows.get(id) ?? []);
      return countedListResponse({
        key: 'tickets',
        items: await renderTickets(tickets, ctx, loadAttendees, { password: input.password }),
        total,
        page,
        url: ctx.urls.rest('tickets', '/tickets/'),
        params: sentParams(input, ctx),
        ...(hasFixedDates(input) && (await cacheLifetimeOf(ctx, tickets))),
      });
    },
  });

const DATES = ['after', 'before', 'available_from', 'available_until'] as const;

/** Whether the dates of a request have the same meaning at any time. */
const hasFixedDates = (input: ListInput): boolean =>
  DATES.every((name) => input[name] === undefined || isAbsolute(input[name]));

const orderOf = ({ orderby = 'title', order = 'ASC' }: ListInput): TicketOrder => ({ by: orderby, direction: order });

function filterOf(input: ListInput, ctx: RequestContext): TicketFilter {
  const { viewer, context, now } = ctx;
  const utc = (name: (typeof DATES)[number]) => input[name] && resolveUtcParam(name, input[name], now);
  return {
    visibility: ticketVisibilityFor(viewer, input),
    now: toUtc(now),
    search: input.search,
    language: readLanguage(ctx),
    reader: { viewer, password: input.password },
    requiresCode: input.requires_code,
    asksWithheld: Object.keys(input).some(
      (name) => input[name as keyof ListInput] !== undefined && !SHOWN_FILTERS.has(name),
    ),
    isAvailable: input.is_available,
    providers: providersOf(input, context.config.currency),
    after: utc('after'),
    before: utc('before'),
    include: input.include,
    exclude: input.exclude,
    includeEvent: input.include_post,
    excludeEvent: input.exclude_post,
    attendees: { min: input.attendees_min, max: input.attendees_max },
    checkedIn: { min: input.checkedin_min, max: input.checkedin_max },
    countedEvents: eventScope(viewer, 'read_attendees'),
    capacity: { min: input.capacity_min, max: input.capacity_max },
    availableFrom: utc('available_from'),
    availableUntil: utc('available_until'),
  };
}

/** A currency selects paid tickets: all have the currency of the site. */
function providersOf({ provider, currency }: ListInput, own: string) {
  const named = provider && readProviders(provider);
  if (!currency) return named;
  const isOwn = currency.some((code) => code.toUpperCase() === own);
  const paid = isOwn ? (['tc'] as const) : [];
  return named ? paid.filter((name) => named.includes(name)) : paid;
}

/** Parameters of the request, without its secrets. */
function sentParams(
  { password: _password, promotion: _promotion, ...input }: ListInput,
  ctx: RequestContext,
): Record<string, QueryValue> {
  return {
    ...input,
    after: input.after?.text,
    before: input.before?.text,
    available_from: input.available_from?.text,
    available_until: input.available_until?.text,
    i18n_language: ctx.askedLanguage,
  };
}
