import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type Context as HonoContext } from 'hono';
import { SETTINGS } from './config.ts';
import type { Context } from './context.ts';
import { storageFaultOf } from './db/errors.ts';
import { examplesEndpoint } from './demo/examples.ts';
import { createAsk } from './http/ask.ts';
import { ANONYMOUS } from './http/auth.ts';
import { batchEndpoint } from './http/batch.ts';
import { addressOf, clientInfoOf, proxyTrust } from './http/client-address.ts';
import { sessionOf } from './http/cookies.ts';
import { withDiscovery } from './http/discovery.ts';
import type { AnyEndpoint, RequestContext } from './http/endpoint.ts';
import type { IncomingRequest, ServerDeps } from './http/exchange.ts';
import { createFaultReporter } from './http/fault-reporter.ts';
import { createOverloadGuard, type OverloadGuard } from './http/overload.ts';
import { createIdSource, foreignId } from './http/request-id.ts';
import { type Env, requestLifecycle } from './http/request-lifecycle.ts';
import { type RequestTarget, requestTargetOf } from './http/request-target.ts';
import { refuse } from './http/respond.ts';
import { rootIndex } from './http/root-index.ts';
import { routesOf } from './http/router.ts';
import { serve } from './http/serve.ts';
import { createShortWay, type ShortWay } from './http/short-way.ts';
import { createSubmit } from './http/submit.ts';
import { createTraffic, type Traffic } from './http/traffic.ts';
import { createUndeclaredProxies } from './http/undeclared-proxies.ts';
import { isDocumented, Urls } from './http/urls.ts';
import { findJobRuns } from './jobs/job-runs.ts';
import { PERIODIC_JOBS } from './jobs/periodic.ts';
import { examine } from './jobs/recount.ts';
import { attendeeAdminEndpoints, attendeeEndpoints } from './resources/attendees/attendees.ts';
import { auditedAttendee } from './resources/attendees/audited.ts';
import { loadTicketAttendees } from './resources/attendees/view.ts';
import { auditEndpoints } from './resources/audit/audit.ts';
import type { AuditedKind } from './resources/audit/kind.ts';
import { cartEndpoints } from './resources/cart/cart.ts';
import { releaseHoldEndpoint } from './resources/cart/release-hold.ts';
import { categoryEndpoints } from './resources/categories/categories.ts';
import { category } from './resources/categories/category.ts';
import { auditedCheckInKey } from './resources/check-in-keys/audited.ts';
import { checkInKeyEndpoints } from './resources/check-in-keys/check-in-keys.ts';
import { createKeyRecogniser } from './resources/check-in-keys/keys.ts';
import { auditedEvent } from './resources/events/audited.ts';
import { eventDaysEndpoint } from './resources/events/days.ts';
import { eventEndpoints } from './resources/events/events.ts';
import { eventExportEndpoints } from './resources/events/export.ts';
import { eventNeighboursEndpoint } from './resources/events/neighbours.ts';
import { oembedEndpoint } from './resources/events/oembed.ts';
import { answerOnce } from './resources/idempotency-keys/answer-once.ts';
import { countedListEndpoints } from './resources/library/counted-lists.ts';
import { duplicatesEndpoints } from './resources/library/duplicates-endpoint.ts';
import { imageUsesEndpoint } from './resources/library/image-uses.ts';
import { mergeEndpoints } from './resources/library/merge-endpoints.ts';
import { translationEndpoints } from './resources/library/translation-progress.ts';
import { type CountInMemory, createMemoryCounter, createRequestCounter } from './resources/limits/limits.ts';
import { createRefusalCounter } from './resources/limits/refusals.ts';
import { createSecretGuard } from './resources/limits/secret-guard.ts';
import { linkedPostKinds } from './resources/linked-kinds/registry.ts';
import { auditedLinkedPost } from './resources/linked-posts/audited.ts';
import { linkedPostEndpoints } from './resources/linked-posts/endpoints.ts';
import { auditedImage } from './resources/media/audited.ts';
import { findPresentAddress } from './resources/media/image-file.ts';
import { mediaEndpoints } from './resources/media/media.ts';
import { nonceEndpoints } from './resources/nonces/nonces.ts';
import { auditedOrder } from './resources/orders/audited.ts';
import { buyersOrderEndpoints } from './resources/orders/buyers-orders.ts';
import { deskEndpoints } from './resources/orders/desk.ts';
import { exportEndpoints } from './resources/orders/exports.ts';
import { heldTicketEndpoints } from './resources/orders/held-tickets.ts';
import { orderEndpoints } from './resources/orders/orders.ts';
import { sellByHand } from './resources/orders/sell-by-hand.ts';
import { qrEndpoints } from './resources/qr/qr.ts';
import { replyChoicesEndpoint } from './resources/replies/choices.ts';
import { replyEndpoints } from './resources/replies/replies.ts';
import { reportEndpoints } from './resources/reports/reports.ts';
import { auditedSite } from './resources/site/audited.ts';
import { getSite } from './resources/site/settings.ts';
import { siteEndpoints } from './resources/site/site.ts';
import { tag } from './resources/tags/tag.ts';
import { tagEndpoints } from './resources/tags/tags.ts';
import { auditedTerm } from './resources/terms/audited.ts';
import { auditedTicket } from './resources/tickets/audited.ts';
import { availabilityEndpoint } from './resources/tickets/availability.ts';
import { duplicateEndpoint } from './resources/tickets/duplicate-event.ts';
import { eventStockEndpoint } from './resources/tickets/event-stock.ts';
import { eventTickets } from './resources/tickets/event-tickets.ts';
import { ticketEndpoints } from './resources/tickets/tickets.ts';
import { auditedAppPassword, auditedToken, auditedUser } from './resources/users/audited.ts';
import { createAuthenticator } from './resources/users/credentials.ts';
import { userEndpoints } from './resources/users/users.ts';
import { coreEndpoints } from './resources/wp/wp.ts';
import { settleConfig } from './site-config.ts';
import { apps } from './web/apps.ts';
import { eventFeedEndpoint, feedEventEndpoint } from './web/feeds/event-feed.ts';
import { feedEndpoints } from './web/feeds/feeds.ts';
import { health } from './web/health.ts';
import { createMetrics, type Metrics } from './web/metrics.ts';
import { pages } from './web/pages.ts';
import type { Collect, ProcessReport } from './web/process-report.ts';
import { publicPages } from './web/public/routes.ts';
import { systemEndpoint } from './web/system.ts';

