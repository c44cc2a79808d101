import type { Database } from '../../db/database.ts';
import { findRecordKind } from '../../db/records.ts';
import { can, mayEdit, mayRead, type Viewer } from '../../http/auth.ts';
import {
  type AnyEndpoint,
  type Call,
  created,
  endpoint,
  type Fields,
  type InputOf,
  type Looking,
  type Method,
  ok,
  type Refuse,
} from '../../http/endpoint.ts';
import { ApiError } from '../../http/errors.ts';
import { anything, boolean, clearable, date, filledText, integer, text, url, zone } from '../../http/input.ts';
import { findPostReferences, ownedAs, postFields } from '../../kinds/post.ts';
import { readCostInput } from '../../lib/cost.ts';
import { plainText } from '../../lib/text.ts';
import { organizer } from '../organizers/organizers.ts';
import { withdrawTicketsOf } from '../tickets/save.ts';
import { venue } from '../venues/venues.ts';
import { isLocked, lookOf, ticketingFor } from './access.ts';
import { eventListEndpoint } from './list.ts';
import { findLinkedReferences, findTermReferences } from './references.ts';
import { changeEvent, createEvent, type EventReferences } from './save.ts';
import { type Event, findEvent, findEventBySlug, removeEvent } from './store.ts';
import { eventTimes, touchesTimes } from './times.ts';
import { eventSchema, loadSurroundings, renderEvent } from './view.ts';

const linkList = (what: string) => ({ type: ['array', 'string', 'integer', 'object', 'null'], description: what });

const eventFields = {
  ...postFields,
  title: filledText('Title.'),
  description: clearable(text('Description. HTML is cleaned.')),
  slug: clearable(filledText('Slug; made from the title when absent.', { max: 300 })),
  excerpt: clearable(text('Excerpt. HTML is cleaned.')),
  timezone: clearable(zone('Time zone of the event; the site’s when absent.')),
  all_day: clearable(boolean('Takes whole days.')),
  start_date: date('When it starts, on the clock of its zone; with an offset an instant.'),
  end_date: date('When it ends; not before it starts.'),
  cost: anything('Cost: a number, a text such as `$10 - $20` or `Free`, or a list.', {
    type: ['string', 'number', 'array', 'null'],
  }),
  website: clearable(url('Web address of the event.')),
  show_map: clearable(boolean('Show a map on the page.')),
  show_map_link: clearable(boolean('Show a link to a map on the page.')),
  hide_from_listings: clearable(boolean('Keep it out of lists.')),
  sticky: clearable(boolean('Pin it in the calendar view.')),
  featured: clearable(boolean('Feature it.')),
  categories: anything('Categories by id, slug or name; unknown names are created. Empty unlinks.', linkList('')),
  tags: anything('Tags by id, slug or name; unknown names are created. Empty unlinks.', linkList('')),
  venue: anything('Venue by id, or as an object that creates it; a list of either. Empty unlinks.', linkList('')),
  organizer: anything('Organizers by id, or as objects that create them. Empty unlinks.', linkList('')),
  post_password: clearable(text('Sets the password readers need; empty removes it. Never shown.', { max: 200 })),
  post_parent: clearable(integer('Event that this one is part of; 0 for none.')),
};

type EventFields = Partial<InputOf<typeof eventFields>>;

interface Writing extends Looking {
  /** The event that an update changes; absent when it names none. */
  current?: Event;
  isUpdate: boolean;
}

/** Looks up everything a write names, and refuses what is not there or cannot be. */
async function findReferences(
  input: EventFields,
  { current, isUpdate, ...looking }: Writing,
): Promise<EventReferences> {
  const { call, refuse } = looking;
  if (input.title !== undefined && plainText(input.title) === '') refuse('title', { key: 'param.filled_text' });
  const cost = input.cost === undefined ? undefined : readCostInput(input.cost, isUpdate ? 'update' : 'create');
  if (input.cost !== undefined && !cost) refuse('cost', { key: 'param.cost' });
  if (input.post_parent) await checkParent(input.post_parent, current, looking);
  if (endsEarly(input, { current, isUpdate, call })) refuse('end_date', { key: 'param.ends_early' });
  return {
    ...(await findPostReferences(input, looking)),
    cost,
    venue: await findLinkedReferences(venue, input.venue, looking),
    organizer: await findLinkedReferences(organizer, input.organizer, looking),
    categories: await findTermReferences('categories', input.categories, looking),
    tags: await findTermReferences('tags', input.tags, looking),
  };
}

