import { flushCompileCache } from 'node:module';
import { environment, readConfig } from '../src/base/config.ts';
import { ensureAdministrator } from '../src/platform/users/sign-in/first-administrator.ts';
import { openContext } from '../src/server/open-context.ts';
import { serve } from '../src/server/serve.ts';
import { type KeyHooks, keyHooks, type StatementHooks, unguarded, withHooks } from './statements.ts';

/**
 * A server process of the races. A message removes the guards, which the races must then notice, or says where the
 * next request with an Idempotency-Key stops permanently.
 */
const points: KeyHooks = {};
const hooks: StatementHooks = keyHooks(points);
process.on('message', (message) => {
  if (message === 'unguard') hooks.rewrite = unguarded.rewrite;
  if (message === 'afterClaim' || message === 'beforeKeep') {
    points[message] = () => {
      process.send?.('stopped');
      return new Promise(() => undefined);
    };
  }
  process.send?.('done');
});
const context = await openContext({ ...readConfig(environment), passwordCost: 2 ** 4 });
await ensureAdministrator(context, () => undefined);
const server = await serve({ ...context, db: withHooks(context.db, hooks) });
console.log(server.address);
// Node would write it on exit, which a killed process does not reach.
flushCompileCache();
process.once('SIGTERM', () => server.close().then(() => process.exit(0)));
