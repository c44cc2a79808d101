import type { Context } from './base/context.ts';
import { createIdSource } from './base/request-id.ts';
import { SETTINGS } from './base/settings.ts';
import { createSiteLookup } from './base/site-config.ts';
import { auditedEvent } from './calendar/events/audited.ts';
import { eventEndpoints } from './calendar/events/endpoints/events.ts';
import { oembedEndpoint } from './calendar/events/endpoints/oembed.ts';
import { seriesEndpoints } from './calendar/events/endpoints/series.ts';
import { seriesDatesEndpoint, seriesWordsEndpoint } from './calendar/events/endpoints/series-dates.ts';
import { eventDaysEndpoints } from './calendar/events/lists/days.ts';
import { eventExportEndpoints } from './calendar/events/lists/export.ts';
import { eventFeedEndpoint, feedEventEndpoint } from './calendar/events/lists/feed-endpoints.ts';
import { eventNeighboursEndpoint } from './calendar/events/lists/neighbours.ts';
import { auditedSeries } from './calendar/events/series/audited.ts';
import { countedListEndpoints } from './calendar/library/counted-lists.ts';
import { duplicatesEndpoints } from './calendar/library/duplicates-endpoint.ts';
import { imageUsesEndpoint } from './calendar/library/image-uses.ts';
import { mergeEndpoints } from './calendar/library/merge-endpoints.ts';
import { translationEndpoints } from './calendar/library/translation-progress.ts';
import { linkedPostKinds } from './calendar/linked-kinds/registry.ts';
import { auditedLinkedPost } from './calendar/linked-posts/audited.ts';
import { linkedPostEndpoints } from './calendar/linked-posts/endpoints.ts';
import { auditedTerm } from './calendar/terms/audited.ts';
import { termEndpoints } from './calendar/terms/endpoints.ts';
import { category, tag } from './calendar/terms/taxonomies.ts';
import { storageFaultOf } from './db/errors.ts';
import { examplesEndpoint } from './demo/examples.ts';
import { createOverloadGuard, type OverloadGuard } from './http/connection/overload.ts';
import { createTraffic, type Traffic } from './http/connection/traffic.ts';
import { ANONYMOUS } from './http/core/auth.ts';
import { createUndeclaredProxies } from './http/core/client-address.ts';
import { sessionOf } from './http/core/cookies.ts';
import type { AnyEndpoint, RequestContext } from './http/core/endpoint.ts';
import { createFaultReporter } from './http/core/fault-reporter.ts';
import { routesOf } from './http/core/router.ts';
import { isDocumented } from './http/core/urls.ts';
import { withDiscovery } from './http/openapi/discovery.ts';
import { rootIndex } from './http/openapi/root-index.ts';
import { batchEndpoint } from './http/pipeline/batch.ts';
import { createAsk } from './http/pipeline/call.ts';
import { loadedOnDemand, type PageHandler, type ServerDeps } from './http/pipeline/exchange.ts';
import { Pipeline } from './http/pipeline/pipeline.ts';
import { createSubmit } from './http/pipeline/submit.ts';
import { findJobRuns } from './jobs/job-runs.ts';
import { jobsOf } from './jobs/periodic.ts';
import { findWrongCounters } from './jobs/recount.ts';
import { auditedImport } from './moving/runs/audited.ts';
import { importEndpoints } from './moving/runs/runs.ts';
import { auditedSubscription } from './moving/subscriptions/audited.ts';
import { subscriptionEndpoints } from './moving/subscriptions/endpoints.ts';
import { auditEndpoints } from './platform/audit/audit.ts';
import type { AuditedKind } from './platform/audit/kind.ts';
import { handleOnce } from './platform/idempotency-keys/run-once.ts';
import { jobEndpoints } from './platform/jobs/jobs.ts';
import { type CountInMemory, createMemoryCounter, createRequestCounter } from './platform/limits/limits.ts';
import { createRefusalCounter } from './platform/limits/refusals.ts';
import { createSecretGuard } from './platform/limits/secret-guard.ts';
import { auditedImage } from './platform/media/audited.ts';
import { mediaEndpoints } from './platform/media/media.ts';
import { uploads } from './platform/media/uploads.ts';
import { health } from './platform/monitoring/health.ts';
import { createMetrics, type Metrics } from './platform/monitoring/metrics.ts';
import type { Collect, ProcessReport } from './platform/monitoring/process-report.ts';
import { jobMetrics, mailMetrics } from './platform/monitoring/queue-metrics.ts';
import { systemEndpoint } from './platform/monitoring/system.ts';
import { auditedSite } from './platform/site/audited.ts';
import { getSite } from './platform/site/settings.ts';
import { siteEndpoints } from './platform/site/site.ts';
import { auditedAppPassword, auditedToken, auditedUser } from './platform/users/audited.ts';
import { userEndpoints } from './platform/users/endpoints/users.ts';
import { createAuthenticator } from './platform/users/sign-in/credentials.ts';
import { announcementEndpoints } from './ticketing/announcements/announcements.ts';
import { auditedAnnouncement } from './ticketing/announcements/store.ts';
import { attendeeAdminEndpoints, attendeeEndpoints } from './ticketing/attendees/attendees.ts';
import { auditedAttendee } from './ticketing/attendees/audited.ts';
import { loadTicketAttendees } from './ticketing/attendees/view.ts';
import { findBookErrors } from './ticketing/books/check-books.ts';
import { findingEndpoints } from './ticketing/books/finding-endpoints.ts';
import { cartEndpoints } from './ticketing/cart/cart.ts';
import { releaseHoldEndpoint } from './ticketing/cart/release-hold.ts';
import { auditedCheckInKey, checkInKeyEndpoints } from './ticketing/check-in-keys/check-in-keys.ts';
import { createKeyRecogniser } from './ticketing/check-in-keys/keys.ts';
import { auditedClash, clashEndpoints } from './ticketing/door/clashes.ts';
import { auditedDevice } from './ticketing/door/device-store.ts';
import { deviceEndpoints } from './ticketing/door/devices.ts';
import { doorListEndpoint } from './ticketing/door/door-list.ts';
import { auditedGate } from './ticketing/door/gate-store.ts';
import { gateEndpoints } from './ticketing/door/gates.ts';
import { doorSaleEndpoints } from './ticketing/door/sales.ts';
import { scansEndpoint } from './ticketing/door/scans.ts';
import { sealedScansEndpoint } from './ticketing/door/sealed-scans.ts';
import { auditedSigningKey, rotateKeyEndpoint } from './ticketing/door/signing.ts';
import { doorStatsEndpoint } from './ticketing/door/stats.ts';
import { customerInvoiceEndpoint } from './ticketing/invoices/customer-invoices.ts';
import { auditedInvoice, invoiceEndpoints } from './ticketing/invoices/invoices.ts';
import { mailBounceEndpoint } from './ticketing/mails/mail-bounces.ts';
import { auditedMailText } from './ticketing/mails/mail-text-store.ts';
import { mailTextEndpoints } from './ticketing/mails/mail-texts.ts';
import { auditedMail, mailEndpoints } from './ticketing/mails/mails.ts';
import { myTicketsEndpoints } from './ticketing/mails/my-tickets.ts';
import { nonceEndpoints } from './ticketing/nonces/nonces.ts';
import { auditedOrder } from './ticketing/orders/audited.ts';
import { customerOrderEndpoints } from './ticketing/orders/customer/customer-orders.ts';
import { heldTicketEndpoints } from './ticketing/orders/customer/held-tickets.ts';
import { missingDatesEndpoint } from './ticketing/orders/passes/pass-endpoints.ts';
import { counterEndpoints } from './ticketing/orders/staff/counter.ts';
import { sellSeatAtCounter } from './ticketing/orders/staff/counter-sale.ts';
import { orderEndpoints } from './ticketing/orders/staff/orders.ts';
import { customerPaymentEndpoints } from './ticketing/payments/customer-payments.ts';
import { eventRefundEndpoints } from './ticketing/payments/event-refunds.ts';
import { orderPaymentEndpoints } from './ticketing/payments/order-payments.ts';
import { webhookEndpoint } from './ticketing/payments/webhook.ts';
import { auditedFee, feeEndpoints } from './ticketing/prices/fees.ts';
import { auditedPromotion, promotionEndpoints } from './ticketing/prices/promotions.ts';
import { auditedTaxRate, taxRateEndpoints } from './ticketing/prices/tax-rates.ts';
import { qrEndpoints } from './ticketing/qr/qr.ts';
import { eventReminderEndpoints } from './ticketing/reminders/event-reminders.ts';
import { unsubscribeEndpoint } from './ticketing/reminders/optouts.ts';
import { availabilityEndpoint } from './ticketing/reports/availability.ts';
import { eventSeatsEndpoint } from './ticketing/reports/event-seats.ts';
import { exportEndpoints } from './ticketing/reports/order-exports.ts';
import { reportEndpoints } from './ticketing/reports/reports.ts';
import { soldPlacesEndpoint } from './ticketing/reports/sold-places.ts';
import { rsvpChoicesEndpoint, rsvpEndpoints } from './ticketing/rsvp/rsvp-endpoints.ts';
import { auditedTicket } from './ticketing/tickets/audited.ts';
import { duplicateEndpoint } from './ticketing/tickets/duplicate-event.ts';
import { eventTickets } from './ticketing/tickets/event-tickets.ts';
import { ticketEndpoints } from './ticketing/tickets/tickets.ts';
import { apps } from './web/apps/apps.ts';
import { feedEndpoints } from './web/feeds/feeds.ts';
import { paperEndpoints } from './web/paper/paper-endpoints.ts';
import { coreEndpoints } from './wp/wp.ts';

