import type { Context } from '../../base/context.ts';
import type { Viewer } from '../../http/core/auth.ts';
import { cookieIn, hasSession, isForeign } from '../../http/core/cookies.ts';
import { ANY_TIME } from '../../http/core/endpoint.ts';
import type { ReportFault } from '../../http/core/fault-reporter.ts';
import type { Limits } from '../../http/core/limits.ts';
import { type HttpRequest, isReading } from '../../http/core/request.ts';
import { emptyResponse, type HttpResponse, ResponseHeaders, textResponse } from '../../http/core/response.ts';
import { Urls } from '../../http/core/urls.ts';
import { entityTag } from '../../http/output/etag.ts';
import { sendBody } from '../../http/output/send-body.ts';
import type { AskAs } from '../../http/pipeline/call.ts';
import type { PageHandler, PageRequest } from '../../http/pipeline/exchange.ts';
import type { SubmitAs } from '../../http/pipeline/submit.ts';
import { schemeCss } from '../../lib/theme.ts';
import { getSite } from '../../platform/site/settings.ts';
import { collapsed, notOver } from '../calendar/event-windows.ts';
import { eventCard } from '../cards/event-card.ts';
import { previewAt } from '../event/preview.ts';
import { ASSETS, THEME } from '../frame/assets.ts';
import { failurePage, foreignPage, MISSING, notFoundPage } from '../frame/failure.ts';
import { readForm } from '../frame/form.ts';
import { html } from '../frame/html.ts';
import { modernised, withPresentWords } from '../frame/old-addresses.ts';
import { schemeIn } from '../frame/page.ts';
import { isPage, movedTo, type Page, type PageResponse } from '../frame/page-response.ts';
import { respondPage } from '../frame/respond-page.ts';
import { siteIn } from '../frame/site-name.ts';
import { NotFound } from '../frame/subject.ts';
import { createVisit, queryText, splitLanguage, type Visit } from '../frame/visit.ts';
import { actAt } from './act-at.ts';
import { formerResponse } from './former-address.ts';
import { pageAt } from './page-at.ts';
import { protectSecretAddress } from './secret-address.ts';

interface Options {
  askAs: AskAs;
  submitAs: SubmitAs;
  limits: Pick<Limits, 'countRequest'>;
  reportFault: ReportFault;
  /** Viewer of a page, by its session; a visitor without one. */
  viewerOf: (page: PageRequest) => Promise<Viewer>;
}

