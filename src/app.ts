import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type Context as HonoContext } from 'hono';
import type { Context } from './context.ts';
import { namespaceOf, peerOf, proxyTrust } from './http/arrival.ts';
import { restRoot, withDiscovery } from './http/discovery.ts';
import type { AnyEndpoint } from './http/endpoint.ts';
import type { Api } from './http/respond.ts';
import { routesOf } from './http/router.ts';
import { serve } from './http/serve.ts';
import { createUndeclaredProxies } from './http/undeclared-proxies.ts';
import { Urls } from './http/urls.ts';
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

/** What @hono/node-server hands over with a request; absent when a test calls the app without a socket. */
type Bindings = { incoming?: { socket: { remoteAddress?: string } } };

/** The whole application. It listens to nothing: `main.ts` does, and tests call `app.request`. */
export function createApp(context: Context): Hono<{ Bindings: Bindings }> {
  const { config } = context;
  const api: Api = {
    context,
    routes: routesOf(endpoints),
    authenticate: createAuthenticator(),
    recogniseKey: createKeyRecogniser(),
    answerOnce,
  };
  const isTrusted = proxyTrust(config.trustProxy);
  const undeclared = createUndeclaredProxies(context);
  const peer = (c: HonoContext<{ Bindings: Bindings }>) =>
    peerOf(c.req.raw, {
      socketAddress: c.env?.incoming?.socket.remoteAddress ?? '127.0.0.1',
      config,
      isTrusted,
      isUndeclared: undeclared.isOne,
    });
  const app = new Hono<{ Bindings: Bindings }>();

  const askerOf = async (c: HonoContext<{ Bindings: Bindings }>) => {
    const { address, isShared } = peer(c);
    const credentials = { authorization: c.req.header('authorization'), address, isShared };
    return { address, viewer: await api.authenticate(context, credentials).catch(() => undefined) };
  };
  app.route('/', health(context, { metrics: createMetrics(), askerOf, undeclaredProxies: undeclared.list }));
  app.route('/', pages(context, { endpoints, originOf: (c: HonoContext<{ Bindings: Bindings }>) => peer(c).origin }));
  app.route('/', uploads(config.data));
  app.on('GET', ['/wp-json', '/wp-json/'], (c) => {
    const { origin } = peer(c);
    return c.json(
      restRoot(api.routes, new Urls(origin, '/wp-json'), { name: config.siteName, timezone: config.timezone }),
    );
  });
  app.all('*', async (c) => {
    const { origin, ...client } = peer(c);
    const found = namespaceOf(new URL(c.req.url).pathname, origin);
    if (!found && wantsPage(c.req.raw)) {
      const language = pageLanguage(config, c.req.raw);
      return c.body(notFoundPage(config, language), 404, pageHeaders(language));
    }
    const arrival = found ?? { namespace: 'events' as const, path: '/-', urls: new Urls(origin) };
    return serve(api, c.req.raw, { ...arrival, ...client });
  });
  return app;
}

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
