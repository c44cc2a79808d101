import { Hono, type Context as HonoContext } from 'hono';
import type { Context } from '../../context.ts';
import type { AskAs } from '../../http/ask.ts';
import type { ClientInfo } from '../../http/client-address.ts';
import type { Env } from '../../http/request-lifecycle.ts';
import { siteNameIn } from '../site-name.ts';
import { calendarAddress, segmentsOf } from './address.ts';
import { type Answer, isPage, movedTo } from './answer.ts';
import { ASSETS } from './assets.ts';
import { calendarPage } from './calendar.ts';
import { drawnPicture } from './drawn-picture.ts';
import { embedPage } from './embed.ts';
import { eventPage } from './event.ts';
import { failurePage, notFoundPage } from './failure.ts';
import { pageOfId, pageOfSlug } from './find-record.ts';
import { homePage } from './home.ts';
import { modernised } from './old-addresses.ts';
import { respondPage } from './respond-page.ts';
import { sitemapFile } from './sitemap.ts';
import { orNotFound } from './subject.ts';
import { createVisit, queryText, splitLanguage, type Visit } from './visit.ts';

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
  app.get('/embed.js', (c) => {
    const { type, text } = ASSETS['embed.js'] ?? { type: '', text: '' };
    return c.body(text, 200, { 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' });
  });
  app.get('*', async (c, next) => {
    const elsewhere = canonicalPath(c.req.raw);
    if (elsewhere !== undefined) return c.redirect(elsewhere, 301);
    const { origin, ...client } = peerOf(c);
    const { pathname, searchParams } = new URL(c.req.url);
    const asked = splitLanguage(pathname, context.config);
    const { path, query, isOld } = modernised({ path: asked.path, query: searchParams });
    const visitor = { client, origin, language: asked.language };
    const config = { ...context.config, siteName: await siteNameIn(context, asked.language) };
    const visit = createVisit({ askAs, visitor, path, query, config, now: context.now() });
    const answer = await answerAt(visit, context).catch((error: unknown) => {
      const page = failurePage(visit, error);
      if (page) return page;
      throw error;
    });
    if (!answer && !wantsPage(c.req.raw)) return next();
    const isMoved = isOld && answer && isPage(answer) && answer.status === undefined;
    const sent = isMoved ? movedTo(`${visit.link(path)}${queryText(query)}`) : (answer ?? notFoundPage(visit));
    return respondPage(visit, sent, { request: c.req.raw, summary: c.get('summary') });
  });
  return app;
}

const answerAt = async (visit: Visit, context: Context): Promise<Answer | undefined> =>
  (await sitemapFile(visit, context)) ?? (await oembedFile(visit)) ?? pageAt(visit);

/** `/oembed?url=`, the same as the interface answers at the address of the reference. */
async function oembedFile({ path, query, ask }: Visit): Promise<Answer | undefined> {
  if (path !== '/oembed' && path !== '/oembed/') return undefined;
  const sized = Object.fromEntries(
    ['url', 'maxwidth', 'maxheight'].map((name) => [name, query.get(name) ?? undefined]),
  );
  return {
    type: 'application/json; charset=UTF-8',
    body: JSON.stringify(await orNotFound(ask('events.oembed', sized))),
  };
}

/** The page at an address; undefined if no page has addresses like this. */
async function pageAt(visit: Visit): Promise<Answer | undefined> {
  const { path, query } = visit;
  if (path === '/') return query.has('p') ? pageOfId(visit, query.get('p') ?? '') : homePage(visit);
  const calendar = calendarAddress(path);
  if (calendar) return calendarPage(visit, calendar);
  const [first, second, third, ...rest] = segmentsOf(path) ?? [];
  if (first === 'embed')
    return embedPage(
      visit,
      [second, third, ...rest].filter((word) => word !== undefined),
    );
  if (first === 'event' && third === 'picture.png') return drawnPicture(visit, second ?? '');
  if (first === 'event' && third === 'embed') return movedTo(visit.link(`/embed/event/${second}/`));
  if (first === undefined || third !== undefined) return undefined;
  if (second === undefined) return pageOfSlug(visit, first);
  if (first === 'event') return eventPage(visit, second);
  return first === 'events' ? pageOfSlug(visit, second) : undefined;
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
