import type { LinkKind, TranslatedKind } from '../../db/tables/calendar.ts';
import type { MediaTable } from '../../db/tables/platform.ts';
import { eventScope, isInScope } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { LINKED_KIND_NAMES, type LinkedKind, perLinkedKind } from '../../lib/linked-kinds.ts';
import { findImages, namesOfImages } from '../../platform/media/images.ts';
import { loadTranslations, type RecordName, type Translations } from '../../platform/translations/store.ts';
import { findLinkedPosts, type LinkedPost } from '../linked-posts/store.ts';
import { findTerms, type Term } from '../terms/store.ts';
import { type Event, type EventLink, findLinks } from './store.ts';
import type { EventTickets, Ticketing, TicketingRequest } from './ticketing.ts';

/** Related data needed to render events. */
export interface EventRelations {
  images: ReadonlyMap<number, MediaTable>;
  linked: Readonly<Record<LinkedKind, ReadonlyMap<number, readonly LinkedPost[]>>>;
  categories: ReadonlyMap<number, readonly Term[]>;
  tags: ReadonlyMap<number, readonly Term[]>;
  ticketing: Ticketing;
  texts: Translations;
  /** Cache of rendered records and terms, which several events may share. */
  rendered: Map<object, unknown>;
}

const byName = (a: Term, b: Term): number =>
  (a.name_key < b.name_key ? -1 : Number(a.name_key > b.name_key)) || a.id - b.id;

/** Loads the related data of some events with a constant number of queries. */
export async function loadRelations(
  ctx: RequestContext,
  events: readonly Event[],
  tickets: EventTickets,
  { withAvailability = false } = {},
): Promise<EventRelations> {
  const { db } = ctx.context;
  const ids = events.map(({ id }) => id);
  const links = await findLinks(db, ids);
  const targets = (...kinds: string[]) =>
    links.filter(({ kind }) => kinds.includes(kind)).map(({ target_id }) => target_id);
  const [posts, terms, ticketing] = await Promise.all([
    findLinkedPosts(db, targets(...LINKED_KIND_NAMES)),
    findTerms(db, targets('category', 'tag')),
    tickets.load(db, ids, ticketingRequest(ctx, events, withAvailability)),
  ]);
  const imageIds = [
    ...new Set([...events, ...posts.values()].flatMap(({ image_id }) => (image_id === null ? [] : [image_id]))),
  ];
  const sold = [...ticketing.tickets.values()].flat();
  const named = [...nameAll('event', events), ...links.map(({ kind, target_id: id }) => ({ kind, id }))];
  const [images, texts] = await Promise.all([
    findImages(db, imageIds),
    // A single read also lists the existing languages.
    loadTranslations(ctx, [...named, ...nameAll('ticket', sold), ...namesOfImages(imageIds)], {
      withAll: withAvailability,
    }),
  ]);
  const byKind = Map.groupBy(links, ({ kind }) => kind);
  const collect = <T extends { id: number }>(kind: LinkKind, known: ReadonlyMap<number, T>) =>
    targetsByEvent(byKind.get(kind) ?? [], known, (target) => texts.show(kind, target));
  return {
    images: new Map([...images].map(([id, image]) => [id, texts.show('media', image)])),
    linked: perLinkedKind((kind) => collect(kind, posts)),
    categories: sortedByName(collect('category', terms)),
    tags: sortedByName(collect('tag', terms)),
    ticketing,
    texts,
    rendered: new Map(),
  };
}

/** Targets of links by event, in order of linking; each is shown once, for all its events. */
function targetsByEvent<T extends { id: number }>(
  links: readonly EventLink[],
  known: ReadonlyMap<number, T>,
  show: (target: T) => T,
): Map<number, T[]> {
  const shown = new Map<number, T>();
  const found = new Map<number, T[]>();
  for (const { event_id, target_id } of links) {
    const target = known.get(target_id);
    if (!target) continue;
    const asShown = shown.get(target_id) ?? show(target);
    shown.set(target_id, asShown);
    const ofEvent = found.get(event_id);
    if (ofEvent) ofEvent.push(asShown);
    else found.set(event_id, [asShown]);
  }
  return found;
}

function sortedByName(terms: Map<number, Term[]>): Map<number, Term[]> {
  for (const ofEvent of terms.values()) ofEvent.sort(byName);
  return terms;
}

const nameAll = (kind: TranslatedKind, records: readonly { id: number }[]): RecordName[] =>
  records.map(({ id }) => ({ kind, id }));

/** Requests attendance figures only of events whose attendees the viewer may see. */
function ticketingRequest(
  { viewer, now, context }: RequestContext,
  events: readonly Event[],
  withAvailability: boolean,
): TicketingRequest {
  const scope = eventScope(viewer, 'read_attendees');
  return {
    now: toUtc(now),
    timezone: context.config.timezone,
    attendanceOf: events.filter((event) => isInScope(scope, event)).map(({ id }) => id),
    withAvailability,
  };
}