/** Every kind of record whose changes are in the audit log. */
export const auditedKinds: readonly AuditedKind[] = [
  auditedEvent,
  ...Object.values(linkedPostKinds).map(auditedLinkedPost),
  auditedTerm(category),
  auditedTerm(tag),
  auditedTicket,
  auditedAttendee,
  auditedOrder,
  auditedImage,
  auditedUser,
  auditedAppPassword,
  auditedToken,
  auditedCheckInKey,
  auditedSite,
];

/** Every endpoint of the REST interface, in the order the index lists them. */
export const endpoints: readonly AnyEndpoint[] = withDiscovery([
  ...eventEndpoints(eventTickets),
  ...feedEndpoints(eventTickets),
  ...Object.values(linkedPostKinds).flatMap(linkedPostEndpoints),
  ...categoryEndpoints,
  ...tagEndpoints,
  ...ticketEndpoints(loadTicketAttendees),
  ...attendeeEndpoints(sellByHand),
  ...cartEndpoints,
  ...buyersOrderEndpoints,
  ...heldTicketEndpoints,
  ...replyEndpoints,
  ...qrEndpoints,
  ...nonceEndpoints,
  ...mediaEndpoints,
  imageUsesEndpoint,
  ...countedListEndpoints,
  ...duplicatesEndpoints,
  ...mergeEndpoints,
  ...translationEndpoints,
  availabilityEndpoint,
  duplicateEndpoint,
  eventStockEndpoint,
  releaseHoldEndpoint,
  ...attendeeAdminEndpoints,
  ...orderEndpoints,
  ...deskEndpoints,
  ...exportEndpoints,
  ...eventExportEndpoints(eventTickets),
  batchEndpoint,
  ...checkInKeyEndpoints,
  ...reportEndpoints,
  ...siteEndpoints,
  systemEndpoint({ settings: SETTINGS, jobs: PERIODIC_JOBS, findJobRuns, examine }),
  ...userEndpoints,
  ...auditEndpoints({ kinds: auditedKinds, endpointOf }),
  examplesEndpoint(endpointOf),
  ...coreEndpoints,
]);

