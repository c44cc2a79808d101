import { describe, expect, it } from 'vitest';
import { chanceOf, type RandomSource } from '../bench/random.ts';
import { planSeries, sizeOf } from '../src/calendar/events/series/plan.ts';
import { extendSeries } from '../src/calendar/events/series/series-job.ts';
import { ENDED, findSeries } from '../src/calendar/events/series/series-store.ts';
import { findWrongCounters } from '../src/jobs/recount.ts';
import { toUtc } from '../src/lib/dates/dates.ts';
import { addDaysToDay } from '../src/lib/dates/month.ts';
import { extendPasses } from '../src/ticketing/orders/passes/extend-passes.ts';
import { findIncompletePasses } from '../src/ticketing/orders/passes/missing-dates.ts';
import { runJobs } from './jobs.ts';
import { type Answer, DATABASES, NOON, type TestServer, useTestServer } from './server.ts';
import { effort } from './thoroughness.ts';
import { addTicket, deleteTicket, editTicket, makeTicket } from './tickets.ts';

/** Series under random requests, some of them at once: whatever is asked, its events end up as it says. */

const WALKS = effort(40, 2);
const ROUNDS = 20;
const RULES = [
  'FREQ=DAILY;COUNT=9',
  'FREQ=WEEKLY;COUNT=8',
  'FREQ=DAILY;INTERVAL=3;UNTIL=20270405',
  'FREQ=WEEKLY;BYDAY=MO,TH',
];
const OTHERS = [
  'FREQ=DAILY;COUNT=4',
  'FREQ=DAILY;INTERVAL=2;COUNT=12',
  'FREQ=WEEKLY;COUNT=3',
  'FREQ=DAILY;UNTIL=20270320',
];
const TIMES = ['01:30', '02:30', '19:00'];

interface Known {
  id: number;
  series_id: number | null;
  recurrence_id: string | null;
  status: string;
  title: string;
  start_date: string;
  utc_start_date: string;
}

class Walk {
  readonly server: TestServer;
  readonly chance: RandomSource;
  /** Records of the walk have this id or a higher one. */
  readonly since: number;
  /** Titles that events have for themselves. */
  readonly own = new Map<number, string>();
  /** Events with holders. */
  readonly sold = new Set<number>();
  /** The same of this round: a request of the round may not have known of the place. */
  private readonly soldNow = new Set<number>();
  readonly log: string[] = [];
  private titles = 0;

  constructor(server: TestServer, chance: RandomSource, since: number) {
    this.server = server;
    this.chance = chance;
    this.since = since;
  }

  events(): Promise<Known[]> {
    return this.server.context.db.query
      .selectFrom('events')
      .leftJoin('occurrences', 'event_id', 'events.id')
      .select(['events.id', 'events.series_id', 'recurrence_id', 'status', 'title', 'start_date', 'utc_start_date'])
      .where('events.id', '>=', this.since)
      .orderBy('events.id')
      .execute();
  }

  series = () =>
    this.server.context.db.query
      .selectFrom('series')
      .select(['id', 'rrule', 'status'])
      .where('id', '>=', this.since)
      .orderBy('id')
      .execute();

  async send(call: string, body: object | undefined, query: Record<string, string | boolean> = {}): Promise<Answer> {
    const answer = await this.server.ask(call, { as: 'editor', query, ...(body && { body }) });
    this.log.push(
      `${call} ${JSON.stringify(body ?? {})} ${JSON.stringify(query)}: ${answer.status} ${answer.body?.code ?? ''}`,
    );
    expect(answer.status, this.log.join('\n')).toBeLessThan(500);
    return answer;
  }

  /** A random request. */
  private async act(event: Known, series: { id: number }): Promise<void> {
    const { chance } = this;
    const scope = chance.pick(['this', 'this', 'following', 'all']);
    this.titles += 1;
    const title = `Title ${this.titles}`;
    const day = event.recurrence_id ?? event.start_date.slice(0, 10);
    await chance.pick([
      async () => {
        const { status } = await this.send(`PATCH /events/${event.id}`, { title, scope });
        if (status !== 200) return;
        // With others, it is the title of the series.
        if (scope === 'this') this.own.set(event.id, title);
        else this.own.delete(event.id);
      },
      () => {
        const time = chance.pick(TIMES);
        return this.send(`PATCH /events/${event.id}`, {
          start_date: `${day} ${time}`,
          end_date: `${day} 23:00`,
          scope,
        });
      },
      () => this.send(`PATCH /events/${event.id}`, { event_status: chance.pick(['cancelled', 'scheduled']), scope }),
      async () => {
        // A deletion of one event does not ask, nor does one of an event that has left its series.
        if (this.sold.has(event.id) && (scope === 'this' || event.series_id === null)) return;
        await this.send(`DELETE /events/${event.id}`, undefined, { scope });
      },
      async () => {
        if (this.sold.has(event.id) || event.status !== 'trash') return;
        const { status } = await this.send(`DELETE /events/${event.id}`, undefined, { force: true });
        if (status === 200) this.own.delete(event.id);
      },
      () => this.send(`PATCH /events/${event.id}`, { status: 'publish' }),
      () => this.send(`PATCH /series/${series.id}`, { recurrence: { rrule: chance.pick(OTHERS) } }),
      () =>
        this.send(`PATCH /series/${series.id}`, {
          recurrence: { exdates: [addDaysToDay('2027-03-08', chance.below(30))] },
        }),
      () =>
        this.send(`PATCH /series/${series.id}`, {
          recurrence: { rdates: [addDaysToDay('2027-03-08', chance.below(30))] },
        }),
      () => this.send(`DELETE /series/${series.id}`, undefined),
      () => this.send(`PATCH /series/${series.id}`, { status: 'publish' }),
      ...[1, 2, 3].map(() => () => this.sell(event)),
      ...[1, 2].map(() => () => this.writeTicket(event, scope)),
    ])();
  }

