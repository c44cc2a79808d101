import { Hono, type Context as HonoContext } from 'hono';
import type { Context } from '../../context.ts';
import type { AskAs } from '../../http/ask.ts';
import type { ClientInfo } from '../../http/client-address.ts';
import type { Env } from '../../http/request-lifecycle.ts';
import { calendarAddress, segmentsOf } from './address.ts';
import type { Answer } from './answer.ts';
import { ASSETS } from './assets.ts';
import { calendarPage } from './calendar.ts';
import { eventPage } from './event.ts';
import { failurePage, notFoundPage } from './failure.ts';
import { homePage } from './home.ts';
import { respondPage } from './respond-page.ts';
import { createVisit, splitLanguage, type Visit } from './visit.ts';

interface Options {
  askAs: AskAs;
  peerOf: (c: HonoContext<Env>) => ClientInfo;
}

/** The pages for visitors. Paths that are none of them go to the next handler. */
export function publicPages(context: Context, { askAs, peerOf }: Options): Hono<Env> {
  const app = new Hono<Env>();
  app.get('/assets/:name', (c, next) => {
    const asset = Object.hasOwn(ASSETS, c.req.param('name')) ? ASSETS[c.req.param('name')] : undefined;
    if (!asset) return next();
    // The address of a file has a digest of it.
    const headers = { 'Content-Type': asset.type, 'Cache-Control': 'public, max-age=31536000, immutable' };
    return c.body(asset.text, 200, headers);
  });
  app.get('*', async (c, next) => {
    const elsewhere = canonicalPath(c.req.raw);
    if (elsewhere !== undefined) return c.redirect(elsewhere, 301);
    const { origin, ...client } = peerOf(c);
    const { pathname, searchParams } = new URL(c.req.url);
    const { language, path } = splitLanguage(pathname, context.config);
    const visitor = { client, origin, language };
    const visit = createVisit({
      ...{ askAs, visitor, path },
      config: context.config,
      now: context.now(),
      query: searchParams,
    });
    const answer = await pageAt(visit).catch((error: unknown) => {
      const page = failurePage(visit, error);
      if (page) return page;
      throw error;
    });
    if (!answer && !wantsPage(c.req.raw)) return next();
    return respondPage(visit, answer ?? notFoundPage(visit), { request: c.req.raw, summary: c.get('summary') });
  });
  return app;
}

/** The page at an address; undefined if no page has addresses like this. */
async function pageAt(visit: Visit): Promise<Answer | undefined> {
  const { path } = visit;
  if (path === '/') return homePage(visit);
  const calendar = calendarAddress(path);
  if (calendar) return calendarPage(visit, calendar);
  const [kind, slug, ...rest] = segmentsOf(path) ?? [];
  if (kind === 'event' && slug !== undefined && rest.length === 0) return eventPage(visit, slug);
  return undefined;
}

/**
 * The redirect target for a path with repeated slashes: the same path with single ones. It starts with a single slash,
 * since browsers read a host after two.
 */
function canonicalPath({ url }: Request): string | undefined {
  const { pathname, search } = new URL(url);
  return pathname.includes('//') ? `${pathname.replace(/\/+/g, '/')}${search}` : undefined;
}

/** Whether an unmatched request comes from a browser navigating outside the interface; programs get JSON. */
function wantsPage(request: Request): boolean {
  const isInterface = /^\/(calendar|tribe)(\/|$)/i.test(new URL(request.url).pathname);
  return !isInterface && /\btext\/html\b/i.test(request.headers.get('accept') ?? '');
}