/** For addresses whose content never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';
const FOLDER = '/assets/';

/** Files that pages load, and the style sheet of the site's colours. */
const pageAssets: PageHandler = (page) => {
  const { request, url, summary } = page;
  const { pathname } = url;
  if (!isReading(request.method)) return undefined;
  if (pathname === THEME) return themeFile(page);
  if (pathname === '/embed.js') {
    const { type, text } = ASSETS['embed.js'] ?? { type: '', text: '' };
    summary.route = pathname;
    return textResponse(text, { headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' } });
  }
  const name = pathname.startsWith(FOLDER) ? pathname.slice(FOLDER.length) : '';
  const asset = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
  if (!asset) return undefined;
  summary.route = '/assets/:name';
  // The address of a file contains its digest.
  const headers = new ResponseHeaders({ 'Content-Type': asset.type, 'Cache-Control': FOR_EVER });
  const body = Buffer.from(asset.text);
  const kept = { freshUntil: ANY_TIME, showsSeats: false };
  return sendBody({ status: 200, headers, body: [body], tag: entityTag(body), mayCompress: true, ...kept }, request);
};

async function themeFile({ url, summary, resolveContext }: PageRequest): Promise<HttpResponse | undefined> {
  const context = await resolveContext();
  const { theme: both, colors, revision } = await getSite(context, context.config.languages[0] ?? '');
  const scheme = schemeIn(url.searchParams);
  const theme = scheme === undefined ? both : schemeCss(colors, scheme);
  if (theme === '') return undefined;
  summary.route = THEME;
  // Caches must not store these colours under another revision.
  const isPresent = url.searchParams.get('v') === String(revision);
  const headers = { 'Content-Type': 'text/css; charset=UTF-8', 'Cache-Control': isPresent ? FOR_EVER : 'no-cache' };
  return textResponse(theme, { headers });
}

/** Pages for visitors with their files, and the response for unknown addresses. */
export const publicPages =
  (options: Options): PageHandler =>
  async (page) => {
    const file = await pageAssets(page);
    if (file) return file;
    const respond = isReading(page.request.method) ? readPage : postPage;
    return protectSecretAddress(page.url, (await respond(page, options)) ?? (await page.respondNoRoute()));
  };

async function readPage(page: PageRequest, options: Options): Promise<HttpResponse | undefined> {
  const { url } = page;
  const elsewhere = canonicalPath(url);
  if (elsewhere !== undefined) return emptyResponse(301, { Location: elsewhere });
  const context = await page.resolveContext();
  const { visit, isOld } = await visitOf(page, context, options);
  const found = await orFailure(visit, presentOrFormer(visit, context), options);
  const response = found && isHidden(found) ? ((await previewFor(page, context, options)) ?? found) : found;
  if (!response && !wantsPage(page)) return undefined;
  const address = visit.link(withSlash(visit.path));
  const isElsewhere = isOld || address !== url.pathname;
  const isMoved = isElsewhere && response && response === found && isPage(response) && response.status === undefined;
  const sent = isMoved ? movedTo(`${address}${queryText(visit.query)}`) : (response ?? notFoundPage(visit));
  return respondPage(visit, isPage(sent) && sent.kind === MISSING ? await withUpcoming(visit, sent) : sent, page);
}

async function postPage(page: PageRequest, options: Options): Promise<HttpResponse | undefined> {
  if (page.request.method !== 'POST') return undefined;
  const context = await page.resolveContext();
  const { visit } = await visitOf(page, context, options);
  const response = isForeign({ header: headerOf(page), urls: new Urls(visit.origin), context })
    ? foreignPage(visit)
    : await orFailure(visit, posted(visit, page.request, context), options);
  return response && respondPage(visit, response, page);
}

/** Number of events on the page of a missing address. */
const UPCOMING = 3;

/** Adds the next events to the page of a missing address. */
async function withUpcoming(visit: Visit, page: Page): Promise<Page> {
  const { ask, link, t } = visit;
  const next = { ...notOver(visit), ...collapsed(visit), per_page: UPCOMING };
  // Without the database, the page alone is better than a failure.
  const events = await ask('events.list', next).then(
    (list) => list.events,
    () => [],
  );
  if (events.length === 0) return page;
  const cards = events.map((event) => html`<li>${eventCard(event, visit, { withDay: true })}</li>`);
  const section = html`<section><h2>${t('home.next')}</h2><ol class="cards">${cards}</ol>
<p><a class="onward" href="${link('/events/')}">${t('home.all')}</a></p></section>`;
  return { ...page, main: html`${page.main}${section}` };
}

/** Reads headers of a request; undefined for missing ones. */
const headerOf =
  ({ request }: PageRequest) =>
  (name: string) =>
    request.headers.get(name) ?? undefined;

const isHidden = (response: PageResponse): boolean => isPage(response) && response.status === 404;

/** Preview of an unpublished event, for accounts that may read it. */
async function previewFor(page: PageRequest, context: Context, options: Options): Promise<PageResponse | undefined> {
  if (!hasSession(headerOf(page)('cookie'))) return undefined;
  const viewer = await options.viewerOf(page);
  if (!viewer.account) return undefined;
  const { visit } = await visitOf(page, context, {
    ...options,
    askAs: (visitor, ...asked) => options.askAs({ ...visitor, viewer }, ...asked),
  });
  return orFailure(visit, previewAt(visit), options);
}

const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** Handles form posts; other POSTs are not for pages. */
async function posted(visit: Visit, request: HttpRequest, { config }: Context): Promise<PageResponse | undefined> {
  if (!FORM.test(request.headers.get('content-type') ?? '')) return undefined;
  return actAt(visit, await readForm(request, config));
}

/** Page at an address, or a redirect from a former one. */
async function presentOrFormer(visit: Visit, context: Context): Promise<PageResponse | undefined> {
  const response = await pageAt(visit, context).catch((error: unknown) => {
    if (error instanceof NotFound) return error;
    throw error;
  });
  if (response && !(response instanceof NotFound)) return response;
  const elsewhere = (await formerResponse(visit)) ?? ofFormerSite(visit);
  if (!elsewhere && response) throw response;
  return elsewhere;
}

function ofFormerSite({ site, path, query, link }: Visit): PageResponse | undefined {
  const present = withPresentWords(path, site?.address_words ?? []);
  return present === undefined ? undefined : movedTo(`${link(present)}${queryText(query)}`);
}

/** Page or error page. */
const orFailure = (
  visit: Visit,
  response: Promise<PageResponse | undefined>,
  { reportFault }: Pick<Options, 'reportFault'>,
): Promise<PageResponse | undefined> =>
  response.catch((error: unknown) =>
    failurePage(visit, error, (fault) => reportFault(fault, { method: visit.method, path: visit.path })),
  );

async function visitOf(page: PageRequest, context: Context, { askAs, submitAs, limits }: Options) {
  const { request, client, origin, url, summary } = page;
  const asked = splitLanguage(url.pathname, context.config);
  const { path, query, isOld } = modernised({ path: asked.path, query: url.searchParams });
  const { language } = asked;
  const header = headerOf(page);
  const cookie = (name: string) => cookieIn(header('cookie'), name);
  const visitor = { context, client, origin, language, cookie, header };
  const visit = createVisit({
    ...{ askAs, visitor, path, query, cookie, hasCookies: header('cookie') !== undefined },
    site: await siteIn(context, language),
    method: request.method === 'POST' ? 'POST' : 'GET',
    submitAs: (name, submission) => submitAs({ request, client, summary, context, origin, language }, name, submission),
    countHeavyRead: async () => void (await limits.countRequest('heavy-reads', { client })),
  });
  return { visit, isOld };
}

/**
 * Redirect target for a path with repeated slashes: the same path with single ones. It starts with a single slash,
 * since browsers read a host after two.
 */
function canonicalPath({ pathname, search }: URL): string | undefined {
  return pathname.includes('//') ? `${pathname.replace(/\/+/g, '/')}${search}` : undefined;
}

/** Pages end in a slash; files such as feeds are served at the requested address. */
const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`);

/** Tests if an unmatched request is a browser's navigation outside the interface; programs get JSON. */
function wantsPage({ request, url }: PageRequest): boolean {
  const isInterface = /^\/(calendar|tribe)(\/|$)/i.test(url.pathname);
  return !isInterface && /\btext\/html\b/i.test(request.headers.get('accept') ?? '');
}
