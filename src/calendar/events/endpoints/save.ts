import type { Database } from '../../../db/database.ts';
import { isUnchanged } from '../../../db/guarded-update.ts';
import { newRecordId } from '../../../db/record-ids.ts';
import type { RequestContext } from '../../../http/core/endpoint.ts';
import { invalidParam } from '../../../http/core/errors.ts';
import { checkRevision } from '../../../http/core/revisions.ts';
import type { LinkedKind } from '../../../lib/linked-kinds.ts';
import type { Cost } from '../../../lib/money/cost.ts';
import { logChange, logCreation } from '../../../platform/audit/log.ts';
import { auditedImage } from '../../../platform/media/audited.ts';
import {
  fetchRemoteImage,
  fetchTimeout,
  type PreparedImage,
  saveImage,
  withImageFiles,
} from '../../../platform/media/image-storage.ts';
import {
  applyTexts,
  changedTranslations,
  isSameTranslations,
  type Texts,
} from '../../../platform/translations/rules.ts';
import { findTranslations } from '../../../platform/translations/store.ts';
import { linkedPostKinds } from '../../linked-kinds/registry.ts';
import {
  authorFor,
  existingImage,
  modifiedTimes,
  type PostInput,
  type PostReferences,
  publish,
  statusFor,
} from '../../posts/post.ts';
import { slugAfter } from '../../posts/slugs.ts';
import { type AttendanceInput, attendanceAfter } from '../attendance.ts';
import { auditedEvent } from '../audited.ts';
import { type PlainInput, plainColumns } from '../event-fields.ts';
import { type EventStatusInput, statusAfter } from '../event-status.ts';
import { beforeChange, keepForItself, lockSeriesOf, type OccurrenceChange } from '../series/own-changes.ts';
import {
  changedLinks,
  type Event,
  type EventValues,
  findEvent,
  insertEvent,
  type Links,
  updateEvent,
} from '../store.ts';
import { type EventTimes, eventTimes, type TimesInput, touchesTimes } from '../times.ts';
import {
  type ImageStore,
  type LinkedReference,
  saveLinkedReferences,
  saveTerms,
  type TermReference,
} from './references.ts';

/** Plain fields of a write. Absent: unchanged. null: cleared. */
export interface EventInput extends PostInput, TimesInput, EventStatusInput, AttendanceInput, PlainInput {
  slug?: string | null;
  post_password?: string | null;
  post_parent?: number | null;
}

/** Resolved values of the other fields of a write. Absent: unchanged. */
export interface EventReferences extends PostReferences {
  cost?: Cost;
  linked?: Partial<Record<LinkedKind, LinkedReference[]>>;
  categories?: TermReference[];
  tags?: TermReference[];
}

interface Write {
  input: EventInput;
  references: EventReferences;
  ctx: RequestContext;
}

/** Continues the creation of an event in its transaction. */
type AfterCreation = (db: Database, id: number) => Promise<void>;

/** Creates an event and the records that it creates inline, atomically. */
export const createEvent = (write: Write, afterwards?: AfterCreation): Promise<number> =>
  withImages(write, (prepared) =>
    write.ctx.context.db.transaction(async (db) => {
      const images = imageStore(db, prepared, write.ctx);
      const links = await saveLinks(db, write, images);
      const id = await newRecordId(db, 'event', write.ctx.keptId);
      const texts = applyTexts('event', write.input, write);
      const values = await valuesOf(db, { ...write, id, images, texts: texts.own });
      await insertEvent(db, id, { values, links, ...changedTranslations(texts) });
      await logCreation(db, write.ctx.actor, { kind: auditedEvent, id });
      await afterwards?.(db, id);
      return id;
    }),
  );

/** Follows a change of an event in its transaction. */
type AfterChange = (db: Database, before: Event, after: Event) => Promise<void>;

/** Further work of a change. */
export interface ChangeOptions {
  afterwards?: AfterChange;
  /** Effect of a change of an occurrence on its series; by default, the change is for the occurrence alone. */
  follow?: (db: Database, change: OccurrenceChange) => Promise<void>;
  /** Last step, also if nothing else changes. */
  last?: (db: Database) => Promise<void>;
}

/**
 * Changes an event and creates inline records, atomically.
 * @throws {OutdatedRevision}
 */
export const changeEvent = (
  id: number,
  write: Write,
  { afterwards, follow = keepForItself, last }: ChangeOptions = {},
): Promise<void> =>
  withImages(write, (prepared) =>
    write.ctx.context.db.transaction(async (db) => {
      await lockSeriesOf(db, id);
      await db.dialect.lock(db, `post-${id}`);
      const current = await findEvent(db, id);
      if (!current) return;
      checkRevision(write.ctx, current);
      const occurrence = await beforeChange(db, current, write.ctx.now);
      const images = imageStore(db, prepared, write.ctx);
      const links = await saveLinks(db, write, images);
      const translations = await findTranslations(db, { kind: 'event', id });
      const texts = applyTexts('event', write.input, { ...write, before: { record: current, translations } });
      const values = await valuesOf(db, { ...write, id, images, current, texts: texts.own });
      const isSame = isUnchanged(current, values) && isSameTranslations(translations, texts.translations);
      if (!isSame || Object.keys(await changedLinks(db, id, links)).length > 0) {
        await logChange(db, write.ctx.actor, { kind: auditedEvent, id }, () =>
          updateEvent(db, current, { values, links, ...changedTranslations(texts, translations) }),
        );
        if (occurrence) await follow(db, occurrence);
        await afterwards?.(db, current, { ...current, ...values });
      }
      await last?.(db);
    }),
  );