/** The endpoint of a name. */
export function endpointOf(name: string): AnyEndpoint | undefined {
  return endpoints.find((one) => one.name === name);
}

/** What pages ask besides, in this process only. */
const pageEndpoints: readonly AnyEndpoint[] = [
  ...endpoints,
  oembedEndpoint,
  eventFeedEndpoint(eventTickets),
  eventDaysEndpoint(eventTickets),
  eventNeighboursEndpoint,
  feedEventEndpoint(eventTickets),
  replyChoicesEndpoint,
];

const describeSite = ({ context, language }: RequestContext) => getSite(context, language);
const routes = routesOf([...endpoints, rootIndex(endpoints, describeSite), oembedEndpoint]);

/** Those that the OpenAPI documents and the documentation page describe. */
export const documentedEndpoints = endpoints.filter(({ namespace }) => isDocumented(namespace));

/** Objects that the application shares with its HTTP server; created by `main.ts`. */
export interface Runtime {
  traffic: Traffic;
  guard: OverloadGuard;
  newId: () => string;
  metrics: Metrics;
  /** Gathers the metrics of all processes of the server. */
  collect: Collect;
  shortWay: ShortWay;
  /** Counts requests, for all processes of the server. */
  count: CountInMemory;
}

/** How a process works together with the others of its server. */
interface Shared {
  join: JoinReports;
  count: CountInMemory;
}

/**
 * Without a server no event-loop delay is measured, so only the limit on requests in flight applies.
 * @param shared connects this process with the others of the server; a single one counts by itself
 */
export function createRuntime(
  context: Context,
  { join, count }: Shared = { join: alone, count: createMemoryCounter(context.config) },
): Runtime {
  const { config, random } = context;
  const maxBytes = Math.max(HELD_BYTES, 8 * config.maxUploadBytes);
  const guard = createOverloadGuard({ maxDelay: config.maxDelay, maxInFlight: MAX_IN_FLIGHT, maxBytes });
  const traffic = createTraffic();
  const metrics = createMetrics(traffic);
  const newId = createIdSource(random);
  return {
    traffic,
    guard,
    newId,
    metrics,
    collect: join(() => metrics.report(context.db.load())),
    shortWay: createShortWay({ context, routes, traffic, newId, observe: metrics.observe }),
    count,
  };
}

/** What gathers the reports of all processes, given that of this one. */
export type JoinReports = (own: () => ProcessReport) => Collect;

const alone: JoinReports = (own) => async () => ({ reports: [own()] });

/** Requests: about two seconds of work. More would only queue and hold memory. */
const MAX_IN_FLIGHT = 1000;
/** Bytes of request bodies and unsent answers above which large bodies are refused. */
const HELD_BYTES = 128 * 1024 * 1024;

