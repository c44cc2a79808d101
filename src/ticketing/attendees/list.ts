import { getEvents } from '../../calendar/events/store.ts';
import { checkEventsVisible } from '../../calendar/posts/visible-records.ts';
import { eventScope, hasEventRights, isInScope } from '../../http/core/auth.ts';
import { endpoint, type InputOf, type LookupContext, type RequestContext } from '../../http/core/endpoint.ts';
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
import { siteMoney } from '../../lib/money/money.ts';
import { attendeeSchema } from '../tickets/attendee-schema.ts';
import { eventRightTester } from '../tickets/event-scope.ts';
import { PROVIDER_NAMES, readProviders } from '../tickets/providers.ts';
import type { Ticket } from '../tickets/store.ts';
import { getTickets } from '../tickets/store.ts';
import { maySeeTicket } from '../tickets/visibility.ts';
import { type AttendeeFilter, listAttendees, type Slice } from './filter.ts';
import { getAttendees } from './store.ts';
import { renderAttendees } from './view.ts';

const SORT_KEYS = ['id', 'date', 'include', 'title', 'slug'] as const;

const fields = {
  page: countedPageFields.page,
  per_page: countedPageFields.per_page,
  provider: withDefault(texts('Providers of the tickets: `rsvp`, `tickets-commerce`.'), PROVIDER_NAMES),
  search: searchText('Words that must all occur in the name.'),
  offset: countedPageFields.offset,
  order: withDefault(oneOf('Sort direction.', ['ASC', 'DESC']), 'ASC'),
  orderby: withDefault(oneOf('Field to sort by.', SORT_KEYS), 'id'),
  post_id: integer('Only attendees of this event.', { min: 1 }),
  ticket_id: integer('Only attendees of this ticket.', { min: 1 }),
  after: date('Created at or after this time, UTC.'),
  before: date('Created at or before this time, UTC.'),
  include: ids('Only these attendees.'),
  exclude: ids('Exclude these attendees.'),
  price_min: integer('Paid at least this amount. For privileged users.', { max: 1_000_000_000 }),
  price_max: integer('Paid at most this amount. For privileged users.', { max: 1_000_000_000 }),
  include_post: ids('Only attendees of these events; instead of `post_id`.'),
  exclude_post: ids('Exclude attendees of these events.'),
  include_ticket: ids('Only attendees of these tickets; instead of `ticket_id`.'),
  exclude_ticket: ids('Exclude attendees of these tickets.'),
  post_status: withDefault(
    texts('Statuses of the events. Values other than `publish` are for privileged users.'),
    'publish',
  ),
  status: withDefault(texts('`publish`, `trash`. Values other than `publish` are for privileged users.'), 'publish'),
  order_status: withDefault(
    texts(
      'RSVP answers and statuses of orders, or `public`, `private`, `any`. Values other than `public` are for privileged users.',
    ),
    'public',
  ),
  order_id: integer('Only attendees of this order. For privileged users.', { min: 1 }),
  checkedin: boolean('true: only attendees who are checked in; false: only others. For privileged users.'),
  rsvp_going_status: texts('`yes`, `no`. Attendees of paid tickets always match.'),
  attendee_information_available: boolean('Whether the registration has answers. For privileged users.'),
  name: filledText('Part of the name.', { max: 500 }),
  email: filledText('Part of the e-mail address. For privileged users.', { max: 500 }),
};

type ListInput = InputOf<typeof fields>;

/** A filter reveals its field, so these require the right to see the field. */
const PRIVILEGED = [
  'price_min',
  'price_max',
  'order_id',
  'checkedin',
  'attendee_information_available',
  'email',
] as const;

export const attendeeListEndpoint = endpoint({
  namespace: 'tickets',
  methods: ['GET'],
  path: '/attendees',
  name: 'attendees.list',
  summary: 'List attendees',
  description:
    'Visitors see the names of people who attend published events and did not opt out. Authors also see the attendees of their own events, and a check-in key ' +
    'for one event adds those of that event; filters for privileged users then apply only to them.',
  input: fields,
  responses: { 200: countedListSchema('attendees', attendeeSchema, 'AttendeeList') },
  responseHeaders: COUNTED_LIST_HEADERS,
  errors: ['rest_forbidden', 'invalid-page-number'],
  find: (input: Partial<ListInput>, ctx, addProblem) => checkReferences(input, { ctx, addProblem }),
  may: (viewer, _target, input: Partial<ListInput>) =>
    hasEventRights(viewer, 'read_attendees') || PRIVILEGED.every((name) => input[name] === undefined),
  async handle(ctx, input: Partial<ListInput>) {
    const { db, config } = ctx.context;
    const page = countedPageOf(input, config.perPage);
    const filter = filterOf(input, ctx);
    const { total, ids: found } = await listAttendees(db, filter, sliceOf(input, page));
    const attendees = await getAttendees(db, found);
    return countedListResponse({
      key: 'attendees',
      items: await renderAttendees(attendees, ctx),
      total,
      page,
      url: ctx.urls.rest('tickets', '/attendees/'),
      params: { ...input, after: input.after?.text, before: input.before?.text, i18n_language: ctx.askedLanguage },
    });
  },
});

