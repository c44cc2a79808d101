import { joined } from '../../lib/text/joined.ts';

/** Versions of the namespaces, by name without the product word. */
export const NAMESPACE_VERSIONS = { events: 'v1', tickets: 'v1', admin: 'v1', wp: 'v2' } as const;

/** `root` is the level above the namespaces. */
export type NamespaceName = keyof typeof NAMESPACE_VERSIONS | 'root';

/**
 * Tests if the OpenAPI documents include a namespace. The project that defines `wp` documents it; docs/clients.md lists
 * the supported part.
 */
export const isDocumented = (name: NamespaceName): boolean => name !== 'wp';

/**
 * Builds URLs in the style of the current request: same origin, prefix and product word (`calendar`, or `tribe` for
 * clients of the reference).
 */
export class Urls {
  /** Scheme, host and port; no trailing slash. */
  readonly origin: string;
  /** `` or `/wp-json`. */
  readonly prefix: string;
  /** `calendar` or `tribe`. */
  readonly word: string;
  #knownHost: string | undefined;
  readonly #roots: Partial<Record<NamespaceName, string>> = {};

  constructor(origin: string, prefix = '', word = 'calendar') {
    this.origin = origin;
    this.prefix = prefix;
    this.word = word;
  }

  /** Identifies the style: objects with equal styles build the same URLs. */
  get style(): string {
    return `${this.origin}${this.prefix} ${this.word}`;
  }

  /** True if the request uses the namespaces of the reference. */
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
    this.#roots[name] ??= `${this.root}${this.namespace(name)}`;
    return joined(this.#roots[name], path);
  }

  page(path: string): string {
    return joined(this.origin, path);
  }

  get #host(): string {
    this.#knownHost ??= this.origin.replace(/^\w+:\/\//, '').replace(/:\d+$/, '');
    return this.#knownHost;
  }

  /** Global id, the same for all requests: the host without its port, and the id. Ticketing adds the type. */
  globalId(id: number, type?: string): string {
    return joined(this.#host, type === undefined ? '?id=' : `?type=${type}&id=`, String(id));
  }

  /** Name of a taxonomy in the client's vocabulary. */
  taxonomy(name: 'category' | 'tag'): string {
    return name === 'category' ? joined(this.word, '_events_cat') : 'post_tag';
  }

  /** Name of a post type in the client's vocabulary. */
  postType(kind: string): string {
    return kind === 'event' ? `${this.word}_events` : `${this.word}_${kind}`;
  }
}

export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;

/** Percent-encodes a query. Undefined values are omitted, lists become CSV, booleans 1 and 0. */
export function encodeQuery(values: Readonly<Record<string, QueryValue>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const text = typeof value === 'boolean' ? String(Number(value)) : String(value);
    return [`${encodeURIComponent(name)}=${encodeURIComponent(text)}`];
  });
  return pairs.join('&');
}
