/** Versions of the namespaces, by name without their first word. */
export const NAMESPACE_VERSIONS = { events: 'v1', tickets: 'v1', admin: 'v1', wp: 'v2' } as const;

/** `root` is the level above the namespaces. */
export type NamespaceName = keyof typeof NAMESPACE_VERSIONS | 'root';

/**
 * Whether the OpenAPI documents describe a namespace. `wp` is described elsewhere, by the project whose clients it is
 * for; docs/clients.md says which part of it there is.
 */
export const isDocumented = (name: NamespaceName): boolean => name !== 'wp';

/**
 * Builds addresses in the spelling of the current request: same origin, prefix and first word (`calendar`, or `tribe`
 * for clients of the reference).
 */
export class Urls {
  /** Scheme, host and port; no trailing slash. */
  readonly origin: string;
  /** `` or `/wp-json`. */
  readonly prefix: string;
  /** `calendar` or `tribe`. */
  readonly word: string;

  constructor(origin: string, prefix = '', word = 'calendar') {
    this.origin = origin;
    this.prefix = prefix;
    this.word = word;
  }

  /** Whether the client uses the prefix of the servers that Marquee is compatible with. */
  get isReference(): boolean {
    return this.word === 'tribe';
  }

  /** The root of the REST interface, with a trailing slash. */
  get root(): string {
    return `${this.origin}${this.prefix}/`;
  }

  /** The path of a namespace below the root; empty for the root itself. */
  namespace(name: NamespaceName): string {
    if (name === 'root') return '';
    const version = `${name}/${NAMESPACE_VERSIONS[name]}`;
    return name === 'wp' ? version : `${this.word}/${version}`;
  }

  rest(name: NamespaceName, path = ''): string {
    return `${this.root}${this.namespace(name)}${path}`;
  }

  page(path: string): string {
    return `${this.origin}${path}`;
  }

  /** Host, without port, and id: the same record has the same one wherever it is read. Ticketing says the type too. */
  globalId(id: number, type?: string): string {
    return `${new URL(this.origin).hostname}?${type === undefined ? '' : `type=${type}&`}id=${id}`;
  }

  /** Name of a taxonomy as the client's vocabulary has it. */
  taxonomy(name: 'category' | 'tag'): string {
    return name === 'category' ? `${this.word}_events_cat` : 'post_tag';
  }

  /** Name of a kind of post as the client's vocabulary has it. */
  postType(kind: string): string {
    return kind === 'event' ? `${this.word}_events` : `${this.word}_${kind}`;
  }
}

export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;

/** Percent-encodes a query; undefined values are left out, lists become CSV, booleans 1 and 0. */
export function encodeQuery(values: Readonly<Record<string, QueryValue>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const text = typeof value === 'boolean' ? String(Number(value)) : String(value);
    return [`${encodeURIComponent(name)}=${encodeURIComponent(text)}`];
  });
  return pairs.join('&');
}
