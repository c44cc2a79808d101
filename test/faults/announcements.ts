import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../src/db/database.ts';
import { newRecordIds } from '../../src/db/record-ids.ts';
import { attendeeRow } from '../../src/ticketing/attendees/new-attendee.ts';
import { insertAttendees } from '../../src/ticketing/attendees/store.ts';
import { findTicket } from '../../src/ticketing/tickets/store.ts';
import { type MailServer, SITE, startMailServer } from '../mail-server.ts';
import { openEvent, openTicket } from '../race-actions.ts';
import { DATABASES } from '../server.ts';
import type { Part, Setup } from './part.ts';
import { type Site, withSite } from './site.ts';

/** Every tenth address has two tickets. */
const SHARED = 10;

/** Writes holders as they were sold, without their orders. */
async function makeHolders({ db }: Pick<Site, 'db'>, ticketId: number, count: number): Promise<void> {
  const ticket = await findTicket(db, ticketId);
  if (!ticket) throw new Error('there is no ticket');
  const origin = {
    userId: 0,
    authorId: 0,
    now: new Date(),
    timezone: 'UTC',
    random: (size: number) => Buffer.alloc(size, 7),
  };
  const numbers = [...Array(count).keys(), ...Array(count / SHARED).keys()];
  await db.transaction(async (trx) => {
    const ids = await newRecordIds(trx, ['attendee', ...numbers.slice(1).map(() => 'attendee' as const)]);
    const rows = numbers.map((number, at) => {
      const holder = {
        full_name: `Holder ${number}`,
        email: `h${number}@hall.test`,
        optout: 1 as const,
        information: undefined,
      };
      return attendeeRow(ids[at] ?? 0, { ticket, holder, attendance_status: 'yes', order_id: null, price: 0 }, origin);
    });
    await insertAttendees(trx, rows);
  });
}

/** Lets what the killed process had claimed lapse at once. */
async function endClaims({ query }: Database): Promise<void> {
  const past = '2000-01-01 00:00:00';
  await query.updateTable('jobs').set({ due_utc: past }).execute();
  await query.updateTable('mails').set({ due_utc: past }).where('status', '=', 'queued').execute();
  await query.updateTable('leases').set({ until_utc: past }).execute();
}

const progressOf = async ({ query }: Database) =>
  query.selectFrom('announcements').select(['after_id', 'done_utc', 'recipients']).executeTakeFirst();

/** Kills the process after the first batches of mails are written; returns whether more were to come. */
async function killWhileWriting(site: Site): Promise<boolean> {
  for (let look = 0; look < 5000; look += 1) {
    const progress = await progressOf(site.db);
    if (progress && (Number(progress.after_id) > 0 || progress.done_utc !== '')) break;
    await delay(1);
  }
  await site.end(0, 'SIGKILL');
  const isHit = (await progressOf(site.db))?.done_utc === '';
  await endClaims(site.db);
  return isHit;
}

/** Kills the process when a mail has arrived, before that is confirmed. */
function killAtArrival(site: Site, smtp: MailServer, number: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let arrivals = 0;
  smtp.onArrival = async () => {
    arrivals += 1;
    if (arrivals !== number) return;
    await site.end(0, 'SIGKILL');
    await endClaims(site.db);
    await site.restart(0);
    resolve();
  };
  setTimeout(() => reject(new Error(`only ${arrivals} mails arrived`)), 120_000).unref();
  return promise;
}

async function untilSent({ db }: Site, seconds: number): Promise<void> {
  for (let look = 0; look < seconds * 10; look += 1) {
    const open = await db.query.selectFrom('mails').select('id').where('status', '<>', 'sent').executeTakeFirst();
    const progress = await progressOf(db);
    if (!open && progress?.done_utc) return;
    await delay(100);
  }
}

async function run({ kind, postgresUrl, isShort }: Setup) {
  const count = isShort ? 600 : 3000;
  const smtp = await startMailServer();
  const settings = {
    MARQUEE_URL: SITE,
    MARQUEE_SMTP_URL: `smtp://127.0.0.1:${smtp.settings.smtp?.port}`,
    MARQUEE_MAIL_RATE: '1000',
  };
  try {
    return await withSite({ kind, postgresUrl, settings, isPatient: true }, async (site) => {
      const event = await openEvent(site);
      const ticket = await openTicket(site, event, { mode: 'own', capacity: 100_000 });
      await makeHolders(site, ticket, count);
      const text = 'Doors open at six.';
      const { status } = await site.ask(`POST admin:/events/${event}/announcements`, { body: { text } });
      const isHit = await killWhileWriting(site);
      const killed = killAtArrival(site, smtp, Math.floor(count / 3));
      await site.restart(0);
      await killed;
      await untilSent(site, isShort ? 60 : 240);
      return outcomeOf(smtp, { count, isHit, status, recipients: Number((await progressOf(site.db))?.recipients) });
    });
  } finally {
    await smtp.close();
  }
}

function outcomeOf(
  smtp: MailServer,
  { count, isHit, status, recipients }: { count: number; isHit: boolean; status: number; recipients: number },
) {
  const received = smtp.take();
  const byAddress = Map.groupBy(received, ({ to }) => to.join());
  const repeated = [...byAddress.values()].filter((mails) => mails.length > 1);
  const foreign = repeated.filter((mails) => new Set(mails.map(({ mail }) => mail.messageId)).size > 1);
  return {
    did: `one announcement to ${count} addresses with ${count + count / SHARED} tickets, of a process that was killed twice`,
    figures: { arrived: received.length, repeated: repeated.length, 'killed while writing': isHit ? 'yes' : 'no' },
    problems: [
      ...(status === 201 ? [] : [`the announcement got ${status}`]),
      ...(byAddress.size === count ? [] : [`${byAddress.size} of ${count} addresses got it`]),
      ...(recipients === count ? [] : [`${recipients} recipients were counted`]),
      ...(received.length <= count + 2 ? [] : [`${received.length} mails arrived`]),
      ...(foreign.length === 0 ? [] : [`${foreign.length} mails were repeated with another Message-ID`]),
    ],
  };
}

export const announcements: Part = {
  name: 'announcements',
  about:
    'A process that writes to the holders of an event is killed: each address gets the mail, at most one twice for each kill.',
  databases: DATABASES,
  usual: 'sqlite',
  run,
};
