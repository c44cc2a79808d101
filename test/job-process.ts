import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { environment, readConfig } from '../src/base/config.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { startRunner } from '../src/jobs/runner.ts';
import { defineJob } from '../src/platform/jobs/job.ts';

/**
 * A process that runs jobs whose effect is a row, until SIGTERM. Arguments: the time at which its clock began, how many
 * times faster it is, and whether the effect is written outside the booking.
 */
const [began = 0, speed = 1, isOutside = 0] = process.argv.slice(2).map(Number);
const config = readConfig(environment);
const db = openDatabase(config.database);

const effect = defineJob<{ name: string; milliseconds: number }>({
  kind: 'test.effect',
  // Each killed process costs an attempt.
  attempts: 1000,
  async work(_context, { name, milliseconds }) {
    await delay(milliseconds);
    const write = async (trx: Database) =>
      void (await sql`INSERT INTO effects (name) VALUES (${name})`.execute(trx.query));
    if (isOutside === 0) return write;
    await db.transaction(write);
    return undefined;
  },
});

const context = {
  config,
  db,
  log: pino({ level: 'silent' }),
  now: () => new Date(began + (Date.now() - began) * speed),
  random: randomBytes,
  siteKey: () => randomBytes(32),
};
const runner = startRunner(context, [effect]);
const alive = setInterval(() => undefined, 60_000);
console.log('runs');
process.once('SIGTERM', async () => {
  clearInterval(alive);
  await runner.stop();
  await db.close();
});
