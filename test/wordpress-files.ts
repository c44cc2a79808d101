/** A small site of the WordPress original, written as the files that its owner has: an SQL dump and an export. */

type Meta = readonly (readonly [key: string, value: string | null])[];

export interface WordpressPost {
  id: number;
  type: string;
  title?: string;
  content?: string;
  excerpt?: string;
  slug?: string;
  status?: string;
  password?: string;
  author?: number;
  date?: string;
  parent?: number;
  menuOrder?: number;
  mime?: string;
  meta?: Meta;
  /** Ids of terms; unknown ones are of no taxonomy. */
  terms?: readonly number[];
}

interface WordpressTerm {
  id: number;
  taxonomy: string;
  name: string;
  slug: string;
  parent?: number;
  meta?: Meta;
}

interface WordpressUser {
  id: number;
  login: string;
  pass: string;
  email: string;
  meta?: Meta;
}

export interface WordpressSite {
  home: string;
  posts: readonly WordpressPost[];
  terms: readonly WordpressTerm[];
  users: readonly WordpressUser[];
  options: Readonly<Record<string, string>>;
  /** Dates in the table of the lists: post, start, end. */
  dates?: readonly (readonly [number, string, string | null])[];
  /** Coupons and fees: type, name, status. */
  modifiers?: readonly (readonly [string, string, string])[];
}

const DATE = '2026-05-01 08:00:00';
const LOCAL = '2026-05-01 10:00:00';

const quoted = (value: string | number | null): string => {
  if (value === null || typeof value === 'number') return value === null ? 'NULL' : String(value);
  const text = value.replace(/[\\'"\0\n\r]/g, (one) => ({ '\0': '\\0', '\n': '\\n', '\r': '\\r' })[one] ?? `\\${one}`);
  return `'${text}'`;
};

type Row = readonly (string | number | null)[];

const insert = (table: string, rows: readonly Row[]): string =>
  rows.length === 0
    ? ''
    : `INSERT INTO \`${table}\` VALUES\n${rows.map((row) => `(${row.map(quoted).join(',')})`).join(',\n')};\n`;

const create = (table: string, columns: string): string =>
  `CREATE TABLE \`${table}\` (\n${columns
    .split(' ')
    .map((name) => `  \`${name}\` text`)
    .join(',\n')}\n) ENGINE=InnoDB;\n`;

/** Zero, as drafts have it that were never published. */
const gmtOf = ({ date }: WordpressPost): string => (date === undefined ? DATE : date);

/** The dump of a site, with tables of a prefix. */
export function dumpOf(site: WordpressSite, prefix = 'wp_'): string {
  const name = (table: string) => `${prefix}${table}`;
  const metas = (all: readonly { id: number; meta?: Meta }[]): Row[] =>
    all
      .flatMap(({ id, meta = [] }) => meta.map(([key, value]): Row => [0, id, key, value]))
      .map((row, at) => [at + 1, ...row.slice(1)]);
  return [
    '/*M!999999\\- enable the sandbox mode */\n-- MariaDB dump\n/*!40101 SET NAMES utf8mb4 */;\n',
    create(name('options'), 'option_id option_name option_value autoload'),
    insert(
      name('options'),
      Object.entries({ siteurl: site.home, home: site.home, ...site.options }).map(([key, value], at) => [
        at + 1,
        key,
        value,
        'on',
      ]),
    ),
    create(name('postmeta'), 'meta_id post_id meta_key meta_value'),
    insert(name('postmeta'), metas(site.posts)),
    create(
      name('posts'),
      'ID post_author post_date post_date_gmt post_content post_title post_excerpt post_status post_password post_name post_modified post_modified_gmt post_parent menu_order post_type post_mime_type',
    ),
    insert(
      name('posts'),
      site.posts.map((post) => [
        ...[post.id, post.author ?? 1, post.date ?? LOCAL, gmtOf(post), post.content ?? '', post.title ?? ''],
        ...[post.excerpt ?? '', post.status ?? 'publish', post.password ?? '', post.slug ?? '', LOCAL, gmtOf(post)],
        ...[post.parent ?? 0, post.menuOrder ?? 0, post.type, post.mime ?? ''],
      ]),
    ),
    create(name('terms'), 'term_id name slug term_group'),
    insert(
      name('terms'),
      site.terms.map(({ id, name: title, slug }) => [id, title, slug, 0]),
    ),
    create(name('term_taxonomy'), 'term_taxonomy_id term_id taxonomy description parent count'),
    insert(
      name('term_taxonomy'),
      site.terms.map(({ id, taxonomy, parent = 0 }) => [id + 500, id, taxonomy, '', parent, 1]),
    ),
    create(name('term_relationships'), 'object_id term_taxonomy_id term_order'),
    insert(
      name('term_relationships'),
      site.posts.flatMap(({ id, terms = [] }) => terms.map((term): Row => [id, term + 500, 0])),
    ),
    create(name('termmeta'), 'meta_id term_id meta_key meta_value'),
    insert(name('termmeta'), metas(site.terms)),
    create(name('tec_events'), 'event_id post_id start_date end_date'),
    insert(
      name('tec_events'),
      (site.dates ?? []).map(([post, start, end], at) => [at + 1, post, start, end]),
    ),
    create(name('tec_order_modifiers'), 'id modifier_type sub_type raw_amount slug display_name status'),
    insert(
      name('tec_order_modifiers'),
      (site.modifiers ?? []).map(([type, slug, status], at) => [at + 1, type, 'flat', '5.0', slug, slug, status]),
    ),
    create(
      name('users'),
      'ID user_login user_pass user_nicename user_email user_url user_registered user_activation_key user_status display_name',
    ),
    insert(
      name('users'),
      site.users.map(({ id, login, pass, email }) => [id, login, pass, login, email, '', DATE, '', 0, login]),
    ),
    create(name('usermeta'), 'umeta_id user_id meta_key meta_value'),
    insert(name('usermeta'), metas(site.users)),
    '-- Dump completed\n',
  ].join('');
}

const cdata = (text: string): string => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
const metaXml = (element: string, meta: Meta = []): string =>
  meta
    .map(
      ([key, value]) =>
        `<wp:${element}><wp:meta_key>${cdata(key)}</wp:meta_key><wp:meta_value>${cdata(value ?? '')}</wp:meta_value></wp:${element}>`,
    )
    .join('\n');

/** The export file of a site. Values of PHP in it may hold NUL, as those of the original do. */
export function exportOf(site: WordpressSite): string {
  const termOf = (id: number) => site.terms.find((term) => term.id === id);
  const slugOf = (id = 0) => termOf(id)?.slug ?? '';
  const loginOf = (id = 1) => site.users.find((user) => user.id === id)?.login ?? '';
  const authors = site.users.map(
    ({ id, login, email }) =>
      `<wp:author><wp:author_id>${id}</wp:author_id><wp:author_login>${cdata(login)}</wp:author_login><wp:author_email>${cdata(email)}</wp:author_email></wp:author>`,
  );
  const terms = site.terms.map(
    ({ id, taxonomy, name, slug, parent, meta }) =>
      `<wp:term><wp:term_id>${id}</wp:term_id><wp:term_taxonomy>${cdata(taxonomy)}</wp:term_taxonomy><wp:term_slug>${cdata(slug)}</wp:term_slug>