/** Whether the dates of a write contradict each other, as far as they could be read. */
function endsEarly(input: EventFields, { current, isUpdate, call }: Omit<Writing, 'refuse'>): boolean {
  const isReadable = isUpdate ? current !== undefined : input.start_date !== undefined && input.end_date !== undefined;
  if (!isReadable || !touchesTimes(input)) return false;
  return eventTimes(input, current, { siteZone: call.context.config.timezone, now: call.now }) === 'ends-early';
}

async function checkParent(id: number, current: Event | undefined, { call, refuse }: Looking): Promise<void> {
  const parent = await findEvent(call.context.db, id);
  const isLoop = current && (await isPartOf(call.context.db, id, current.id));
  if (!parent || !mayRead(call.viewer, parent)) refuse('post_parent', { key: 'param.event_unknown' });
  else if (isLoop) refuse('post_parent', { key: 'param.parent_below' });
}

/** Whether an event is another one, or part of it at any depth. */
async function isPartOf(db: Database, id: number, whole: number): Promise<boolean> {
  const seen = new Set<number>();
  for (let at: number | null | undefined = id; at && !seen.has(at); at = (await findEvent(db, at))?.parent_id) {
    if (at === whole) return true;
    seen.add(at);
  }
  return false;
}

interface Showing {
  withJsonLd?: boolean;
  masked?: boolean;
}

async function show(event: Event, call: Call, showing: Showing = {}) {
  const { db } = call.context;
  return renderEvent(event, await loadSurroundings(db, [event], ticketingFor(call, showing.withJsonLd)), {
    ...lookOf(call),
    ...showing,
  });
}

async function reload(id: number, call: Call): Promise<Event> {
  const event = await findEvent(call.context.db, id);
  if (!event) throw new ApiError('rest-event-not-found');
  return event;
}

const createEndpoint = endpoint({
  namespace: 'events',
  methods: ['POST'],
  path: '/events',
  name: 'events.create',
  summary: 'Create an event',
  description:
    'Venues, organizers, categories and tags that it names and that do not exist are created with it, or nothing is.',
  input: eventFields,
  required: ['title', 'start_date', 'end_date'],
  answers: { 201: eventSchema },
  errors: ['rest_missing_callback_param', 'rest_forbidden'],
  find: (input, call, refuse) => findReferences(input, { call, refuse, isUpdate: false }),
  may: (viewer) => can(viewer, 'edit'),
  async handle(call, input, references) {
    const id = await createEvent({ input, references, call });
    return created(await show(await reload(id, call), call));
  },
});

/** How a request names one event. */
interface Address {
  path: string;
  suffix: string;
  fields: Fields;
  find(input: Readonly<Record<string, unknown>>, call: Call): Promise<Event | undefined>;
}

const byId: Address = {
  path: '/events/{id}',
  suffix: '',
  fields: { id: integer('Id of the event.') },
  find: (input, call) => findEvent(call.context.db, Number(input.id ?? 0)),
};

const bySlug: Address = {
  path: '/events/by-slug/{slug}',
  suffix: '_by_slug',
  fields: { slug: filledText('Slug of the event.') },
  find: (input, call) => findEventBySlug(call.context.db, String(input.slug ?? '')),
};

/** The event a request names. Absent events are answered by the handler, after the rights were judged. */
interface Target {
  event?: Event;
  references?: EventReferences;
}

/** Somebody who may not edit at all learns nothing about which ids exist. */
const mayChange = (viewer: Viewer, { event }: Target): boolean =>
  event ? mayEdit(viewer, ownedAs(event)) : can(viewer, 'edit');

