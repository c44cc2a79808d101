/** The namespaces of the interface, without the word they begin with; `root` is what stands above them. */
export type NamespaceName = 'root' | 'events' | 'tickets' | 'admin';

/**
 * Addresses as the request that is being answered wrote them: same origin, same prefix, same first word
 * (`calendar`, or `tribe` for clients of the reference), so that a client never has to leave the spelling it uses.
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
    return name === 'root' ? '' : `${this.word}/${name}/v1`;
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

/** A percent-encoded query of what is set: lists as CSV, true as 1 and false as 0. Empty without any. */
export function encodeQuery(values: Readonly<Record<string, QueryValue>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const text = typeof value === 'boolean' ? String(Number(value)) : String(value);
    return [`${encodeURIComponent(name)}=${encodeURIComponent(text)}`];
  });
  return pairs.join('&');
}