/** Every kind of record whose changes are in the audit log. */
export const auditedKinds: readonly AuditedKind[] = [
  auditedEvent,
  auditedSeries,
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
  auditedGate,
  auditedDevice,
  auditedClash,
  auditedSigningKey,
  auditedTaxRate,
  auditedFee,
  auditedPromotion,
  auditedInvoice,
  auditedMail,
  auditedMailText,
  auditedAnnouncement,
  auditedImport,
  auditedSubscription,
  auditedSite,
];

/** Renders mails. Its modules are loaded with the first mail, like those of pages. */
const mailTexts = () => import('./web/mails/render-mail.ts');

/** Every endpoint of the REST interface, in the order the index lists them. */
export const endpoints: readonly AnyEndpoint[] = withDiscovery([
  ...eventEndpoints(eventTickets),
  ...seriesEndpoints(eventTickets),
  ...feedEndpoints(eventTickets),
  ...Object.values(linkedPostKinds).flatMap(linkedPostEndpoints),
  ...termEndpoints(category),
  ...termEndpoints(tag),
  ...ticketEndpoints(loadTicketAttendees),
  ...attendeeEndpoints(sellSeatAtCounter),
  ...cartEndpoints,
  ...customerOrderEndpoints,
  ...customerPaymentEndpoints,
  customerInvoiceEndpoint,
  ...orderPaymentEndpoints,
  ...eventRefundEndpoints,
  webhookEndpoint,
  ...heldTicketEndpoints,
  ...paperEndpoints(async (...order) => (await import('./web/mails/order-facts.ts')).readOrderFacts(...order)),
  ...myTicketsEndpoints,
  ...rsvpEndpoints,
  ...qrEndpoints,
  ...nonceEndpoints,
  ...mediaEndpoints,
  imageUsesEndpoint,
  ...countedListEndpoints,
  ...duplicatesEndpoints,
  ...mergeEndpoints,
  ...translationEndpoints,
  availabilityEndpoint,
  missingDatesEndpoint,
  duplicateEndpoint,
  eventSeatsEndpoint,
  soldPlacesEndpoint,
  releaseHoldEndpoint,
  ...attendeeAdminEndpoints,
  ...orderEndpoints,
  ...counterEndpoints,
  ...exportEndpoints,
  ...invoiceEndpoints,
  ...findingEndpoints,
  ...mailEndpoints(async (...mail) => (await mailTexts()).renderTexts(...mail)),
  mailBounceEndpoint,
  ...mailTextEndpoints(async (...sample) => (await mailTexts()).renderSample(...sample)),
  ...announcementEndpoints(async (...asked) => (await mailTexts()).renderAnnouncementTexts(...asked)),
  ...eventReminderEndpoints,
  unsubscribeEndpoint,
  ...eventExportEndpoints(eventTickets),
  batchEndpoint,
  ...checkInKeyEndpoints,
  ...gateEndpoints,
  ...deviceEndpoints,
  doorListEndpoint,
  scansEndpoint,
  sealedScansEndpoint,
  ...clashEndpoints,
  doorStatsEndpoint,
  ...doorSaleEndpoints,
  rotateKeyEndpoint,
  ...taxRateEndpoints,
  ...feeEndpoints,
  ...promotionEndpoints,
  ...reportEndpoints,
  ...siteEndpoints,
  systemEndpoint({ settings: SETTINGS, jobsOf, findJobRuns, examine: findWrongCounters, findBookErrors }),
  ...userEndpoints,
  ...auditEndpoints({ kinds: auditedKinds, endpointOf }),
  ...jobEndpoints,
  examplesEndpoint(endpointOf),
  ...subscriptionEndpoints(endpointOf),
  ...importEndpoints,
  ...coreEndpoints,
]);

