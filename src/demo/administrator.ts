import type { Context } from '../base/context.ts';
import { viewerOf } from '../http/core/auth.ts';
import { Urls } from '../http/core/urls.ts';
import { commandLine } from '../lib/actor.ts';
import { accountOf } from '../platform/users/store.ts';
import { type DemoContext, demoContext, type EndpointOf } from './context.ts';

/** The first administrator, in whose name a command makes records. */
export async function administratorContext(context: Context, endpointOf: EndpointOf): Promise<DemoContext> {
  const { config, db } = context;
  const users = db.query.selectFrom('users').selectAll().where('role', '=', 'administrator');
  const administrator = await users.orderBy('id').limit(1).executeTakeFirstOrThrow();
  const now = context.now();
  const viewer = viewerOf(accountOf(administrator));
  const urls = new Urls(config.url ?? 'http://localhost');
  return demoContext({ context, viewer, actor: commandLine(now), urls, language: 'en', now }, endpointOf);
}
