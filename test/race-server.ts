import { flushCompileCache } from 'node:module';
import { environment, readConfig } from '../src/base/config.ts';
import { openContext, startServer } from '../src/server/main.ts';
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
const server = await startServer({ ...context, db: withHooks(context.db, hooks) }, () => undefined);
console.log(server.address);
// Node would write it on exit, which a killed process does not reach.
flushCompileCache();
process.once('SIGTERM', () => server.close().then(() => process.exit(0)));
