import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { openTicket } from '../race-actions.ts';
import { DATABASES } from '../server.ts';
import { aftermath } from './aftermath.ts';
import type { Part, Setup } from './part.ts';
import type { Site } from './site.ts';
import { withSite } from './site.ts';

const TITLES = { first: 'Pottery', second: 'Glazing' };

interface Progress {
  /** Events of the series. */
  made: number;
  /** Events with the second title. */
  renamed: number;
  /** Events without their one ticket. */
  unticketed: number;
  pending: number;
  /** Jobs that will go on with it. */
  jobs: number;
}

async function progressOf({ db }: Pick<Site, 'db'>): Promise<Progress> {
  const { rows } = await sql<Progress>`SELECT count(*) AS made,
    coalesce(sum(CASE WHEN e.title = ${TITLES.second} THEN 1 ELSE 0 END), 0) AS renamed,
    coalesce(sum(CASE WHEN (SELECT count(*) FROM tickets AS t WHERE t.event_id = e.id) = 1 THEN 0 ELSE 1 END), 0) AS unticketed,
    (SELECT coalesce(sum(pending), 0) FROM series) AS pending,
    (SELECT count(*) FROM jobs WHERE state <> 'dead') AS jobs
    FROM events AS e JOIN occurrences AS o ON o.event_id = e.id AND o.series_id = e.series_id`.execute(db.query);
  const [row = { made: 0, renamed: 0, unticketed: 0, pending: 0, jobs: 0 }] = rows;
  const [made, renamed, unticketed] = [Number(row.made), Number(row.renamed), Number(row.unticketed)];
  return { made, renamed, unticketed, pending: Number(row.pending), jobs: Number(row.jobs) };
}

interface Task {
  name: string;
  size: number;
  kills: number;
  timeout: number;
  send(): Promise<unknown>;
  /** Events that are done. */
  doneOf(progress: Progress): number;
  /** Events that were done before. */
  before: number;
}

/**
 * Sends a request, and kills the process several times while its work goes on. A request that was lost with the process
 * is sent again.
 */
async function interrupt(site: Site, { name, size, kills, timeout, send, doneOf, before }: Task) {
  const problems: string[] = [];
  let hits = 0;
  let sent = send().catch(() => undefined);
  for (let kill = 1; kill <= kills; kill += 1) {
    await untilUnderway(site);
    await delay(Math.random() * 50);
    await site.end(0, 'SIGKILL');
    await sent;
    const progress = await progressOf(site);
    const { made, pending, jobs, unticketed } = progress;
    const at = `${name}, kill ${kill}: ${JSON.stringify(progress)}`;
    const isBegun = doneOf(progress) > before;
    if (pending > 0) hits += 1;
    if (isBegun && doneOf(progress) + pending !== size) problems.push(`${at}: the number that is left is wrong`);
    if (pending > 0 && jobs === 0) problems.push(`${at}: no job goes on`);
    if (made > 0 && unticketed > 0) problems.push(`${at}: events lack their ticket`);
    // The claim of the process that was killed lapses.
    await site.db.query.updateTable('jobs').set({ due_utc: '2000-01-01 00:00:00' }).execute();
    await site.restart(0);
    if (!isBegun) sent = send().catch(() => undefined);
  }
  await sent;
  const until = performance.now() + timeout;
  let last = await progressOf(site);
  while (performance.now() < until && (last.pending > 0 || last.jobs > 0)) {
    await delay(100);
    last = await progressOf(site);
  }
  if (doneOf(last) !== size || last.pending > 0 || last.unticketed > 0)
    problems.push(`${name} ended with ${JSON.stringify(last)}`);
  if (hits === 0) problems.push(`${name}: no kill interrupted it`);
  return { hits, problems };
}

/** Waits until work is left for later steps, or is done. */
async function untilUnderway(site: Site): Promise<void> {
  const until = performance.now() + 5000;
  while (performance.now() < until && (await progressOf(site)).pending === 0) await delay(2);
}

async function run({ kind, postgresUrl, isShort }: Setup) {
  const size = isShort ? 150 : 500;
  const [kills, timeout] = isShort ? [2, 60_000] : [8, 240_000];
  return withSite({ kind, postgresUrl, isPatient: true }, async (site) => {
    const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
    const event = { title: TITLES.first, start_date: `${day} 19:00:00`, end_date: `${day} 21:00:00` };
    const { body: first } = await site.ask('POST events:/events', { body: event });
    await openTicket(site, first.id, { mode: 'own', capacity: 10 });
    const recurrence = { rrule: `FREQ=DAILY;COUNT=${size}` };
    const common = { size, kills, timeout };
    const created = await interrupt(site, {
      ...{ ...common, name: 'creation', before: 0, doneOf: ({ made }) => made },
      send: () => site.ask('POST events:/series', { body: { event_id: first.id, recurrence } }),
    });
    const changed = await interrupt(site, {
      ...{ ...common, name: 'change', before: 0, doneOf: ({ renamed }) => renamed },
      send: () => site.ask(`PATCH events:/events/${first.id}`, { body: { title: TITLES.second, scope: 'all' } }),
    });
    return {
      did: `${size} events of a series made and changed by a process that was killed ${2 * kills} times`,
      figures: { 'kills during the creation': created.hits, 'kills during the change': changed.hits },
      problems: [...created.problems, ...changed.problems, ...(await aftermath(site))],
    };
  });
}

export const series: Part = {
  name: 'series',
  about: 'A process is killed while it makes and changes the events of a series: all are complete after the restart.',
  databases: DATABASES,
  usual: 'sqlite',
  run,
};
