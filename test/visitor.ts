interface Seen {
  status: number;
  headers: Headers;
  /** Empty if there is none. */
  location: string;
  text: string;
}

/** A visitor of the pages with a browser that keeps cookies. */
export interface Visitor {
  /** The header with the cookies of the site. */
  cookies(): string;
  get(path: string): Promise<Seen>;
  /** Sends a form from a page of the site, unless other headers say otherwise. */
  post(path: string, form: Record<string, string>, headers?: Record<string, string>): Promise<Seen>;
}

/** A visitor of a site of an origin. */
export function visitorOf(
  request: (path: string, init: RequestInit) => Promise<Response>,
  origin = 'http://localhost',
): Visitor {
  const jar = new Map<string, string>();
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const send = async (path: string, init: RequestInit) => {
    const cookie = cookies();
    const response = await request(path, {
      ...init,
      headers: { accept: 'text/html', ...(cookie && { cookie }), ...(init.headers as Record<string, string>) },
      redirect: 'manual',
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (/Max-Age=0\b/.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get('location') ?? '';
    return { status: response.status, headers: response.headers, location, text: await response.text() };
  };
  return {
    cookies,
    get: (path) => send(path, {}),
    post: (path, form, headers = {}) =>
      send(path, { method: 'POST', body: new URLSearchParams(form), headers: { origin, ...headers } }),
  };
}

/** The hidden fields of a form. */
export const hiddenFields = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