/** Fetched images of a write by URL. */
type Prepared = ReadonlyMap<string, PreparedImage>;

/** Fetches the images of a write before its transaction begins, and removes them if it fails. */
async function withImages<T>({ references, ctx }: Write, work: (prepared: Prepared) => Promise<T>): Promise<T> {
  const prepared = new Map<string, PreparedImage>();
  const images = { [Symbol.iterator]: () => prepared.values() };
  return withImageFiles(ctx.context.db, images, async () => {
    const signal = fetchTimeout(ctx.context);
    for (const { name, url } of foreignImages(references)) {
      if (!prepared.has(url)) prepared.set(url, await fetchRemoteImage(name, url, ctx, signal));
    }
    return work(prepared);
  });
}

/** The URLs of a write's images, each with its parameter. */
function foreignImages({ image, linked = {} }: EventReferences) {
  const named = Object.entries(linked).flatMap(([name, references]) =>
    references.flatMap((reference) => ('input' in reference ? [{ name, image: reference.references.image }] : [])),
  );
  return [{ name: 'image', image }, ...named].flatMap(({ name, image }) =>
    image && 'url' in image ? [{ name, url: image.url }] : [],
  );
}

/** Stores a fetched image on first use: several records of a write may share one. */
function imageStore(db: Database, prepared: Prepared, { actor }: RequestContext): ImageStore {
  const saved = new Map<string, number>();
  return async (references, name) => {
    const { image } = references;
    const fetched = image && 'url' in image ? prepared.get(image.url) : undefined;
    if (!fetched) return existingImage(db, references, name);
    const { source_url } = fetched.row;
    const cached = saved.get(source_url);
    if (cached !== undefined) return cached;
    const id = await saveImage(db, fetched);
    await logCreation(db, actor, { kind: auditedImage, id });
    saved.set(source_url, id);
    return id;
  };
}

async function saveLinks(db: Database, { references, ctx }: Write, images: ImageStore): Promise<Links> {
  const { categories, tags, linked = {} } = references;
  const context = { db, ctx, images };
  const links: Links = {
    ...(categories && { category: await saveTerms('category', categories, context) }),
    ...(tags && { tag: await saveTerms('tag', tags, context) }),
  };
  for (const kind of Object.values(linkedPostKinds)) {
    const named = linked[kind.name];
    if (named) links[kind.name] = await saveLinkedReferences(kind, named, context);
  }
  return links;
}

interface EventDraft extends Write {
  id: number;
  images: ImageStore;
  current?: Event;
  texts: Texts;
}

async function valuesOf(db: Database, draft: EventDraft): Promise<EventValues> {
  const { id, input, references, ctx, current, images, texts } = draft;
  const { timezone: siteZone } = ctx.context.config;
  const zone = input.timezone ?? siteZone;
  const request = {
    status: statusFor(ctx.viewer, input.status, current?.status),
    date: input.date,
    date_utc: input.date_utc,
  };
  const publication = publish(request, current, { now: ctx.now, siteZone, zone, epoch: 'local' });
  const plain = plainColumns(input, current, texts);
  const times = timesOf(input, current, { siteZone, now: ctx.now });
  const imageId = await images(references);
  return {
    ...contentOf(input, current),
    ...times,
    ...statusAfter(input, current, { times, now: ctx.now }),
    ...attendanceAfter(input, current),
    ...publication,
    ...costOf(references.cost, current),
    ...(await slugAfter(
      db,
      { kind: 'event', id },
      { current, status: publication.status, title: plain.title, sent: input.slug },
    )),
    ...plain,
    author_id: authorFor(ctx.viewer, input.author, current?.author_id),
    ...modifiedTimes(ctx),
    image_id: (imageId === undefined ? current?.image_id : imageId) ?? null,
  };
}

/**
 * The times after a write, based on the current row: another write may have changed it since the request was validated.
 * @throws {InvalidParams} naming `end_date` if the end is before the start
 */
function timesOf(input: EventInput, current: Event | undefined, setting: { siteZone: string; now: Date }): EventTimes {
  if (current && !touchesTimes(input)) {
    const { all_day, start_date, end_date, utc_start_date, utc_end_date, timezone, timezone_abbr } = current;
    return { all_day, start_date, end_date, utc_start_date, utc_end_date, timezone, timezone_abbr };
  }
  const times = eventTimes(input, current, setting);
  if (times === 'ends-early') throw invalidParam('end_date', 'param.ends_early');
  return times;
}

function contentOf(input: EventInput, current: Event | undefined) {
  return {
    password: input.post_password === undefined ? (current?.password ?? '') : (input.post_password ?? ''),
    parent_id: input.post_parent === undefined ? (current?.parent_id ?? null) : input.post_parent || null,
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