export function endpointOf(name: string): AnyEndpoint | undefined {
  return endpoints.find((one) => one.name === name);
}

/** Endpoints that pages call within this process, including some that clients cannot call. */
const pageEndpoints: readonly AnyEndpoint[] = [
  ...endpoints,
  oembedEndpoint,
  eventFeedEndpoint(eventTickets),
  ...eventDaysEndpoints(eventTickets),
  eventNeighboursEndpoint,
  seriesDatesEndpoint,
  seriesWordsEndpoint,
  feedEventEndpoint(eventTickets),
  rsvpChoicesEndpoint,
];

const describeSite = ({ context, language }: RequestContext) => getSite(context, language);
const routes = routesOf([...endpoints, rootIndex(endpoints, describeSite), oembedEndpoint]);

/** Endpoints that the OpenAPI documents and the documentation page describe. */
export const documentedEndpoints = endpoints.filter(({ namespace }) => isDocumented(namespace));

/** Objects that the application shares with its HTTP server; created by `serve.ts`. */
export interface Runtime {
  traffic: Traffic;
  guard: OverloadGuard;
  newId: () => string;
  metrics: Metrics;
  /** Gathers the metrics of all processes of the server. */
  collect: Collect;
  /** Counts requests, for all processes of the server. */
  count: CountInMemory;
}