async function checkReferences(input: Partial<ListInput>, lookup: LookupContext): Promise<void> {
  for (const name of ['post_id', 'include_post', 'exclude_post'] as const) {
    await checkEvents(name, [input[name] ?? []].flat(), lookup);
  }
  for (const name of ['ticket_id', 'include_ticket', 'exclude_ticket'] as const) {
    await checkTickets(name, [input[name] ?? []].flat(), lookup);
  }
}

/** Events whose attendees the viewer may read may have any status; other events must be visible to the viewer. */
async function checkEvents(name: string, wanted: readonly number[], lookup: LookupContext): Promise<void> {
  const { ctx, addProblem } = lookup;
  const isReadable = await eventRightTester(ctx, 'read_attendees', wanted);
  const readable = wanted.filter(isReadable);
  const found = await getEvents(ctx.context.db, readable);
  if (found.length < readable.length) addProblem(name, { key: 'param.event_unknown' });
  const others = wanted.filter((id) => !readable.includes(id));
  await checkEventsVisible(name, others, lookup);
}

/** The same for tickets. A deleted one still has attendees, for viewers who may read them. */
async function checkTickets(
  name: string,
  wanted: readonly number[],
  { ctx, addProblem }: LookupContext,
): Promise<void> {
  if (wanted.length === 0) return;
  const { db } = ctx.context;
  const tickets = await getTickets(db, wanted);
  const events = await getEvents(db, [...new Set([...tickets.values()].map(({ event_id }) => event_id))]);
  const eventOf = (id: number) => events.find((event) => event.id === id);
  const scope = eventScope(ctx.viewer, 'read_attendees');
  const isKnown = (ticket: Ticket) =>
    isInScope(scope, eventOf(ticket.event_id)) ||
    (ticket.is_deleted === 0 && maySeeTicket(ctx.viewer, ticket, eventOf(ticket.event_id)));
  const known = wanted.filter((id) => [tickets.get(id) ?? []].flat().some(isKnown));
  if (known.length < wanted.length) addProblem(name, { key: 'param.ticket_unknown' });
}

function filterOf(input: Partial<ListInput>, { viewer, context, now }: RequestContext): AttendeeFilter {
  const { decimals } = siteMoney(context.config);
  const minor = (price: number | undefined) => (price === undefined ? undefined : price * 10 ** decimals);
  const scope = eventScope(viewer, 'read_attendees');
  return {
    readable: scope,
    within: PRIVILEGED.every((name) => input[name] === undefined) ? 'all' : scope,
    providers: input.provider && readProviders(input.provider),
    search: input.search,
    name: input.name,
    email: input.email,
    events: input.include_post ?? single(input.post_id),
    exceptEvents: input.exclude_post,
    tickets: input.include_ticket ?? single(input.ticket_id),
    exceptTickets: input.exclude_ticket,
    include: input.include,
    exclude: input.exclude,
    order: input.order_id,
    after: input.after && resolveUtcParam('after', input.after, now),
    before: input.before && resolveUtcParam('before', input.before, now),
    priceMin: minor(input.price_min),
    priceMax: minor(input.price_max),
    eventStatuses: input.post_status,
    statuses: input.status,
    attendanceStatuses: input.order_status,
    checkedIn: input.checkedin,
    going: input.rsvp_going_status,
    hasInformation: input.attendee_information_available,
  };
}

const single = (id: number | undefined): number[] | undefined => (id === undefined ? undefined : [id]);

const sliceOf = (input: Partial<ListInput>, page: { perPage: number; offset: number }): Slice => ({
  orderby: input.orderby ?? 'id',
  order: input.order === 'DESC' ? 'desc' : 'asc',
  limit: page.perPage,
  offset: page.offset,
});
