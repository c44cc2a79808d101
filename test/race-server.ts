import { flushCompileCache } from 'node:module';
import { environment, readConfig } from '../src/config.ts';
import { testHooks } from '../src/db/test-hooks.ts';
import { openContext, startServer } from '../src/main.ts';
import { testHooks as answering } from '../src/resources/idempotency-keys/answer-once.ts';

/**
 * One process of the races. A message takes off the guards, which the races then have to notice, or names where the
 * next request with an Idempotency-Key stops for good.
 */
process.on('message', (message) => {
  if (message === 'unguard') testHooks.isGuarded = false;
  if (message === 'afterClaim' || message === 'beforeKeep') {
    answering[message] = () => {
      process.send?.('stopped');
      return new Promise(() => undefined);
    };
  }
  process.send?.('done');
});
const context = await openContext({ ...readConfig(environment), passwordCost: 2 ** 4 });
const server = await startServer(context, () => undefined);
console.log(server.address);
// Node would write it at the end, which a process that is killed does not see.
flushCompileCache();
process.once('SIGTERM', () => server.close().then(() => process.exit(0)));
