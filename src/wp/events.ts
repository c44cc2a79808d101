import { admitPassword } from '../calendar/events/access.ts';
import { changeEvent, createEvent, type EventInput, type EventReferences } from '../calendar/events/endpoints/save.ts';
import { eventFields, findReferences } from '../calendar/events/endpoints/write-fields.ts';
import type { EventFilter } from '../calendar/events/lists/filter.ts';
import { listEvents } from '../calendar/events/lists/list-query.ts';
import { loadRelations } from '../calendar/events/relations.ts';
import { type Event, findEvent, getEvents } from '../calendar/events/store.ts';
import { renderEvent, renderOptions } from '../calendar/events/view.ts';
import { isLocked } from '../calendar/posts/event-password.ts';
import { mayRead } from '../calendar/posts/visibility.ts';
import { currentCache } from '../db/current-cache.ts';
import type { RequestContext } from '../http/core/endpoint.ts';
import { LINKED_KIND_NAMES } from '../lib/linked-kinds.ts';
import { isRecord } from '../lib/text/list.ts';
import { capitalize } from '../lib/text/text.ts';
import { readLanguage } from '../platform/translations/rules.ts';
import { eventTickets } from '../ticketing/tickets/event-tickets.ts';
import type { MetaFields, Native, PostFilter, PostType, ShownPost } from './post-type.ts';

/** Ids of the linked records in a member of an event, which is one record or a list. */
const idsOf = (value: unknown): number[] =>
  [value].flat().flatMap((item) => (isRecord(item) && typeof item.id === 'number' ? [item.id] : []));

const costOf = ({ cost_details }: Native): string => {
  const { values } = cost_details as { values: readonly string[] };
  return values.join(' - ');
};

/** `_EventVenueID` and the like. */
const linkedMeta: MetaFields = Object.fromEntries(
  LINKED_KIND_NAMES.map((kind) => [
    `_Event${capitalize(kind)}ID`,
    { field: kind, show: ({ [kind]: linked }) => idsOf(linked) },
  ]),
);

/** Events, by the rules of `calendar/events`. */
export const eventType: PostType<Event, EventReferences> = {
  type: 'tribe_events',
  name: 'wp_events',
  singular: 'event',
  plural: 'events',
  fields: eventFields,
  names: {
    title: 'title',
    content: 'description',
    excerpt: 'excerpt',
    password: 'post_password',
    tags: 'tags',
    tribe_events_cat: 'categories',
  },
  meta: {
    _EventStartDate: { field: 'start_date' },
    _EventEndDate: { field: 'end_date' },
    _EventTimezone: { field: 'timezone' },
    _EventAllDay: { field: 'all_day' },
    ...linkedMeta,
    _EventURL: { field: 'website' },
    _EventCost: { field: 'cost', show: costOf },
    _EventShowMap: { field: 'show_map' },
    _EventShowMapLink: { field: 'show_map_link' },
    _EventHideFromUpcoming: { field: 'hide_from_listings' },
    _tribe_featured: { field: 'featured' },
  },
  required: ['title', 'start_date', 'end_date'],
  async list(ctx, filter, page) {
    const { db } = ctx.context;
    const range = { limit: page.perPage, offset: page.offset, state: await currentCache(ctx.context) };
    const { total, ids } = await listEvents(db, filterOf(filter, ctx), range);
    return { total, rows: await getEvents(db, ids) };
  },
  find: (ctx, id) => findEvent(ctx.context.db, id),
  mayRead,
  admit: (ctx, event, password) => admitPassword(ctx, password, [event]),
  show,
  references: findReferences,
  // Both are read by the schemas of `eventFields`.
  create: (ctx, { input, references }) => createEvent({ input: input as EventInput, references, ctx }),
  update: (ctx, id, { input, references }) => changeEvent(id, { input: input as EventInput, references, ctx }),
};

function filterOf({ categories, tags, ...filter }: PostFilter, ctx: RequestContext): EventFilter {
  return {
    ...filter,
    bounds: [],
    language: readLanguage(ctx),
    reader: { viewer: ctx.viewer },
    asksMasked: categories !== undefined || tags !== undefined,
    linked: { ...(categories && { category: categories }), ...(tags && { tag: tags }) },
  };
}

async function show(ctx: RequestContext, events: readonly Event[], password?: string): Promise<ShownPost<Event>[]> {
  const relations = await loadRelations(ctx, events, eventTickets);
  const options = renderOptions(ctx);
  return events.map((event) => {
    const isMasked = isLocked(event, ctx.viewer, password);
    return {
      row: relations.texts.show('event', event),
      native: renderEvent(event, relations, { ...options, masked: isMasked }),
      isMasked,
      image: isMasked || event.image_id === null ? undefined : relations.images.get(event.image_id),
      terms: isMasked
        ? { tags: [], categories: [] }
        : { tags: relations.tags.get(event.id) ?? [], categories: relations.categories.get(event.id) ?? [] },
    };
  });
}
