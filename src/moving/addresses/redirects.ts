import type { Database } from '../../db/database.ts';
import type { AddressedKind } from '../../db/tables/calendar.ts';
import { LINKED_KIND_NAMES, perLinkedKind } from '../../lib/linked-kinds.ts';
import { UPLOADS } from '../../platform/media/images.ts';
import { ADDRESS_CODES } from '../links.ts';

/** Addresses of imported sites that have changed here. */

export interface Redirects {
  /** Beginnings of paths, old and new, without slashes at their ends; the new one may be empty. */
  words: readonly { from: string; to: string }[];
  /** Decoded paths that lead to paths of this site. */
  moved: readonly { from: string; to: string }[];
  /** Decoded paths of pages and articles, which stay behind. */
  pages: readonly string[];
  /** Decoded paths of files other than images. */
  files: readonly string[];
}

/** Redirects of all imports that were not undone. */
export async function findRedirects(db: Database): Promise<Redirects> {
  const kept = await db.query
    .selectFrom('import_findings')
    .innerJoin('imports', 'imports.id', 'import_findings.import_id')
    .select(['code', 'detail', 'source'])
    .where('code', 'in', ADDRESS_CODES)
    .where('undone_utc', 'is', null)
    .orderBy('import_findings.id')
    .execute();
  const imports = await db.query
    .selectFrom('imports')
    .select('source')
    .distinct()
    .where('undone_utc', 'is', null)
    .orderBy('source')
    .execute();
  const sources = imports.map(({ source }) => source).filter((source) => /^https?:/.test(source));
  const folders = [...new Set(sources.map(folderOf))];
  const words = new Map<string, string>();
  const addWord = (path: string, to: string) => {
    const from = decodedPath(path)?.slice(1) ?? '';
    if (from !== '' && from !== to) words.set(from, to);
  };
  for (const folder of folders) addWord(folder, '');
  for (const { code, detail, source } of kept) {
    const [from = '', to = ''] = detail.split(' → ');
    if (code === 'address-word') addWord(`${folderOf(source)}/${encodeURI(from)}`, to);
  }
  const paths = (code: string) => [
    ...new Set(
      kept.flatMap((one) => (one.code === code ? (decodedPath(`${folderOf(one.source)}${one.detail}`) ?? []) : [])),
    ),
  ];
  const moved = [...(await movedRecords(db)), ...(await movedImages(db, sources))].flatMap(({ from, to }) =>
    folders.flatMap((folder) => {
      const path = decodedPath(`${folder}${from}`);
      return path === undefined || path === decodedPath(to) ? [] : [{ from: path, to }];
    }),
  );
  return {
    words: [...words].map(([from, to]) => ({ from, to })),
    ...{ moved, pages: paths('address-page'), files: paths('address-file') },
  };
}

/** Path below which a site was served, without a slash at its end. */
const folderOf = (source: string): string => URL.parse(source)?.pathname.replace(/(?<!\/)\/+$/, '') ?? '';

/** A path as a proxy compares it; undefined for a path that no request can have. */
function decodedPath(path: string): string | undefined {
  try {
    const decoded = decodeURIComponent(path);
    return /[\p{Cc}?#]|\/\/|%2f/iu.test(decoded) || /%2f/i.test(path) ? undefined : decoded;
  } catch {
    return undefined;
  }
}

interface Move {
  from: string;
  to: string;
}

const ROOTS: Readonly<Record<AddressedKind, string>> = {
  ...perLinkedKind((kind) => kind),
  ...{ event: 'event', tag: 'tag', category: 'events/category' },
};

/** Redirects of earlier slugs to their records. */
async function movedRecords({ query }: Database): Promise<Move[]> {
  const rows = await query
    .selectFrom('former_slugs')
    .leftJoin('events', (join) => join.onRef('events.id', '=', 'record_id').on('former_slugs.kind', '=', 'event'))
    .leftJoin('linked_posts', (join) =>
      join.onRef('linked_posts.id', '=', 'record_id').on('former_slugs.kind', 'in', LINKED_KIND_NAMES),
    )
    .leftJoin('terms', (join) =>
      join.onRef('terms.id', '=', 'record_id').on('former_slugs.kind', 'in', ['category', 'tag']),
    )
    .select(['former_slugs.kind', 'former_slugs.slug as former', 'record_id'])
    .select(['events.slug as ofEvent', 'linked_posts.slug as ofLinked', 'terms.slug as ofTerm'])
    .select(['events.status as eventStatus', 'linked_posts.status as linkedStatus'])
    .where('former_slugs.kind', '<>', 'media')
    .orderBy('former_slugs.id')
    .execute();
  const parents = await findParents(query);
  return rows.flatMap(({ kind, former, record_id, ofEvent, ofLinked, ofTerm, eventStatus, linkedStatus }) => {
    const slug = ofEvent ?? ofLinked ?? ofTerm;
    const isPublic = (eventStatus ?? linkedStatus ?? 'publish') === 'publish';
    if (!slug || !isPublic || kind === 'media') return [];
    const path = kind === 'category' ? [...parents(record_id), slug].join('/') : slug;
    return [{ from: `/${ROOTS[kind]}/${former}/`, to: `/${ROOTS[kind]}/${path}/` }];
  });
}

const MAX_PARENTS = 20;

/** Slugs of the ancestors of a category, the outermost first. */
async function findParents(query: Database['query']): Promise<(id: number) => string[]> {
  const terms = await query
    .selectFrom('terms')
    .select(['id', 'slug', 'parent_id'])
    .where('taxonomy', '=', 'category')
    .execute();
  const byId = new Map(terms.map((term) => [term.id, term]));
  return (id) => {
    const slugs: string[] = [];
    for (let at = byId.get(byId.get(id)?.parent_id ?? 0); at && slugs.length < MAX_PARENTS; at = byId.get(at.parent_id))
      slugs.unshift(at.slug);
    return slugs;
  };
}

/** Redirects of image files, and of the pages of images at the source. This site finds other sizes of a file itself. */
async function movedImages({ query }: Database, sources: readonly string[]): Promise<Move[]> {
  const images = await query
    .selectFrom('media')
    .select(['file', 'source_url'])
    .where('source_url', '<>', '')
    .orderBy('id')
    .execute();
  const pages = await query
    .selectFrom('former_slugs')
    .innerJoin('media', 'media.id', 'record_id')
    .select(['former_slugs.slug', 'media.file'])
    .where('former_slugs.kind', '=', 'media')
    .orderBy('former_slugs.id')
    .execute();
  return [
    ...images.flatMap(({ file, source_url }) => {
      const source = sources.find((one) => source_url.startsWith(`${one}/`));
      return source === undefined ? [] : [{ from: source_url.slice(source.length), to: `${UPLOADS}${file}` }];
    }),
    ...pages.map(({ slug, file }) => ({ from: `/${slug}/`, to: `${UPLOADS}${file}` })),
  ];
}
