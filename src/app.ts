import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type Context as HonoContext, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import type { Context } from './context.ts';
import { namespaceOf, peerOf, plainAddress, proxyTrust } from './http/arrival.ts';
import { restRoot, withDiscovery } from './http/discovery.ts';
import type { AnyEndpoint } from './http/endpoint.ts';
import { type Env, handleExchange } from './http/exchange.ts';
import { createOverloadGuard, type OverloadGuard } from './http/overload.ts';
import { createIdSource, foreignId } from './http/request-id.ts';
import { type Api, type Arrival, refuse } from './http/respond.ts';
import { routesOf } from './http/router.ts';
import { serve } from './http/serve.ts';
import { createUndeclaredProxies } from './http/undeclared-proxies.ts';
import { Urls } from './http/urls.ts';
import { createTraffic, type Traffic } from './http/watch.ts';
import { createRequestCounter } from './kinds/limits.ts';
import { createSecretGuard } from './kinds/secret-guard.ts';
import { attendeeAdminEndpoints, attendeeEndpoints } from './resources/attendees/attendees.ts';
import { cartEndpoints } from './resources/cart/cart.ts';
import { categoryEndpoints } from './resources/categories/categories.ts';
import { checkInKeyEndpoints } from './resources/check-in-keys/check-in-keys.ts';
import { createKeyRecogniser } from './resources/check-in-keys/keys.ts';
import { eventEndpoints } from './resources/events/events.ts';
import { answerOnce } from './resources/idempotency-keys/answer-once.ts';
import { mediaEndpoints } from './resources/media/media.ts';
import { nonceEndpoints } from './resources/nonces/nonces.ts';
import { orderEndpoints } from './resources/orders/orders.ts';
import { organizerEndpoints } from './resources/organizers/organizers.ts';
import { qrEndpoints } from './resources/qr/qr.ts';
import { tagEndpoints } from './resources/tags/tags.ts';
import { availabilityEndpoint } from './resources/tickets/availability.ts';
import { ticketEndpoints } from './resources/tickets/tickets.ts';
import { createAuthenticator } from './resources/users/credentials.ts';
import { userEndpoints } from './resources/users/users.ts';
import { venueEndpoints } from './resources/venues/venues.ts';
import { health } from './web/health.ts';
import { notFoundPage, wantsPage } from './web/home.ts';
import { createMetrics } from './web/metrics.ts';
import { pageHeaders, pageLanguage, pages } from './web/pages.ts';

/** Every endpoint of the REST interface, in the order the index lists them. */
export const endpoints: readonly AnyEndpoint[] = withDiscovery([
  ...eventEndpoints,
  ...venueEndpoints,
  ...organizerEndpoints,
  ...categoryEndpoints,
  ...tagEndpoints,
  ...ticketEndpoints,
  ...attendeeEndpoints,
  ...cartEndpoints,
  ...qrEndpoints,
  ...nonceEndpoints,
  ...mediaEndpoints,
  availabilityEndpoint,
  ...attendeeAdminEndpoints,
  ...orderEndpoints,
  ...checkInKeyEndpoints,
  ...userEndpoints,
]);

/** Objects shared by the application and its HTTP server; created by `main.ts`. */
export interface Runtime {
  traffic: Traffic;
  guard: OverloadGuard;
  newId: () => string;
}

/** Without a server no delay is measured, so only requests beyond the limit in flight are refused. */
export function createRuntime({ config, random }: Context): Runtime {
  const maxBytes = Math.max(HELD_BYTES, 8 * config.maxUploadBytes);
  const guard = createOverloadGuard({ maxDelay: config.maxDelay, maxInFlight: MAX_IN_FLIGHT, maxBytes });
  return { traffic: createTraffic(), guard, newId: createIdSource(random) };
}

/** Requests: about two seconds of work. More would only queue and hold memory. */
const MAX_IN_FLIGHT = 1000;
/** Bytes of request bodies and unsent answers above which large bodies are refused. */
const HELD_BYTES = 128 * 1024 * 1024;

