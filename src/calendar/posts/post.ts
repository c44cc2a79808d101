import type { Database } from '../../db/database.ts';
import { can, type Owned, type Viewer } from '../../http/core/auth.ts';
import type { LookupContext, RequestContext } from '../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../http/core/errors.ts';
import { resolveDateParam, resolveUtcParam } from '../../http/input/date-param.ts';
import { alsoAs, clearable, date, field, integer, oneOf } from '../../http/input/schemas.ts';
import { type DateExpression, type LocalTime, localToUtc, toUtc, utcToLocal } from '../../lib/dates/dates.ts';
import { isRecord } from '../../lib/text/list.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import { findImageReference, type ImageReference } from '../../platform/media/image-references.ts';
import { fetchRemoteImage, type PreparedImage, withImageFiles } from '../../platform/media/image-storage.ts';
import { findImages } from '../../platform/media/images.ts';

/** Rules shared by events, venues and organizers: status, publication date, author, image. */

export const STATUSES = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const;
export type Status = (typeof STATUSES)[number];

/** Statuses without a public URL, which need no slug. */
export const UNFINISHED: readonly string[] = ['draft', 'pending'];
export const isUnfinished = (status: string): boolean => UNFINISHED.includes(status);

/** `date_utc` of a draft without a publication date. */
export const NO_DATE: LocalTime = '0000-00-00 00:00:00';

const IMAGE = {
  description:
    'Id of an uploaded image, URL of an image, or an image in the form of responses, identified by its `id`.',
  anyOf: [
    { type: 'string', maxLength: 2000 },
    { type: 'integer', minimum: 1 },
    { type: 'object', properties: { id: { type: 'integer', minimum: 1 } }, required: ['id'] },
    { type: 'boolean', const: false },
  ],
  nullable: true,
};

/** A value of `image`: an id or a URL, as text. */
const imageField = field(
  { type: 'string', maxLength: 2000 },
  'param.image',
  (value) => scalarText(value)?.trim() || undefined,
);

/** Responses have an image as an object, and events without one `false`. */
const shownImage = (value: unknown): unknown => {
  if (value === false) return null;
  return isRecord(value) ? value.id : value;
};

const AUTHOR = {
  description: 'Account of the author; editors and administrators may name an account other than their own.',
  anyOf: [
    { type: 'integer', minimum: 1 },
    { type: 'string', pattern: '^[1-9][0-9]*$' },
  ],
  nullable: true,
};

/** Parameters shared by writes of events, venues and organizers. */
export const postFields = {
  author: alsoAs(clearable(integer(AUTHOR.description, { min: 1 })), { json: AUTHOR }),
  date: clearable(date('Publication date. A future date schedules the publication.')),
  date_utc: alsoAs(clearable(date('Publication date in UTC.')), {
    convert: (value) => (value === NO_DATE ? null : value),
  }),
  status: clearable(oneOf('Publication status.', STATUSES)),
  image: alsoAs(clearable(imageField), { convert: shownImage, json: IMAGE }),
};

export interface PostInput {
  author?: number | null;
  date?: DateExpression | null;
  date_utc?: DateExpression | null;
  status?: Status | null;
  image?: string | null;
}

/** The references of a write. `image` null removes it, absent keeps it. */
export interface PostReferences {
  image?: ImageReference | null;
}

/**
 * Rejects authors and images that do not exist. For viewers without write access none exist, and `authorFor` refuses
 * viewers who may not name another author, so that requests do not reveal which accounts exist.
 */
export async function findPostReferences(input: PostInput, lookup: LookupContext): Promise<PostReferences> {
  const { ctx, addProblem } = lookup;
  const mayWrite = can(ctx.viewer, 'edit');
  const isSettled = mayWrite && !can(ctx.viewer, 'edit_others');
  if (typeof input.author === 'number' && !isSettled) {
    const { query } = ctx.context.db;
    const known = await query.selectFrom('users').select('id').where('id', '=', input.author).executeTakeFirst();
    if (!known || !mayWrite) addProblem('author', { key: 'param.author_unknown' });
  }
  if (input.image === undefined || input.image === null) return { image: input.image };
  return { image: await findImageReference('image', input.image, lookup) };
}

/** Runs a write with its image, which is fetched before the transaction and removed if the transaction fails. */
export async function withImage<T>(
  { image }: PostReferences,
  ctx: RequestContext,
  work: (image: PreparedImage | undefined) => Promise<T>,
): Promise<T> {
  const prepared = image && 'url' in image ? await fetchRemoteImage('image', image.url, ctx) : undefined;
  return withImageFiles(ctx.context.db, prepared ? [prepared] : [], () => work(prepared));
}

/**
 * The id of a write's image: null removes it, undefined keeps it. Called in the transaction of the write, because the
 * image may have been removed since the look-up.
 * @throws {InvalidParams} naming the parameter if it was
 */
