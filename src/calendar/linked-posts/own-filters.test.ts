import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { BOTH_DATABASES, useTestServer } from '../../../test/server.ts';
import type { Context } from '../../base/context.ts';
import { createSiteLookup } from '../../base/site-config.ts';
import { storageFaultOf } from '../../db/errors.ts';
import { cacheKeyOf } from '../../http/cache/cache-key.ts';
import { ANONYMOUS } from '../../http/core/auth.ts';
import { createFaultReporter } from '../../http/core/fault-reporter.ts';
import { textOf } from '../../http/core/response.ts';
import { routesOf } from '../../http/core/router.ts';
import { parseRequest } from '../../http/input/parsed-request.ts';
import { boolean } from '../../http/input/schemas.ts';
import { serve } from '../../http/pipeline/serve.ts';
import { handleOnce } from '../../platform/idempotency-keys/run-once.ts';
import { createRequestCounter } from '../../platform/limits/limits.ts';
import { createRefusalCounter } from '../../platform/limits/refusals.ts';
import { createSecretGuard } from '../../platform/limits/secret-guard.ts';
import { venue } from '../linked-kinds/venue.ts';
import { linkedPostEndpoints } from './endpoints.ts';
import type { LinkedPostKind } from './kind.ts';

/** Venues with a filter that no other kind has. */
const LOCATED = boolean('true: only those with coordinates; false: only those without.');

const KIND: LinkedPostKind = {
  ...venue,
  filters: {
    located: {
      field: LOCATED,
      where: (located) => (located ? sql`geo_lat IS NOT NULL` : sql`geo_lat IS NULL`),
    },
  },
};

const ORIGIN = 'http://localhost';

async function list(context: Context, query: string) {
  const deps = {
    context,
    routes: routesOf(linkedPostEndpoints(KIND)),
    site: createSiteLookup(context),
    authenticate: async () => ANONYMOUS,
    recogniseKey: async () => ANONYMOUS,
    handleOnce,
    reportFault: createFaultReporter(context, storageFaultOf),
    limits: {
      checkSecret: createSecretGuard(context),
      countRequest: createRequestCounter(context),
      countRefusal: createRefusalCounter(context),
    },
  };
  const url = new URL(`${ORIGIN}/calendar/events/v1/venues?${query}`);
  const request = new Request(url);
  const parsed = parseRequest(request, { url, origin: ORIGIN }, deps.routes);
  cacheKeyOf(parsed, { language: 'en', config: context.config });
  const { call } = parsed;
  if (!call) throw new Error(`${url} is in no namespace`);
  const sender = { client: { address: '127.0.0.1' }, summary: { id: '1' } };
  return JSON.parse(await textOf(await serve(deps, { ...sender, request, call, context })));
}

describe.each(BOTH_DATABASES)('on %s', (kind) => {
  const server = useTestServer(kind);

  it('a kind can have a list filter of its own, which links to other pages repeat', async () => {
    for (const name of ['Mill', 'Quay'])
      await server().make('POST /venues', { venue: name, geo_lat: 46, geo_lng: -64 });
    await server().make('POST /venues', { venue: 'Nowhere' });
    const names = async (query: string) => {
      const { venues } = (await list(server().context, query)) as { venues: { venue: string }[] };
      return venues.map(({ venue }) => venue);
    };
    expect(await names('')).toEqual(['Mill', 'Nowhere', 'Quay']);
    expect(await names('located=false')).toEqual(['Nowhere']);
    expect(await names('located=true&search=quay')).toEqual(['Quay']);
    expect(await list(server().context, 'located=true&per_page=1')).toMatchObject({
      total: 2,
      next_rest_url: expect.stringContaining('located=1'),
    });
    const validate = vi.spyOn(LOCATED, 'safeParse');
    await list(server().context, 'located=true');
    // Once for the key of the cache and for the endpoint.
    expect(validate).toHaveBeenCalledTimes(1);
    validate.mockRestore();
    expect(await list(server().context, 'located=maybe')).toMatchObject({ code: 'rest_invalid_param' });
  });
});