/** The whole application. It listens to nothing: `main.ts` does, and tests call `app.request`. */
export function createApp(context: Context, runtime = createRuntime(context)): Hono<Env> {
  const { config } = context;
  const { traffic, guard, newId } = runtime;
  const limits = { checkSecret: createSecretGuard(context), countRequest: createRequestCounter(context) };
  const api: Api = {
    context,
    routes: routesOf(endpoints),
    authenticate: createAuthenticator(limits.checkSecret),
    recogniseKey: createKeyRecogniser(limits.checkSecret),
    answerOnce,
    limits,
  };
  const metrics = createMetrics(traffic);
  const isTrusted = proxyTrust(config.trustProxy);
  const undeclared = createUndeclaredProxies(context);
  const peer = (c: HonoContext<Env>) => c.get('peer');
  const namespaceAt = (c: HonoContext<Env>) => namespaceOf(new URL(c.req.url).pathname, peer(c).origin);
  /** An address outside the namespaces is handled like an unknown one of the events namespace. */
  const arrivalAt = (c: HonoContext<Env>, found = namespaceAt(c)): Arrival => {
    const { origin, ...client } = peer(c);
    const arrival = found ?? { namespace: 'events' as const, path: '/-', urls: new Urls(origin) };
    return { ...arrival, ...client, exchange: c.get('exchange') };
  };
  const app = new Hono<Env>();

  app.use(
    '*',
    handleExchange({
      context,
      traffic,
      guard,
      observe: metrics.observe,
      introduce(c) {
        const socketAddress = c.env?.incoming?.socket.remoteAddress ?? '127.0.0.1';
        const sent = isTrusted(plainAddress(socketAddress)) ? foreignId(c.req.header('x-request-id')) : undefined;
        c.set('peer', peerOf(c.req.raw, { socketAddress, config, isTrusted, isUndeclared: undeclared.isOne }));
        c.set('exchange', { id: sent ?? newId() });
      },
      refuse: (c, error) => refuse(error, { ...arrivalAt(c), api, request: c.req.raw }),
    }),
  );
  app.use('*', compressDocuments);
  app.route(
    '/',
    health(context, {
      metrics,
      addressOf: (c: HonoContext<Env>) => peer(c).address,
      notices: [undeclared.notice],
      viewerOf: (c: HonoContext<Env>) => {
        const { origin: _origin, ...client } = peer(c);
        const credentials = { authorization: c.req.header('authorization'), ...client };
        return api.authenticate(context, credentials).catch(() => undefined);
      },
    }),
  );
  app.route('/', pages(context, { endpoints, originOf: (c: HonoContext<Env>) => peer(c).origin }));
  app.route('/', uploads(config.data));
  app.on('GET', ['/wp-json', '/wp-json/'], (c) => {
    const { origin } = peer(c);
    return c.json(
      restRoot(api.routes, new Urls(origin, '/wp-json'), { name: config.siteName, timezone: config.timezone }),
    );
  });
  app.all('*', async (c) => {
    const found = namespaceAt(c);
    if (!found && wantsPage(c.req.raw)) {
      const language = pageLanguage(config, c.req.raw);
      return c.body(notFoundPage(config, language), 404, pageHeaders(language));
    }
    return serve(api, c.req.raw, arrivalAt(c, found));
  });
  return app;
}

const compressed = compress({ encoding: 'gzip' });

/** The OpenAPI documents are twenty times as long as other answers, and compress to a tenth. */
const compressDocuments: MiddlewareHandler<Env> = async (c, next) => {
  await next();
  if (c.get('exchange').route?.endsWith('/doc')) await compressed(c, async () => undefined);
};

/** The files of uploaded images. */
function uploads(data: string): Hono {
  const files = new Hono();
  files.get(
    '/uploads/*',
    async (c, next) => {
      await next();
      if (!c.res.ok) return;
      // An uploaded file never changes: another picture gets another name.
      c.header('Cache-Control', 'public, max-age=31536000, immutable');
      c.header('X-Content-Type-Options', 'nosniff');
      c.header('Content-Security-Policy', "default-src 'none'; sandbox");
    },
    serveStatic({ root: join(data, 'uploads'), rewriteRequestPath: (path) => path.replace('/uploads', '') }),
  );
  return files;
}
