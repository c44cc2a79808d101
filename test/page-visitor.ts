/**
 * A visitor of the pages with a browser that keeps cookies, posts a form again where it is told to, and follows the
 * redirect to a refused form.
 */
export interface PageVisitor {
  /** The `Cookie` header of the next request. */
  cookies(): string;
  get(path: string): Promise<PageAnswer>;
  post(path: string, form: Record<string, string>, headers?: Record<string, string>): Promise<PageAnswer>;
}

interface PageAnswer {
  status: number;
  headers: Headers;
  location: string;
  text: string;
}

type Request = (path: string, init: RequestInit) => Promise<Response>;

/** A visitor of a site. */
export function pageVisitor(request: Request, origin = 'http://localhost'): PageVisitor {
  const jar = new Map<string, string>();
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const send = async (path: string, init: RequestInit): Promise<PageAnswer> => {
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
    if (response.status === 307) return send(location, init);
    if (response.status === 303 && /\?again=/.test(location)) return send(location, {});
    return { status: response.status, headers: response.headers, location, text: await response.text() };
  };
  return {
    cookies,
    get: (path) => send(path, {}),
    post: (path, form, headers = {}) =>
      send(path, { method: 'POST', body: new URLSearchParams(form), headers: { origin, ...headers } }),
  };
}

/** The hidden fields of the forms of a page. */
export const hiddenFields = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );

/** The main part of a page as text. */
export const wordsIn = (page: string): string =>
  page
    .slice(page.indexOf('<main'), page.indexOf('</main>'))
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
