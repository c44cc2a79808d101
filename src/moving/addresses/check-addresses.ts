/** Requests addresses of an old site from this one, and reports the responses that differ. */

export interface OldAddress {
  /** Path with its query, as requested. */
  path: string;
  /** Status at the old site; by default the address is expected to work. */
  status: number;
}

/** The members of a response that are compared. */
interface Asked {
  status: number;
  location: string | null;
}

export type Ask = (path: string) => Promise<Asked>;

/**
 * Reads a line such as `/event/jazz/ 200`, or with a whole address. Anything after the status is ignored.
 * @returns undefined for a line without an address: an empty one, or a comment
 */
export function readAddress(line: string): OldAddress | undefined {
  const [address = '', status = ''] = line.trim().split(/\s+/, 2);
  if (address === '' || address.startsWith('#')) return undefined;
  const url = URL.parse(address, 'http://site.invalid');
  if (!url || !/^https?:$/.test(url.protocol) || !/^(?:\/|https?:)/i.test(address)) return undefined;
  // The path stays as it is written: parsers change doubled slashes and dots.
  const path = address.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  return { path: path.startsWith('/') ? path : `/${path}`, status: /^[1-5]\d\d$/.test(status) ? Number(status) : 200 };
}

/**
 * Compares the response to an address with the former one. An address that worked must still work, in place or by one
 * redirect; a missing one must still be missing.
 * @returns a sentence if the responses differ
 */
export async function differenceAt({ path, status }: OldAddress, ask: Ask): Promise<string | undefined> {
  const first = await ask(path);
  const target = first.status >= 300 && first.status < 400 ? localTarget(first.location, path) : undefined;
  const wanted = status < 400;
  if (first.status >= 300 && first.status < 400 && target === undefined)
    return wanted && first.location !== null
      ? undefined
      : `before ${status}, here ${first.status} to ${first.location}`;
  const last = target === undefined ? first : await ask(target);
  const shown =
    target === undefined ? `${last.status}` : `${first.status} to ${target}, which responds with ${last.status}`;
  const isSame = wanted ? last.status >= 200 && last.status < 300 : groupOf(last.status) === groupOf(status);
  return isSame ? undefined : `before ${status}, here ${shown}`;
}

/** Treats 410 like 404. */
const groupOf = (status: number): number => (status === 410 ? 404 : status);

/** The path of a redirect within this site; undefined for one to another site. */
function localTarget(location: string | null, path: string): string | undefined {
  const base = new URL('http://site.invalid');
  const url = location === null ? null : URL.parse(location, new URL(path, base));
  return url?.host === base.host ? `${url.pathname}${url.search}` : undefined;
}
