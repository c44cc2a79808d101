import type { Database } from '../../db/database.ts';
import type { Call } from '../../http/endpoint.ts';
import { fetchForeignImage, type PreparedImage, saveImage } from '../../kinds/image.ts';
import { knownImage } from '../../kinds/linked-post.ts';
import { newPostId } from '../../kinds/linked-post-store.ts';
import { authorFor, isUnfinished, type PostInput, type PostReferences, publish, statusFor } from '../../kinds/post.ts';
import { slugFor, trashedSlug, untrashedSlug } from '../../kinds/slugs.ts';
import type { Cost } from '../../lib/cost.ts';
import { toWall, utcToWall } from '../../lib/dates.ts';
import { cleanHtml } from '../../lib/html.ts';
import { slugify } from '../../lib/slug.ts';
import { plainText } from '../../lib/text.ts';
import { organizer } from '../organizers/organizers.ts';
import { venue } from '../venues/venues.ts';
import {
  fetchInlineImages,
  type InlineImages,
  type LinkedReference,
  saveLinkedReferences,
  saveTerms,
  type TermReference,
} from './references.ts';
import { type Event, type EventValues, findEvent, insertEvent, type Links, updateEvent } from './store.ts';
import type { EventTimes } from './times.ts';

/** The plain fields of a write. Absent stays as it is, null clears. */
export interface EventInput extends PostInput {
  title?: string;
  description?: string | null;
  excerpt?: string | null;
  slug?: string | null;
  website?: string | null;
  show_map?: boolean | null;
  show_map_link?: boolean | null;
  hide_from_listings?: boolean | null;
  sticky?: boolean | null;
  featured?: boolean | null;
  post_password?: string | null;
  post_parent?: number | null;
  timezone?: string | null;
}

/** What the other fields of a write were found to mean. Absent stays as it is. */
export interface EventReferences extends PostReferences {
  times?: EventTimes;
  cost?: Cost;
  venue?: LinkedReference[];
  organizer?: LinkedReference[];
  categories?: TermReference[];
  tags?: TermReference[];
}

interface Write {
  input: EventInput;
  references: EventReferences;
  call: Call;
}

/** Creates an event with everything it names, or nothing at all. */
export const createEvent = (write: Write): Promise<number> =>
  withImages(write, async (images) =>
    write.call.context.db.transaction(async (db) => {
      const links = await saveLinks(db, write, images);
      const id = await newPostId(db, 'event');
      await insertEvent(db, id, { values: await valuesOf(db, { ...write, id, images }), links });
      return id;
    }),
  );

/** Changes an event, and creates what the write names with it, or does nothing at all. */
export const changeEvent = (id: number, write: Write): Promise<void> =>
  withImages(write, async (images) =>
    write.call.context.db.transaction(async (db) => {
      await db.dialect.lock(db, `post-${id}`);
      const current = await findEvent(db, id);
      if (!current) return;
      const links = await saveLinks(db, write, images);
      await updateEvent(db, current, { values: await valuesOf(db, { ...write, id, images, current }), links });
    }),
  );

interface Images {
  own?: PreparedImage;
  inline: InlineImages;
}

/** Fetches the images a write names before its transaction begins, and removes them again when it fails. */
async function withImages<T>({ references, call }: Write, work: (images: Images) => Promise<T>): Promise<T> {
  const prepared: PreparedImage[] = [];
  try {
    const { image } = references;
    const own = image && 'url' in image ? await fetchForeignImage('image', image.url, call) : undefined;
    if (own) prepared.push(own);
    const venues = await fetchInlineImages(venue, references.venue ?? [], call);
    prepared.push(...venues.values());
    const organizers = await fetchInlineImages(organizer, references.organizer ?? [], call);
    prepared.push(...organizers.values());
    return await work({ own, inline: new Map([...venues, ...organizers]) });
  } catch (error) {
    for (const image of prepared) await image.discard();
    throw error;
  }
}

async function saveLinks(db: Database, { references, call }: Write, images: Images): Promise<Links> {
  const { categories, tags, venue: venues, organizer: organizers } = references;
  const context = { db, call, images: images.inline };
  return {
    ...(categories && { category: await saveTerms(db, 'category', categories) }),
    ...(tags && { tag: await saveTerms(db, 'tag', tags) }),
    ...(venues && { venue: await saveLinkedReferences(venue, venues, context) }),
    ...(organizers && { organizer: await saveLinkedReferences(organizer, organizers, context) }),
  };
}