<wp:term_parent>${cdata(slugOf(parent))}</wp:term_parent><wp:term_name>${cdata(name)}</wp:term_name>${metaXml('termmeta', meta)}</wp:term>`,
  );
  const items = site.posts.map((post) => {
    const categories = (post.terms ?? []).flatMap((id) => {
      const term = termOf(id);
      return term ? [`<category domain="${term.taxonomy}" nicename="${term.slug}">${cdata(term.name)}</category>`] : [];
    });
    return `<item><title>${cdata(post.title ?? '')}</title><dc:creator>${cdata(loginOf(post.author))}</dc:creator>
<content:encoded>${cdata(post.content ?? '')}</content:encoded><excerpt:encoded>${cdata(post.excerpt ?? '')}</excerpt:encoded>
<wp:post_id>${post.id}</wp:post_id><wp:post_date>${cdata(post.date ?? LOCAL)}</wp:post_date><wp:post_date_gmt>${cdata(gmtOf(post))}</wp:post_date_gmt>
<wp:post_modified>${cdata(LOCAL)}</wp:post_modified><wp:post_modified_gmt>${cdata(gmtOf(post))}</wp:post_modified_gmt>
<wp:post_name>${cdata(post.slug ?? '')}</wp:post_name><wp:status>${cdata(post.status ?? 'publish')}</wp:status>
<wp:post_parent>${post.parent ?? 0}</wp:post_parent><wp:menu_order>${post.menuOrder ?? 0}</wp:menu_order>
<wp:post_type>${cdata(post.type)}</wp:post_type><wp:post_password>${cdata(post.password ?? '')}</wp:post_password>
${categories.join('')}${metaXml('postmeta', post.meta)}<wp:comment><wp:comment_id>1</wp:comment_id></wp:comment></item>`;
  });
  return `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" xmlns:excerpt="x" xmlns:content="y" xmlns:dc="z" xmlns:wp="w"><channel><title>Site &#38; more</title>
<link>${site.home}</link><wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>${site.home}</wp:base_blog_url>
${[...authors, ...terms, ...items].join('\n')}</channel></rss>\n`;
}

/** PHP's `serialize`, of texts, numbers and objects. */
export function serialized(value: unknown): string {
  if (typeof value === 'string') return `s:${Buffer.byteLength(value)}:"${value}";`;
  if (typeof value === 'number') return Number.isInteger(value) ? `i:${value};` : `d:${value};`;
  if (typeof value === 'boolean') return `b:${value ? 1 : 0};`;
  if (typeof value !== 'object' || value === null) return 'N;';
  const members = Object.entries(value).map(([key, member]) => {
    const name = /^\d+$/.test(key) ? `i:${key};` : serialized(key);
    return `${name}${serialized(member)}`;
  });
  return `a:${members.length}:{${members.join('')}}`;
}
