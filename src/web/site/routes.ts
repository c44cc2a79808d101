import { Hono, type Context as HonoContext } from 'hono';
import type { Context } from '../../base/context.ts';
import { settleConfig } from '../../base/site-config.ts';
import type { Env } from '../../http/connection/request-lifecycle.ts';
import type { Viewer } from '../../http/core/auth.ts';
import type { ClientInfo } from '../../http/core/client-address.ts';
import { cookieIn, hasSession, isForeign } from '../../http/core/cookies.ts';
import { ANY_TIME } from '../../http/core/endpoint.ts';
import type { ReportFault } from '../../http/core/fault-reporter.ts';
import type { Limits } from '../../http/core/limits.ts';
import { Urls } from '../../http/core/urls.ts';
import { entityTag } from '../../http/output/etag.ts';
import { sendBody } from '../../http/output/send-body.ts';
import type { AskAs } from '../../http/pipeline/ask.ts';
import type { SubmitAs } from '../../http/pipeline/submit.ts';
import { getSite } from '../../platform/site/settings.ts';
import { previewAt } from '../event/preview.ts';
import { withPresentWords } from '../frame/address-words.ts';
import { type Answer, isPage, movedTo } from '../frame/answer.ts';
import { ASSETS, THEME } from '../frame/assets.ts';
import { failurePage, foreignPage, notFoundPage } from '../frame/failure.ts';
import { readForm } from '../frame/form.ts';
import { modernised } from '../frame/old-addresses.ts';
import { respondPage } from '../frame/respond-page.ts';
import { siteIn } from '../frame/site-name.ts';
import { NotFound } from '../frame/subject.ts';
import { createVisit, queryText, splitLanguage, type Visit } from '../frame/visit.ts';
import { actAt } from './act-at.ts';
import { formerAnswer } from './former-address.ts';
import { pageAt } from './page-at.ts';
import { protectSecretAddresses } from './secret-address.ts';

interface Options {
  askAs: AskAs;
  submitAs: SubmitAs;
  limits: Pick<Limits, 'countRequest'>;
  reportFault: ReportFault;
  peerOf: (c: HonoContext<Env>) => ClientInfo;
  /** The account whose session a read of a page counts for; a stranger without one. */
  viewerOf: (c: HonoContext<Env>) => Promise<Viewer>;
}