interface Making extends Write {
  id: number;
  images: Images;
  current?: Event;
}

async function valuesOf(db: Database, making: Making): Promise<EventValues> {
  const { input, references, call, current, images } = making;
  const { timezone: siteZone } = call.context.config;
  const zone = input.timezone ?? siteZone;
  const asked = {
    status: statusFor(call.viewer, input.status, current?.status),
    date: input.date,
    date_utc: input.date_utc,
  };
  const publication = publish(asked, current, { now: call.now, siteZone, zone, epoch: 'wall' });
  const modified_utc = toWall(call.now);
  const title = input.title === undefined ? (current?.title ?? '') : plainText(input.title);
  const imageId = images.own ? await saveImage(db, images.own) : knownImage(references);
  return {
    ...contentOf(input, current),
    ...(references.times ?? timesOf(current)),
    ...publication,
    ...costOf(references.cost, current),
    ...(await addressOf(db, making, { title, status: publication.status })),
    title,
    author_id: authorFor(call.viewer, input.author, current?.author_id),
    modified_utc,
    modified: utcToWall(modified_utc, siteZone),
    image_id: (imageId === undefined ? current?.image_id : imageId) ?? null,
  };
}

function timesOf(current: Event | undefined): EventTimes {
  if (!current) throw new Error('an event is created with its times');
  const { all_day, start_date, end_date, utc_start_date, utc_end_date, timezone, timezone_abbr } = current;
  return { all_day, start_date, end_date, utc_start_date, utc_end_date, timezone, timezone_abbr };
}

function contentOf(input: EventInput, current: Event | undefined) {
  const html = (sent: string | null | undefined, kept = '') => (sent === undefined ? kept : cleanHtml(sent ?? ''));
  const text = (sent: string | null | undefined, kept = '') => (sent === undefined ? kept : (sent ?? ''));
  const flag = (sent: boolean | null | undefined, kept: 0 | 1 = 0): 0 | 1 =>
    sent === undefined ? kept : (Number(sent ?? false) as 0 | 1);
  return {
    description: html(input.description, current?.description),
    excerpt: html(input.excerpt, current?.excerpt),
    password: text(input.post_password, current?.password),
    website: text(input.website, current?.website),
    parent_id: input.post_parent === undefined ? (current?.parent_id ?? null) : input.post_parent || null,
    show_map: flag(input.show_map, current?.show_map),
    show_map_link: flag(input.show_map_link, current?.show_map_link),
    hide_from_listings: flag(input.hide_from_listings, current?.hide_from_listings),
    sticky: flag(input.sticky, current?.sticky),
    featured: flag(input.featured, current?.featured),
  };
}

function costOf(cost: Cost | undefined, current: Event | undefined) {
  if (cost) {
    return {
      cost: JSON.stringify(cost.values),
      currency_symbol: cost.symbol,
      currency_position: cost.position,
      currency_code: '',
    };
  }
  return {
    cost: current?.cost ?? '[]',
    currency_symbol: current?.currency_symbol ?? '',
    currency_position: current?.currency_position ?? '',
    currency_code: current?.currency_code ?? '',
  };
}

/**
 * The slug, and the memory of the trash. A draft has no slug until it is given one or leaves the draft; a title that
 * changes leaves the slug alone.
 */
async function addressOf(
  db: Database,
  { input, id, current }: Making,
  { title, status }: { title: string; status: string },
) {
  const kept = current?.status === 'trash' ? untrashedSlug(current.slug) : (current?.slug ?? '');
  if (status === 'trash') {
    if (current?.status === 'trash') return { slug: current.slug, trashed_from: current.trashed_from };
    return { slug: await trashedSlug(db, { kind: 'event', id }, kept), trashed_from: current?.status ?? 'draft' };
  }
  const slug = slugify(input.slug ?? '') || kept;
  if (slug === '' && isUnfinished(status)) return { slug: '', trashed_from: '' };
  return { slug: await slugFor(db, { kind: 'event', id, status, title, slug }), trashed_from: '' };
}
