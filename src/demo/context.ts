import { sql } from 'kysely';
import type { Context } from '../base/context.ts';
import type { Database } from '../db/database.ts';
import { viewerOf } from '../http/core/auth.ts';
import type { AnyEndpoint, HandlerContext, RequestContext } from '../http/core/endpoint.ts';
import { Urls } from '../http/core/urls.ts';
import { commandLine } from '../lib/actor.ts';
import { accountOf } from '../platform/users/store.ts';

/** Finds an endpoint of the API by name; passed in by `app.ts`, which knows them all. */
export type EndpointOf = (name: string) => AnyEndpoint | undefined;

/** Author of the created records, and the endpoints that create them. */
export interface DemoContext extends HandlerContext {
  endpointOf: EndpointOf;
}

/** Context of simulated requests: they have no headers and are not counted. */
export const demoContext = (
  { context, viewer, actor, urls, language, now }: RequestContext,
  endpointOf: EndpointOf,
): DemoContext => ({
  ...{ context, viewer, actor, urls, language, now, endpointOf },
  files: new Map(),
  client: { address: '127.0.0.1' },
  limits: {
    checkSecret: async (_attempt, isRight) => isRight(),
    countRequest: async () => ({}),
    countRefusal: async () => undefined,
  },
  header: () => undefined,
  cookie: () => undefined,
});

/** Context of the first administrator, as author of the records created by a command. */
export async function administratorContext(context: Context, endpointOf: EndpointOf): Promise<DemoContext> {
  const { config, db } = context;
  const users = db.query.selectFrom('users').selectAll().where('role', '=', 'administrator');
  const administrator = await users.orderBy('id').limit(1).executeTakeFirstOrThrow();
  const now = context.now();
  const viewer = viewerOf(accountOf(administrator));
  const urls = new Urls(config.url ?? 'http://localhost');
  return demoContext({ context, viewer, actor: commandLine(now), urls, language: 'en', now }, endpointOf);
}

/**
 * Whether a calendar has no events, organizers or terms. Examples require this, so that they never mix with real data.
 * Venues are allowed, since the set-up asks for one first.
 */
export async function isCalendarEmpty({ query }: Database): Promise<boolean> {
  const { rows } = await sql`SELECT 1 WHERE EXISTS (SELECT 1 FROM events) OR EXISTS (SELECT 1 FROM terms)
    OR EXISTS (SELECT 1 FROM linked_posts WHERE kind <> 'venue')`.execute(query);
  return rows.length === 0;
}
