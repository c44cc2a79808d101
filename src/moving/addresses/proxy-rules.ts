import type { Redirects } from './redirects.ts';

/** Rules of proxies for the addresses of imported sites. */

export interface RuleOptions {
  /** Address at which the old site still serves its pages; without one, comments name the pages. */
  pages?: string;
  /** Folder of the old site, which has `wp-content`; without one, comments name the files. */
  folder?: string;
}

/** Lines of a file that nginx includes in the server block of this site. */
export function nginxRules({ words, moved, pages, files }: Redirects, options: RuleOptions): string[] {
  const known = new Set<string>();
  /** A location for one path; nginx refuses a second one. */
  const exact = (path: string, directive: string): string[] => {
    if (known.has(path)) return [];
    known.add(path);
    return [`location = ${quoted(path)} { ${directive}; }`];
  };
  const redirect = (from: string, to: string) => exact(from, `return 301 ${quoted(`${to}$is_args$args`)}`);
  return [
    '# Into the server block of nginx: include marquee-redirects.conf;',
    ...words.flatMap(({ from, to }) => [
      ...redirect(`/${from}`, pathOf(to)),
      `location ^~ ${quoted(`/${from}/`)} { rewrite ${quoted(`^/${pattern(from)}/${to === '' ? LEADING : ''}(.*)$`)} ${quoted(`${pathOf(to)}$1`)} permanent; }`,
    ]),
    ...moved.flatMap(({ from, to }) => redirect(from, withoutVariables(to))),
    ...(options.pages === undefined
      ? left('page', pages)
      : pages.flatMap((path) =>
          withoutSlash(path).flatMap((one) => redirect(one, `${options.pages}${encoded(path)}`)),
        )),
    ...(options.folder === undefined
      ? left('file', files)
      : files.flatMap((path) => exact(path, `root ${quoted(options.folder ?? '')}`))),
  ];
}

/** Lines of a file that Caddy imports in the block of this site. */
export function caddyRules(paths: Redirects, options: RuleOptions): string[] {
  const words = paths.words.filter(({ from }) => isPlain(from));
  const moved = paths.moved.filter(({ from }) => isPlain(from));
  const [pages, files] = [paths.pages.filter(isPlain), paths.files.filter(isPlain)];
  const exact = (from: string, to: string) => `redir ${quoted(from)} ${quoted(to)} 301`;
  return [
    '# Into the block of the site in the Caddyfile: import marquee-redirects.caddy',
    ...words.flatMap(({ from, to }) => [
      exact(`/${from}`, pathOf(to)),
      `handle ${quoted(`/${from}/*`)} {`,
      // A route keeps this order; elsewhere, Caddy sorts directives.
      '\troute {',
      // Caddy strips letters beyond ASCII in their encoded form only.
      `\t\turi strip_prefix ${quoted(encodeURI(`/${from}`))}`,
      `\t\tredir * ${quoted(`${pathOf(to).slice(0, -1)}{uri}`)} 301`,
      '\t}',
      '}',
    ]),
    ...moved.map(({ from, to }) => exact(from, withoutVariables(to))),
    ...(options.pages === undefined
      ? left('page', pages)
      : pages.flatMap((path) => withoutSlash(path).map((one) => exact(one, `${options.pages}${encoded(path)}`)))),
    ...(options.folder === undefined
      ? left('file', files)
      : files.flatMap((path) => [
          `handle ${quoted(path)} {`,
          `\troot * ${quoted(options.folder ?? '')}`,
          '\tfile_server',
          '}',
        ])),
  ];
}

/** Characters after the first slash that make browsers read the rest as another host. */
const LEADING = '[/\\\\[:cntrl:]]*';

const pathOf = (word: string): string => (word === '' ? '/' : `/${word}/`);

/** A path with and without the slash at its end. */
const withoutSlash = (path: string): string[] =>
  path.endsWith('/') && path !== '/' ? [path, path.slice(0, -1)] : [path];

const left = (kind: 'page' | 'file', paths: readonly string[]): string[] => [
  ...(paths.length === 0 ? [] : [`# Not served (${kind === 'page' ? '--pages' : '--folder'} names where they are):`]),
  ...paths.map((path) => `#   ${path}`),
];

/** Whether Caddy takes a path literally, neither as a placeholder nor as a pattern. */
const isPlain = (path: string): boolean => !/[{}*"\\%]/.test(path);

/** Puts a text in quotes. Paths have no control characters. */
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** Literal text in a regular expression. */
const pattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Percent-encodes a path, as in a `Location` header. */
const encoded = (path: string): string => withoutVariables(encodeURI(path));

/** Encodes `$`, which begins a variable of nginx. */
const withoutVariables = (path: string): string => path.replaceAll('$', '%24');
