import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';
import { type Database, openDatabase } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { queueMail } from '../src/platform/mails/outbox.ts';
import { type MailServer, startMailServer } from './mail-server.ts';
import { programOf } from './marquee-process.ts';
import { createDatabase } from './postgres.ts';
import { BOTH_DATABASES } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const SCRIPT = programOf(new URL('mail-process.ts', import.meta.url));
/** Clocks run so many times faster: a claim of two minutes lapses after two seconds. */
const SPEED = 60;
const MAILS = 100;
/** Mails at whose arrival, before they are confirmed, the sender is killed. */
const KILLED_AT = new Set([10, 50, 51]);

const launch = (url: string, data: string, smtp: MailServer, began: number): ChildProcess =>
  spawn(process.execPath, [SCRIPT, String(began), String(SPEED)], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: join(tmpdir(), 'marquee-compile-cache'),
      MARQUEE_DATA: data,
      MARQUEE_DATABASE_URL: url,
      MARQUEE_URL: smtp.settings.url,
      MARQUEE_SMTP_URL: `smtp://127.0.0.1:${smtp.settings.smtp?.port}`,
      MARQUEE_MAIL_RATE: '1000',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });

async function untilSent(db: Database): Promise<void> {
  for (let look = 0; look < 600; look += 1) {
    const open = await db.query.selectFrom('mails').select('id').where('status', '<>', 'sent').executeTakeFirst();
    if (!open) return;
    await delay(100);
  }
}

it.each(BOTH_DATABASES)('kill -9 loses no mail, and each kill repeats one at most, on %s', async (kind) => {
  const data = await temporaryFolder('mails');
  const database = kind === 'postgres' ? await createDatabase(inject('postgresUrl')) : undefined;
  const file = join(data, 'marquee.db');
  const db = openDatabase(database ? { kind: 'postgres', url: database.url, pool: 2 } : { kind: 'sqlite', file });
  const smtp = await startMailServer();
  const began = Date.now();
  const start = () => launch(database?.url ?? `sqlite:${file}`, data, smtp, began);
  let sender: ChildProcess | undefined;
  let arrivals = 0;
  smtp.onArrival = async () => {
    arrivals += 1;
    if (!KILLED_AT.has(arrivals) || !sender) return;
    const ended = once(sender, 'exit');
    sender.kill('SIGKILL');
    await ended;
    sender = start();
  };
  try {
    await migrate(db);
    await db.transaction(async (trx) => {
      for (let index = 0; index < MAILS; index += 1)
        await queueMail(trx, {
          ...{ kind: 'tickets', key: `tickets-${index}`, to: `c${index}@example.test`, language: '' },
          ...{ record_kind: 'order', record_id: index, now: new Date(began) },
        });
    });
    sender = start();
    await untilSent(db);
    const received = smtp.take();
    const byKey = Map.groupBy(received, ({ mail }) => mail.subject);
    expect(byKey.size).toBe(MAILS);
    expect(received.length).toBeLessThanOrEqual(MAILS + KILLED_AT.size);
    expect(received.length).toBeGreaterThan(MAILS);
    for (const copies of byKey.values()) expect(new Set(copies.map(({ mail }) => mail.messageId)).size).toBe(1);
  } finally {
    sender?.kill('SIGKILL');
    await smtp.close();
    await db.close();
    await database?.drop();
    await rm(data, { recursive: true, force: true });
  }
});
