import { followMerges } from '../calendar/library/merged-records.ts';
import type { Database } from '../db/database.ts';
import { scalarText } from '../lib/text/scalar-text.ts';
import { originalOf } from '../platform/media/former-files.ts';
import type { InProcessContext } from '../platform/users/in-process-context.ts';
import type { Former, NewChange } from './changes.ts';
import { type Draft, type Finding, idOf } from './drafts.ts';
import { findStoredImages } from './images.ts';
import { findLink, findRecordIds, type Link, type LinkKind } from './links.ts';
import type { PageLinks } from './page-links.ts';
import { findRevision } from './plan.ts';
import { imagesIn, importedHtml } from './texts.ts';
import { Unimportable } from './write-owned.ts';

/** Converts records of a source to parameters of our endpoints. */

export interface Writing {
  ctx: InProcessContext;
  /** Address of the source. */
  source: string;
  importId: number;
  /** Whether records keep the ids that they have at the source; true by default. */
  keepsIds?: boolean;
  /** Notes for undoing the import, which are saved with the page. */
  changes: NewChange[];
  /** Links of the page, if they were preloaded. */
  links?: PageLinks;
}

export type Params = Record<string, unknown>;

/** Circumstances of one record. */
export interface At {
  db: Database;
  ctx: InProcessContext;
  writing: Writing;
  findings: Finding[];
  /** Whether an existing record of this site was used in place of a new one. */
  isMatched: boolean;
  former?: Former;
}

/** Parameters with our own ids, and with texts adapted to this site. */
export async function paramsOf(draft: Draft, at: At): Promise<Params> {
  const { fields, kind } = draft;
  const params: Params = { ...fields };
  for (const name of ['description', 'excerpt']) {
    const text = params[name];
    if (typeof text === 'string' && text !== '') params[name] = await htmlOf(text, at);
  }
  if (kind === 'event') {
    params.venue = await idsOf('venue', fields.venue, at);
    params.organizer = await idsOf('organizer', fields.organizer, at);
    params.categories = await idsOf('category', fields.categories, at);
    params.tags = await idsOf('tag', fields.tags, at);
  }
  if ('author' in params) {
    const author = idOf(params.author);
    params.author = (await linkOf('account', author, at))?.record_id ?? undefined;
    if (params.author === undefined) {
      delete params.author;
      at.findings.push({ code: 'author-missing', detail: String(author) });
    }
  }
  if (kind === 'category') [params.parent] = [...(await idsOf('category', [fields.parent], at)), 0];
  if (kind === 'ticket') {
    const [event] = await idsOf('event', [fields.post_id], at);
    if (event === undefined) throw new Unimportable({ code: 'no-event', detail: scalarText(fields.post_id) ?? '' });
    params.post_id = event;
  }
  if ('image' in fields) {
    params.image = await imageOf(draft, at);
    if (params.image === undefined) delete params.image;
  }
  return params;
}

async function htmlOf(html: string, { db, writing, findings }: At): Promise<string> {
  const stored = await findStoredImages(db, imagesIn(html, writing.source));
  return importedHtml(html, {
    address: writing.source,
    imageAt: (url) => stored.get(originalOf(url))?.path,
    onShortcode: (name) => findings.push({ code: 'shortcode', detail: name }),
  });
}

async function imageOf({ image }: Draft, { db, writing, findings }: At): Promise<number | undefined> {
  if (!image) return undefined;
  const id = (await linkOf('media', image.id, { db, writing }))?.record_id ?? undefined;
  const stored =
    id ??
    (image.url === '' ? undefined : (await findStoredImages(db, [originalOf(image.url)])).values().next().value?.id);
  if (stored === undefined) findings.push({ code: 'image-missing', detail: `${image.id} ${image.url}`.trim() });
  return stored;
}

/** Our ids of records that an event refers to, without those that were deleted here. */
async function idsOf(
  kind: LinkKind & ('venue' | 'organizer' | 'category' | 'tag' | 'event'),
  foreign: unknown,
  at: At,
): Promise<number[]> {
  const { db, writing } = at;
  const ids = Array.isArray(foreign) ? foreign.map(idOf).filter((id) => id !== 0) : [];
  const { links } = writing;
  const present = links && ids.map((id) => links.presentId(kind, id));
  if (present && !present.includes('unknown')) {
    const missing = await Promise.all(ids.map(async (id) => ((await linkOf(kind, id, at))?.record_id ? [] : [id])));
    noteMissing(kind, missing.flat(), at);
    return present.flatMap((id) => (typeof id === 'number' ? [id] : []));
  }
  const known = await findRecordIds(db, writing.source, kind, ids);
  const found =
    kind === 'event'
      ? [...known.values()]
      : ((await followMerges(db, { [kind]: ids.flatMap((id) => known.get(id) ?? []) }))[kind] ?? []);
  const left: number[] = [];
  for (const id of found) if ((await findRevision(db, kind, id)) !== undefined) left.push(id);
  const missing = ids.filter((id) => !known.has(id));
  noteMissing(kind, missing, at);
  return left;
}

function noteMissing(kind: LinkKind, ids: readonly number[], { findings }: At): void {
  if (ids.length > 0 && kind !== 'event')
    findings.push({ code: 'reference-missing', detail: `${kind} ${ids.join(', ')}` });
}

/** The link of a record of the source. */
export const linkOf = (
  kind: LinkKind,
  id: number,
  { db, writing }: Pick<At, 'db' | 'writing'>,
): Promise<Link | undefined> =>
  writing.links ? writing.links.find(db, kind, id) : findLink(db, writing.source, kind, id);