/** For addresses whose content never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** The pages for visitors. Paths that are none of them go to the next handler. */
export function publicPages(context: Context, options: Options): Hono<Env> {
  const app = new Hono<Env>();
  app.get('/assets/:name', (c, next) => {
    const asset = Object.hasOwn(ASSETS, c.req.param('name')) ? ASSETS[c.req.param('name')] : undefined;
    if (!asset) return next();
    // The address of a file has a digest of it.
    const headers = new Headers({ 'Content-Type': asset.type, 'Cache-Control': FOR_EVER });
    const body = Buffer.from(asset.text);
    const kept = { freshUntil: ANY_TIME, showsSeats: false };
    const sent = { status: 200, headers, body, tag: entityTag(body), mayCompress: true, ...kept };
    return sendBody(sent, { request: c.req.raw, summary: c.get('summary') });
  });
  app.get(THEME, async (c, next) => {
    const { theme, revision } = await getSite(context, context.config.languages[0] ?? '');
    if (theme === '') return next();
    // Nobody may have a cache keep these colours as those of a later revision.
    const isPresent = c.req.query('v') === String(revision);
    const headers = { 'Content-Type': 'text/css; charset=UTF-8', 'Cache-Control': isPresent ? FOR_EVER : 'no-cache' };
    return c.body(theme, 200, headers);
  });
  app.get('/embed.js', (c) => {
    const { type, text } = ASSETS['embed.js'] ?? { type: '', text: '' };
    return c.body(text, 200, { 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' });
  });
  app.use('*', protectSecretAddresses);
  app.get('*', async (c, next) => {
    const elsewhere = canonicalPath(c.req.raw);
    if (elsewhere !== undefined) return c.redirect(elsewhere, 301);
    const { visit, isOld } = await visitOf(c, context, options);
    const found = await orFailure(visit, presentOrFormer(visit, context), options);
    const answer = found && isHidden(found) ? ((await previewFor(c, context, options)) ?? found) : found;
    if (!answer && !wantsPage(c.req.raw)) return next();
    const address = visit.link(withSlash(visit.path));
    const isElsewhere = isOld || address !== new URL(c.req.url).pathname;
    const isMoved = isElsewhere && answer && answer === found && isPage(answer) && answer.status === undefined;
    const sent = isMoved ? movedTo(`${address}${queryText(visit.query)}`) : (answer ?? notFoundPage(visit));
    return respondPage(visit, sent, { request: c.req.raw, summary: c.get('summary') });
  });
  app.post('*', async (c, next) => {
    const { visit } = await visitOf(c, context, options);
    const header = (name: string) => c.req.header(name);
    const answer = isForeign({ header, urls: new Urls(visit.origin), context })
      ? foreignPage(visit)
      : await orFailure(visit, posted(visit, c.req.raw, context), options);
    return answer ? respondPage(visit, answer, { request: c.req.raw, summary: c.get('summary') }) : next();
  });
  return app;
}

const isHidden = (answer: Answer): boolean => isPage(answer) && answer.status === 404;

/** The event at an address that strangers may not see yet, for accounts that may. */
async function previewFor(c: HonoContext<Env>, context: Context, options: Options): Promise<Answer | undefined> {
  if (!hasSession(c.req.header('cookie'))) return undefined;
  const viewer = await options.viewerOf(c);
  if (!viewer.account) return undefined;
  const { visit } = await visitOf(c, context, {
    ...options,
    askAs: (visitor, ...asked) => options.askAs({ ...visitor, viewer }, ...asked),
  });
  return orFailure(visit, previewAt(visit), options);
}

const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** What a form leads to. Anything else that is posted is not for a page. */
async function posted(visit: Visit, request: Request, { config }: Context): Promise<Answer | undefined> {
  if (!FORM.test(request.headers.get('content-type') ?? '')) return undefined;
  return actAt(visit, await readForm(request, config));
}

/** What is at an address, or where what was there before is now. */
async function presentOrFormer(visit: Visit, context: Context): Promise<Answer | undefined> {
  const answer = await pageAt(visit, context).catch((error: unknown) => {
    if (error instanceof NotFound) return error;
    throw error;
  });
  if (answer && !(answer instanceof NotFound)) return answer;
  const elsewhere = (await formerAnswer(visit)) ?? ofFormerSite(visit);
  if (!elsewhere && answer) throw answer;
  return elsewhere;
}

function ofFormerSite({ site, path, query, link }: Visit): Answer | undefined {
  const present = withPresentWords(path, site?.address_words ?? []);
  return present === undefined ? undefined : movedTo(`${link(present)}${queryText(query)}`);
}

/** The page in place of one that cannot be shown. */
const orFailure = (
  visit: Visit,
  answer: Promise<Answer | undefined>,
  { reportFault }: Pick<Options, 'reportFault'>,
): Promise<Answer | undefined> =>
  answer.catch((error: unknown) =>
    failurePage(visit, error, (fault) => reportFault(fault, { method: visit.method, path: visit.path })),
  );

async function visitOf(c: HonoContext<Env>, context: Context, { askAs, submitAs, limits, peerOf }: Options) {
  const { origin, ...client } = peerOf(c);
  const { pathname, searchParams } = new URL(c.req.url);
  await settleConfig(context);
  const asked = splitLanguage(pathname, context.config);
  const { path, query, isOld } = modernised({ path: asked.path, query: searchParams });
  const cookie = (name: string) => cookieIn(c.req.header('cookie'), name);
  const visitor = { client, origin, language: asked.language, cookie, header: (name: string) => c.req.header(name) };
  const poster = {
    request: c.req.raw,
    client: { ...client, summary: c.get('summary') },
    origin,
    language: asked.language,
  };
  const visit = createVisit({
    ...{ askAs, visitor, context, path, query, cookie },
    site: await siteIn(context, asked.language),
    method: c.req.method === 'POST' ? 'POST' : 'GET',
    submitAs: (name, submission) => submitAs(poster, name, submission),
    countHeavyRead: async () => void (await limits.countRequest('heavy-reads', { client })),
  });
  return { visit, isOld };
}

/**
 * The redirect target for a path with repeated slashes: the same path with single ones. It starts with a single slash,
 * since browsers read a host after two.
 */
function canonicalPath({ url }: Request): string | undefined {
  const { pathname, search } = new URL(url);
  return pathname.includes('//') ? `${pathname.replace(/\/+/g, '/')}${search}` : undefined;
}

/** All pages have such addresses; files such as feeds are served where they are asked for. */
const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`);

/** Whether an unmatched request comes from a browser navigating outside the interface; programs get JSON. */
function wantsPage(request: Request): boolean {
  const isInterface = /^\/(calendar|tribe)(\/|$)/i.test(new URL(request.url).pathname);
  return !isInterface && /\btext\/html\b/i.test(request.headers.get('accept') ?? '');
}