/** Connects a process with the others of its server. */
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
    count,
  };
}

/** Returns a function that collects the reports of all processes; `own` makes the report of this one. */
export type JoinReports = (own: () => ProcessReport) => Collect;

const alone: JoinReports = (own) => async () => [own()];

/** Maximum number of requests in flight: about two seconds of work. More would only queue and hold memory. */
const MAX_IN_FLIGHT = 1000;
/** Bytes of request bodies and unsent responses above which large bodies are refused. */
const HELD_BYTES = 128 * 1024 * 1024;

/** Creates the whole application. It does not listen: `serve.ts` does, and tests call `app.request`. */
export function createApp(context: Context, runtime = createRuntime(context)): Pipeline {
  const { traffic, guard, newId, metrics, collect, count } = runtime;
  const limits = {
    checkSecret: createSecretGuard(context),
    countRequest: createRequestCounter(context, count),
    countRefusal: createRefusalCounter(context),
  };
  const deps: ServerDeps = {
    context,
    routes,
    site: createSiteLookup(context),
    authenticate: createAuthenticator(limits.checkSecret),
    recogniseKey: createKeyRecogniser(limits.checkSecret),
    handleOnce,
    reportFault: createFaultReporter(context, storageFaultOf),
    limits,
  };
  const undeclared = createUndeclaredProxies(context);
  const pages: PageHandler[] = [
    healthPage(deps, { collect, notices: [undeclared.notice] }),
    apps(context),
    uploads(context),
    loadedOnDemand(async () =>
      (await import('./web/docs/developer-pages.ts')).developerPages({ endpoints: documentedEndpoints }),
    ),
    loadedOnDemand(() => sitePages(deps)),
  ];
  return new Pipeline({ deps, pages, traffic, guard, undeclared, newId, observe: metrics.observe });
}

/** State of the server, with the metrics of jobs and mails. */
const healthPage = (
  deps: ServerDeps,
  { collect, notices }: Pick<Parameters<typeof health>[1], 'collect' | 'notices'>,
) =>
  health(deps.context, {
    collect: async () => [...(await collect()), await jobMetrics(deps.context), await mailMetrics(deps.context)],
    notices,
    async viewerOf({ request, client, resolveContext }) {
      const authorization = request.headers.get('authorization') ?? undefined;
      return deps.authenticate(await resolveContext(), { authorization, ...client }).catch(() => undefined);
    },
  });

/** Public pages, which call the endpoints within this process. */
async function sitePages(deps: ServerDeps): Promise<PageHandler> {
  const { publicPages } = await import('./web/site/routes.ts');
  return publicPages({
    askAs: createAsk(deps, pageEndpoints),
    submitAs: createSubmit(deps, endpoints),
    limits: deps.limits,
    reportFault: deps.reportFault,
    async viewerOf({ request, client, origin, resolveContext }) {
      const header = (name: string) => request.headers.get(name) ?? undefined;
      const session = sessionOf({ header, urls: { origin } }, { isSafe: true });
      const viewer = await deps.authenticate(await resolveContext(), { session, ...client });
      return viewer.needsSetUp ? ANONYMOUS : viewer;
    },
  });
}