async function requireEvent({ event }: Target, input: Readonly<Record<string, unknown>>, call: Call): Promise<Event> {
  if (event) return event;
  const kind = typeof input.id === 'number' ? await findRecordKind(call.context.db, input.id) : undefined;
  throw new ApiError(kind !== undefined && kind !== 'event' ? 'rest-invalid-event-id' : 'rest-event-not-found');
}

const passwordField = { password: filledText('Password of the event, if it has one.', { max: 200 }) };

function singleEndpoints(address: Address): AnyEndpoint[] {
  const isBySlug = address.suffix !== '';
  const shared = (action: string, methods: readonly Method[]) => ({
    namespace: 'events' as const,
    methods,
    path: address.path,
    name: `events.${action}${address.suffix}`,
    answers: { 200: eventSchema },
  });
  const missing = isBySlug ? [] : (['rest-event-not-found', 'rest-invalid-event-id'] as const);
  const find = async (input: Readonly<Record<string, unknown>>, call: Call, refuse: Refuse): Promise<Target> => {
    const event = await address.find(input, call);
    if (!event && isBySlug) refuse('slug', { key: 'param.event_unknown' });
    return { event };
  };
  return [
    endpoint({
      ...shared('read', ['GET']),
      summary: 'Read an event',
      input: { ...address.fields, ...passwordField },
      errors: [...missing, 'event-no-longer-available', 'event-not-accessible', 'event-password-protected'],
      find,
      async handle(call, input, target) {
        const event = await requireEvent(target, input, call);
        if (event.status === 'trash') throw new ApiError('event-no-longer-available');
        if (!mayRead(call.viewer, event)) throw new ApiError('event-not-accessible');
        if (isLocked(event, call.viewer, input.password)) throw new ApiError('event-password-protected');
        return ok(await show(event, call, { withJsonLd: true }));
      },
    }),
    endpoint({
      ...shared('delete', ['DELETE']),
      summary: 'Move an event to the trash',
      input: { ...address.fields, ...passwordField, force: boolean('Remove it for good instead.') },
      errors: [...missing, 'rest_forbidden', 'event-is-in-trash'],
      find,
      may: mayChange,
      async handle(call, input, target) {
        const event = await requireEvent(target, input, call);
        if (input.force) return removeForGood(event, call);
        if (event.status === 'trash') throw new ApiError('event-is-in-trash');
        await changeEvent(event.id, { input: { status: 'trash' }, references: {}, call });
        return ok(await show(await reload(event.id, call), call));
      },
    }),
    endpoint({
      ...shared('update', ['POST', 'PUT', 'PATCH']),
      summary: 'Change an event',
      description: 'What is not sent stays as it is. A status takes an event out of the trash.',
      input: { ...eventFields, ...address.fields, ...passwordField, 'body.slug': eventFields.slug },
      errors: ['rest-event-not-found', 'rest-invalid-event-id', 'rest_forbidden'],
      async find(input, call, refuse) {
        const event = await address.find(input, call);
        return { event, references: await findReferences(input, { call, refuse, current: event, isUpdate: true }) };
      },
      may: mayChange,
      async handle(call, input, target) {
        const event = await requireEvent(target, input, call);
        // `find` has looked the references up with the event.
        const references = target.references as EventReferences;
        const slug = isBySlug ? input['body.slug'] : input.slug;
        await changeEvent(event.id, { input: { ...input, slug }, references, call });
        return ok(await show(await reload(event.id, call), call));
      },
    }),
  ];
}

async function removeForGood(event: Event, call: Call) {
  const body = await show(event, call);
  await call.context.db.transaction(async (db) => {
    await db.dialect.lock(db, `post-${event.id}`);
    const current = await findEvent(db, event.id);
    // Removed twice at the same time: only one of the two may lower the counts of its terms.
    if (!current) throw new ApiError('rest-event-not-found');
    await withdrawTicketsOf(db, event.id, call);
    await removeEvent(db, current);
  });
  return ok(body);
}

export const eventEndpoints: AnyEndpoint[] = [
  eventListEndpoint,
  createEndpoint,
  ...singleEndpoints(byId),
  ...singleEndpoints(bySlug),
];
