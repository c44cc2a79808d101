/** Values of parameters by name, wherever they are sent. */
export type Params = Readonly<Record<string, unknown>>;

/** Base URL of all requests, without a trailing slash. */
export function baseAddress(url: string | URL, prefix: string): string {
  const { protocol, username, password, origin, pathname } = parse(String(url));
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError('url is not an http or https address');
  if (username || password) throw new TypeError('url has credentials: use the option for them');
  return `${origin}${withoutSlashes(pathname)}${prefix}`;
}

/** The error of the platform would repeat the URL, which may contain a password. */
function parse(url: string): URL {
  try {
    return new URL(url);
  } catch {
    throw new TypeError('url is not an address');
  }
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/**
 * Fills the placeholders of a path, such as `{id}`.
 * @returns the path, and the remaining parameters
 */
export function fillPath(template: string, params: Params): [path: string, others: Params] {
  const others: Record<string, unknown> = { ...params };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name] ?? '');
    // These would address something else, such as the list.
    if (value === '' || value === '.' || value === '..') throw new TypeError(`${name} must not be empty or dots`);
    delete others[name];
    return encodeURIComponent(value);
  });
  return [path, others];
}

/** A query of all defined values; lists as `name[]=1&name[]=2`, so that items may contain commas. */
export function queryOf(params: Params): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (Array.isArray(value)) for (const member of value) query.append(`${name}[]`, String(member));
    else if (value !== undefined) query.append(name, String(value ?? ''));
  }
  const text = query.toString();
  return text && `?${text}`;
}

/** The body of a write: JSON, or a form if a parameter is a file. */
export function bodyOf(params: Params): string | FormData {
  const entries = Object.entries(params).filter(([, value]) => value !== undefined);
  if (!entries.some(([, value]) => value instanceof Blob)) return JSON.stringify(params);
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value instanceof Blob ? value : String(value));
  return form;
}