/** The whole application. It does not listen itself: `main.ts` does, and tests call `app.request`. */
export function createApp(context: Context, runtime = createRuntime(context)): Hono<Env> {
  const { config } = context;
  const { traffic, guard, newId, metrics, collect, shortWay, count } = runtime;
  const limits = {
    checkSecret: createSecretGuard(context),
    countRequest: createRequestCounter(context, count),
    countRefusal: createRefusalCounter(context),
  };
  const deps: ServerDeps = {
    context,
    routes,
    settleConfig: () => settleConfig(context),
    authenticate: createAuthenticator(limits.checkSecret),
    recogniseKey: createKeyRecogniser(limits.checkSecret),
    answerOnce,
    reportFault: createFaultReporter(context, storageFaultOf),
    limits,
  };
  const isTrusted = proxyTrust(config.trustProxy);
  const undeclared = createUndeclaredProxies(context);
  const peer = (c: HonoContext<Env>) => c.get('peer');
  const targetAt = (c: HonoContext<Env>) => requestTargetOf(new URL(c.req.url), peer(c).origin);
  /** A request for anything else is handled like one for a route that does not exist. */
  const nowhere = (c: HonoContext<Env>): RequestTarget => {
    const { search } = new URL(c.req.url);
    return { namespace: 'root', path: '/-', search, urls: new Urls(peer(c).origin) };
  };
  const incomingAt = (c: HonoContext<Env>, target: RequestTarget): IncomingRequest => {
    const { origin: _origin, ...client } = peer(c);
    return { ...target, ...client, summary: c.get('summary') };
  };
  const app = new Hono<Env>();

  app.use(
    '*',
    requestLifecycle({
      context,
      traffic,
      guard,
      observe: metrics.observe,
      keep: shortWay.keep,
      introduce(c) {
        // Without a connection a test calls.
        const socketAddress = c.env?.incoming ? addressOf(c.env.incoming) : '127.0.0.1';
        const sent = isTrusted(socketAddress) ? foreignId(c.req.header('x-request-id')) : undefined;
        c.set('peer', clientInfoOf(c.req.raw, { socketAddress, config, isTrusted, isUndeclared: undeclared.isOne }));
        c.set('summary', { id: sent ?? newId() });
      },
      refuse: (c, error) => refuse(error, { ...incomingAt(c, targetAt(c) ?? nowhere(c)), deps, request: c.req.raw }),
    }),
  );
  app.use('*', async (c, next) => {
    const target = targetAt(c);
    if (!target) return next();
    c.res = await serve(deps, c.req.raw, incomingAt(c, target));
    return undefined;
  });
  app.route(
    '/',
    health(context, {
      collect,
      addressOf: (c: HonoContext<Env>) => peer(c).address,
      notices: [undeclared.notice],
      viewerOf: (c: HonoContext<Env>) => {
        const { origin: _origin, ...client } = peer(c);
        const credentials = { authorization: c.req.header('authorization'), ...client };
        return deps.authenticate(context, credentials).catch(() => undefined);
      },
    }),
  );
  app.route('/', pages(context, { endpoints: documentedEndpoints, originOf: (c: HonoContext<Env>) => peer(c).origin }));
  app.route('/', apps(context, { originOf: (c: HonoContext<Env>) => peer(c).origin }));
  app.route('/', uploads(context));
  app.route(
    '/',
    publicPages(context, {
      askAs: createAsk(deps, pageEndpoints),
      submitAs: createSubmit(deps),
      limits,
      reportFault: deps.reportFault,
      peerOf: peer,
      viewerOf: async (c) => {
        const header = (name: string) => c.req.header(name);
        const session = sessionOf({ header, urls: peer(c) }, { isSafe: true });
        const viewer = await deps.authenticate(context, { session, ...peer(c) });
        return viewer.needsSetUp ? ANONYMOUS : viewer;
      },
    }),
  );
  app.all('*', (c) => serve(deps, c.req.raw, incomingAt(c, nowhere(c))));
  return app;
}

/** The files of uploaded images. */
function uploads({ config, db }: Context): Hono {
  const files = new Hono();
  files.get(
    '/uploads/*',
    async (c, next) => {
      await next();
      if (!c.res.ok) return;
      // Uploaded files never change: a new image gets a new name.
      c.header('Cache-Control', 'public, max-age=31536000, immutable');
      c.header('X-Content-Type-Options', 'nosniff');
      c.header('Content-Security-Policy', "default-src 'none'; sandbox");
    },
    serveStatic({ root: join(config.data, 'uploads'), rewriteRequestPath: (path) => path.replace('/uploads', '') }),
    async (c, next) => {
      // A page says so if the database does not answer.
      const address = await findPresentAddress(db, c.req.path).catch(() => undefined);
      if (address === undefined) return next();
      return c.body(null, 302, { Location: address, 'Cache-Control': 'public, max-age=3600' });
    },
  );
  return files;
}