export async function existingImage(
  db: Database,
  { image }: PostReferences,
  name = 'image',
): Promise<number | null | undefined> {
  if (!image || 'url' in image) return image as null | undefined;
  const isThere = (await findImages(db, [image.id])).has(image.id);
  if (!isThere) throw invalidParam(name, 'param.image_unknown');
  return image.id;
}

/** The author of a record: the viewer, unless the viewer may name another account. */
export function authorFor(viewer: Viewer, requested: number | null | undefined, current?: number): number {
  const own = current ?? viewer.account?.id ?? 0;
  if (requested === undefined || requested === null || requested === own) return own;
  if (!can(viewer, 'edit_others')) throw new ApiError('rest_forbidden');
  return requested;
}

/**
 * The status of a record after a write. Without the right to publish, `publish` and `future` become `pending`, and
 * `private` is refused. By default the status is unchanged; a new record is published if the viewer may publish,
 * otherwise a draft.
 */
export function statusFor(viewer: Viewer, requested: Status | null | undefined, current?: string): string {
  const mayPublish = can(viewer, 'publish');
  if (requested === undefined || requested === null) return current ?? (mayPublish ? 'publish' : 'draft');
  if (mayPublish || requested === current) return requested;
  if (requested === 'private') throw new ApiError('rest_forbidden');
  return requested === 'publish' || requested === 'future' ? 'pending' : requested;
}

/** A trashed record is judged by its previous status. */
export const ownedAs = (post: Owned & { trashed_from: string }): Owned => ({
  author_id: post.author_id,
  status: post.status === 'trash' ? post.trashed_from || 'draft' : post.status,
});

export interface Publication {
  status: string;
  date: LocalTime;
  date_utc: LocalTime;
}

export interface PublicationRequest {
  status: string;
  date?: DateExpression | null;
  date_utc?: DateExpression | null;
}

export interface PublicationOptions {
  now: Date;
  siteZone: string;
  /** Time zone of a `date` without one. */
  zone: string;
  /** Meaning of a number of seconds: local time as it appears in UTC (events) or an instant (venues, organizers). */
  epoch: 'local' | 'instant';
}

/**
 * Status and publication date after a write. A published record with a future date is scheduled (`future`), and a
 * scheduled one whose date has passed is published; a draft has no `date_utc` until it is set or the draft is
 * published.
 * @throws {InvalidParams} naming the parameter whose date does not exist
 */
export function publish(
  request: PublicationRequest,
  current: Publication | undefined,
  setting: PublicationOptions,
): Publication {
  const dates = publicationDates(request, current, setting);
  const now = toUtc(setting.now);
  if (request.status === 'publish' && dates.date_utc > now) return { status: 'future', ...dates };
  if (request.status === 'future' && dates.date_utc <= now) return { status: 'publish', ...dates };
  return { status: request.status, ...dates };
}

function publicationDates(request: PublicationRequest, current: Publication | undefined, setting: PublicationOptions) {
  const { now, siteZone } = setting;
  const unfinished = isUnfinished(request.status);
  const sent = sentDates(request, setting);
  if (sent.date !== undefined)
    return { date: sent.date, date_utc: unfinished ? (sent.explicitUtc ?? NO_DATE) : sent.date_utc };
  const utcNow = toUtc(now);
  if (current && current.date_utc !== NO_DATE) return { date: current.date, date_utc: current.date_utc };
  if (current && unfinished) return { date: current.date, date_utc: NO_DATE };
  // When a draft is published, a future date is its intended publication date; any other is the date of writing.
  const planned = current && localToUtc(current.date, siteZone).utc;
  if (current && planned !== undefined && planned > utcNow) return { date: current.date, date_utc: planned };
  return { date: utcToLocal(utcNow, siteZone), date_utc: unfinished ? NO_DATE : utcNow };
}

function sentDates({ date: sent, date_utc: utc }: PublicationRequest, setting: PublicationOptions) {
  const local = sent ? resolvePublicationDate(sent, setting) : undefined;
  const explicitUtc = utc ? resolveUtcParam('date_utc', utc, setting.now) : undefined;
  return {
    date: local ?? (explicitUtc && utcToLocal(explicitUtc, setting.siteZone)),
    date_utc: explicitUtc ?? (local ? localToUtc(local, setting.siteZone).utc : NO_DATE),
    explicitUtc,
  };
}

function resolvePublicationDate(date: DateExpression, { now, zone, siteZone, epoch }: PublicationOptions): LocalTime {
  const resolved = resolveDateParam('date', date, { zone, now });
  if (resolved.kind === 'local') return resolved.local;
  return resolved.kind === 'epoch' && epoch === 'local' ? resolved.utc : utcToLocal(resolved.utc, siteZone);
}

/** The time of a change, in site time and in UTC. */
export function modifiedTimes({ now, context }: Pick<RequestContext, 'now' | 'context'>): {
  modified: LocalTime;
  modified_utc: LocalTime;
} {
  const modified_utc = toUtc(now);
  return { modified_utc, modified: utcToLocal(modified_utc, context.config.timezone) };
}