  private async sell({ id, status }: Known): Promise<void> {
    const tickets = await this.ticketsOf(id);
    const ticket = tickets.length > 0 ? this.chance.pick(tickets) : undefined;
    if (!ticket || status !== 'publish') return;
    const body = { ticket_id: ticket.id, full_name: 'Ada', email: 'ada@party.test' };
    const answer = await this.send('POST tickets:/attendees', body);
    if (answer.status < 300) this.soldNow.add(id);
  }

  private ticketsOf = (event: number) =>
    this.server.context.db.query
      .selectFrom('tickets')
      .select(['id', 'title'])
      .where('event_id', '=', event)
      .where('is_deleted', '=', 0)
      .orderBy('id')
      .execute();

  private async writeTicket({ id }: Known, scope: string): Promise<void> {
    const { server, chance } = this;
    const [ticket] = (await this.ticketsOf(id)).toReversed();
    const pool = { mode: 'own', capacity: 5 };
    const answer = await chance
      .pick([
        () =>
          addTicket(
            server,
            { post_id: id, provider: 'tc', name: chance.pick(['Child', 'Guest']), price: '5', ticket: pool, scope },
            'editor',
          ),
        () =>
          addTicket(
            server,
            { post_id: id, provider: 'tc', name: 'Pass', price: '50', ticket: pool, scope: 'series' },
            'editor',
          ),
        () =>
          ticket && editTicket(server, ticket.id, { post_id: id, price: String(chance.below(40)), scope }, 'editor'),
        () => ticket && ticket.title !== 'Seat' && deleteTicket(server, ticket.id, id, 'editor'),
      ])()
      ?.valueOf();
    if (answer && typeof answer === 'object') this.log.push(`ticket of ${id}: ${(answer as Answer).status}`);
  }

  /** Up to three requests at once, each about another event. */
  async round(): Promise<void> {
    const { chance } = this;
    const [events, series] = [await this.events(), await this.series()];
    const named = new Map(
      Array.from({ length: 1 + chance.below(3) }, () => chance.pick(events)).map((one) => [one.id, one]),
    );
    await Promise.all([...named.values()].map((event) => this.act(event, chance.pick(series))));
    for (const { id, status } of await this.events()) if (this.soldNow.has(id) && status !== 'trash') this.sold.add(id);
    this.soldNow.clear();
  }

  /** Does all the work, and expects that nothing is left to do. */
  async settle(): Promise<void> {
    const { clock, context } = this.server;
    const { db } = context;
    await extendSeries(context);
    await extendPasses(context);
    for (let turn = 0; turn < 4; turn += 1) {
      await runJobs(context);
      clock.now = new Date(clock.now.getTime() + 5000);
    }
    const told = this.log.join('\n');
    const jobs = await db.query
      .selectFrom('jobs')
      .select(['kind', 'error', 'state', 'payload'])
      .where('kind', 'not like', 'mail%')
      .execute();
    expect(jobs, told).toEqual([]);
    const events = await this.events();
    for (const { id } of await this.series()) {
      const series = await findSeries(db, id);
      if (!series) continue;
      const plan = await planSeries(db, series, clock.now);
      expect({ id, size: sizeOf(plan), pending: series.pending }, told).toEqual({ id, size: 0, pending: 0 });
    }
    const { rows } = await db.query
      .selectFrom('occurrences')
      .innerJoin('events', 'events.id', 'event_id')
      .select(['event_id', 'occurrences.series_id', 'events.series_id as of'])
      .execute()
      .then((found) => ({ rows: found.filter((row) => row.series_id !== row.of) }));
    expect(rows, told).toEqual([]);
    // A past event that is named goes to the trash in any case.
    const lost = events.filter(
      ({ id, status, utc_start_date }) => this.sold.has(id) && status === 'trash' && utc_start_date > toUtc(clock.now),
    );
    expect(lost, told).toEqual([]);
    const renamed = events.filter(({ id, title }) => this.own.has(id) && this.own.get(id) !== title);
    expect(
      renamed.map(({ id, title }) => [id, title, this.own.get(id)]),
      told,
    ).toEqual([]);
    expect(await findIncompletePasses(db, toUtc(clock.now)), told).toEqual([]);
    expect(await findWrongCounters(db), told).toEqual([]);
  }
}

describe.each(DATABASES)('series on %s', (kind) => {
  const server = useTestServer(kind);

  it('agree with their rules after any requests, and keep sold places and the own fields of events', {
    timeout: 600_000,
  }, async () => {
    for (let seed = 1; seed <= WALKS; seed += 1) {
      const { db } = server().context;
      server().clock.now = NOON;
      const chance = chanceOf(seed + 1000 * Number(process.env.TEST_SEED ?? 0));
      const { id } = await server().make('POST /events', {
        title: 'Pottery',
        start_date: '2027-03-08 19:00',
        end_date: '2027-03-08 21:00',
      });
      const walk = new Walk(server(), chance, id);
      await makeTicket(server(), id, { ticket: { mode: 'own', capacity: 10 } });
      await server().make('POST /series', { event_id: id, recurrence: { rrule: chance.pick(RULES) } });
      for (let round = 0; round < ROUNDS; round += 1) {
        await walk.round();
        if (chance.is(0.4)) await walk.settle();
        if (chance.is(0.1))
          server().clock.now = new Date(server().clock.now.getTime() + 4 * 86_400_000 * (chance.is(0.2) ? 27 : 1));
      }
      await walk.settle();
      // Later walks do not extend these series.
      await db.query.updateTable('series').set({ made_until: ENDED }).execute();
    }
  });
});
