import type { Finding } from '../drafts.ts';
import { membersOfPhp, phpText, readPhpValue } from './php-value.ts';
import { first, type Site } from './site.ts';
import type { Post, Staging } from './staging.ts';

/** Addresses of a staged site that begin with words other than ours, or that no import takes over. */

const MAX_RULES = 5000;

/** First words of addresses on the old site -> the words here, such as `veranstaltungen` -> `events`. */
export function addressWords(staging: Staging): ReadonlyMap<string, string> {
  const options = membersOfPhp(readPhpValue(staging.option('tribe_events_calendar_options')));
  const words = new Map<string, string>();
  const add = (from: string, to: string) => {
    const word = wordOf(from);
    if (word !== '' && word !== to && !words.has(word)) words.set(word, to);
  };
  add(phpText(options.get('eventsSlug')), 'events');
  add(phpText(options.get('singleEventSlug')), 'event');
  const rules = [...membersOfPhp(readPhpValue(staging.option('rewrite_rules')))].slice(0, MAX_RULES);
  for (const [pattern, query] of rules) {
    const to = targetOf(phpText(query));
    for (const from of to === undefined ? [] : beginningsOf(pattern)) add(from, to ?? '');
  }
  // Without a base of their own, tags are below the base of articles.
  const tags = staging.option('tag_base');
  const front = /^[^%]*/.exec(staging.option('permalink_structure'))?.[0] ?? '';
  add(tags === '' ? `${front}tag` : tags, 'tag');
  return words;
}

function wordOf(path: string): string {
  const word = decoded(path.slice(0, 200))
    .replace(/^\/+|(?<!\/)\/+$/g, '')
    .normalize('NFC')
    .toLowerCase();
  return /^[\p{L}\p{M}\p{N}._~-]+(?:\/[\p{L}\p{M}\p{N}._~-]+){0,3}$/u.test(word) ? word : '';
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}

/** Queries of rules of the old site that find a record by its name, or that show all events in one way. */
const TARGETS: readonly (readonly [query: RegExp, to: string])[] = [
  [/[?&]tribe_events_cat=\$matches\[1\]/, 'events/category'],
  [/[?&]tag=\$matches\[1\](?=.*&post_type=tribe_events)/, 'events/tag'],
  [/[?&]tribe_events=\$matches\[1\]/, 'event'],
  [/[?&]tribe_venue=\$matches\[1\]/, 'venue'],
  [/[?&]tribe_organizer=\$matches\[1\]/, 'organizer'],
  [/^index\.php\?post_type=tribe_events&eventDisplay=(?:default|list)$/, 'events'],
  [/^index\.php\?post_type=tribe_events&eventDisplay=month$/, 'events/month'],
  [/^index\.php\?post_type=tribe_events&eventDisplay=week$/, 'events/week'],
  [/^index\.php\?post_type=tribe_events&eventDisplay=photo$/, 'events/photo'],
  [/^index\.php\?post_type=tribe_events&eventDisplay=map$/, 'events/map'],
];

const targetOf = (query: string): string | undefined =>
  TARGETS.find(([pattern]) => pattern.test(query.slice(0, 500)))?.[1];

const SEGMENT = /^(?:\(\?:([^()[\]\\?*+.^$]{1,200})\)|([^()[\]\\?*+.^$/|]{1,100}))\//;

/** First words of the paths that match a pattern such as `(?:events)/(?:category|kategorie)/(?:[^/]+/)*([^/]+)/?$`. */
function beginningsOf(pattern: string): string[] {
  let rest = pattern.replace(/^\^/, '').replace(/\/\?\$$/, '/');
  let found: string[] = [''];
  for (let segment = SEGMENT.exec(rest); segment; segment = SEGMENT.exec(rest)) {
    const words = (segment[1] ?? segment[2] ?? '').split('|').slice(0, 5);
    found = found.flatMap((before) => words.map((word) => `${before}${word}/`)).slice(0, 20);
    rest = rest.slice(segment[0].length);
  }
  // Only the name of a record may follow.
  return /^(?:\(\?:\[\^\/\]\+\/\)\*)?(?:\(\[\^\/\]\+\)|\(\.\+\?\)|$)/.test(rest) ? found : [];
}

/** Addresses of the posts on a page: pages, articles, and files other than images. */
export function postAddresses(posts: readonly Post[], site: Site): Finding[] {
  return posts.flatMap((post): Finding[] => {
    const path = post.type === 'attachment' ? filePath(post, site) : pagePath(post, site.staging);
    if (path === undefined) return [];
    return [{ code: post.type === 'attachment' ? 'address-file' : 'address-page', detail: path }];
  });
}

/** Exports have no media types. */
const IMAGE = /\.(?:jpe?g|png|gif|webp|avif|svg|bmp|ico|heic)$/i;

function filePath({ id, mime }: Post, { staging }: Site): string | undefined {
  const file = first(staging.meta('post', id), '_wp_attached_file');
  const isPlain = file !== '' && file.length <= 300 && !file.split('/').includes('..');
  return isPlain && !mime.startsWith('image/') && !IMAGE.test(file)
    ? `/wp-content/uploads/${encodeURI(file)}`
    : undefined;
}

const MAX_PARENTS = 10;

function pagePath(post: Post, staging: Staging): string | undefined {
  if (post.status !== 'publish' || post.name === '') return undefined;
  if (post.type === 'post') return articlePath(post, staging.option('permalink_structure'));
  const names: string[] = [];
  for (let at: Post | undefined = post; at && names.length < MAX_PARENTS; at = staging.post(at.parent))
    names.unshift(at.name);
  return `/${names.join('/')}/`;
}

/** The path of an article; undefined if it depends on more than the article. */
function articlePath({ id, name, date }: Post, structure: string): string | undefined {
  const [year = '', month = '', day = '', hour = '', minute = '', second = ''] = date.split(/[- :]/);
  const values: Readonly<Record<string, string>> = {
    ...{ year, monthnum: month, day, hour, minute, second, post_id: String(id), postname: name },
  };
  const path = structure.slice(0, 200).replace(/%(\w{1,20})%/g, (whole, key: string) => values[key] ?? whole);
  return path === '' || path.includes('%category%') || path.includes('%author%') ? undefined : path;
}
