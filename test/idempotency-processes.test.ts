import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openEvent, openTicket } from './race-actions.ts';
import { DATABASES } from './server.ts';
import { effort } from './thoroughness.ts';
import { type RaceAnswer, type Servers, startServers } from './two-servers.ts';

const ROUNDS = effort(100, 15);
const WALK = { title: 'Walk', start_date: '2037-05-01 10:00', end_date: '2037-05-01 11:00' };

describe.each(DATABASES)('an Idempotency-Key at several processes on %s', (kind) => {
  let servers: Servers;
  beforeAll(async () => {
    servers = await startServers(kind, { postgresUrl: inject('postgresUrl') });
  });
  afterAll(() => servers.close());

  const create = (key: string, process?: number): Promise<RaceAnswer> =>
    servers.ask('POST events:/events', { body: WALK, headers: { 'Idempotency-Key': key }, process });
  const count = async (table: 'events' | 'attendees') => {
    const { total } = await servers.db.query
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return Number(total);
  };
  /** Has the effect of six seconds without a renewal. */
  const letClaimsLapse = () =>
    servers.db.query
      .updateTable('idempotency_keys')
      .set({ expires_utc: '2020-01-01 00:00:00' })
      .where('answer', '=', '')
      .execute();

  /** Sends each request to both processes at the same time; returns the number of new events. */
  async function race(name: string): Promise<{ made: number; answers: RaceAnswer[][] }> {
    const before = await count('events');
    const answers: RaceAnswer[][] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      answers.push(await Promise.all([0, 1, 0, 1].map((process) => create(`${name} ${round}`, process))));
    }
    return { made: (await count('events')) - before, answers };
  }

  it('is executed once for concurrent requests', async () => {
    const { made, answers } = await race('race');
    expect(made).toBe(ROUNDS);
    for (const [round, same] of answers.entries()) {
      const done = same.filter(({ status }) => status === 201);
      expect(done.length).toBeGreaterThan(0);
      expect(new Set(done.map(({ body }) => body.id)).size).toBe(1);
      const refused = same.filter(({ status }) => status !== 201);
      for (const { status, body, headers } of refused) {
        expect([status, body.code]).toEqual([409, 'request-in-progress']);
        expect(headers['retry-after']).toMatch(/^[1-6]$/);
      }
      for (const process of [0, 1]) expect((await create(`race ${round}`, process)).body).toEqual(done[0]?.body);
    }
    expect(await count('events')).toBeGreaterThanOrEqual(ROUNDS);
  });

  it('survives the end of the process', async () => {
    const first = await create('kept', 0);
    await servers.kill(0);
    expect((await create('kept', 1)).body).toEqual(first.body);
    await servers.restart(0);
    expect((await create('kept', 0)).body).toEqual(first.body);
  });

  it.each(['afterClaim', 'beforeKeep'] as const)(
    'does nothing when the process is killed %s, and the work once the claim has lapsed',

    async (where) => {
      const ticket = await openTicket(servers, await openEvent(servers), { mode: 'own', capacity: 10 });
      const attend = (process: number) =>
        servers.ask('POST tickets:/attendees', {
          body: { ticket_id: ticket, full_name: 'Ada', email: 'ada@example.test' },
          headers: { 'Idempotency-Key': where },
          process,
        });
      const before = await count('attendees');
      const { stopped } = await servers.stopAt(0, where);
      const first = attend(0).catch(() => 'no answer');
      await stopped;
      await servers.kill(0);
      expect(await first).toBe('no answer');
      expect(await count('attendees')).toBe(before);
      expect(await attend(1)).toMatchObject({ status: 409, body: { code: 'request-in-progress' } });
      await letClaimsLapse();
      const second = await attend(1);
      expect(second.status).toBe(201);
      await servers.restart(0);
      expect((await attend(0)).body).toEqual(second.body);
      expect(await count('attendees')).toBe(before + 1);
      const { sold } = await servers.db.query
        .selectFrom('tickets')
        .select('sold')
        .where('id', '=', ticket)
        .executeTakeFirstOrThrow();
      expect(sold).toBe(1);
    },
  );

  it('is done a few seconds after a process was killed in the middle of a batch', async () => {
    const before = await count('events');
    const call = { method: 'POST', path: '/calendar/events/v1/events', body: WALK };
    const batch = (process: number) =>
      servers.ask('POST admin:/batch', {
        body: { calls: [call, call, call] },
        headers: { 'Idempotency-Key': 'batch' },
        process,
      });
    const { stopped } = await servers.stopAt(0, 'beforeKeep');
    const first = batch(0).catch(() => 'no answer');
    await stopped;
    await servers.kill(0);
    expect(await first).toBe('no answer');
    let again = await batch(1);
    expect(again.status).toBe(409);
    let waited = 0;
    while (again.status === 409) {
      const seconds = Number(again.headers['retry-after']);
      await delay(seconds * 1000);
      waited += seconds;
      again = await batch(1);
    }
    expect(waited).toBeLessThan(15);
    expect(again.body.results.map(({ status }: { status: number }) => status)).toEqual([201, 201, 201]);
    expect(await count('events')).toBe(before + 3);
    await servers.restart(0);
  });

  it('reports an earlier check-in if the process was killed before it stored the response', async () => {
    const ticket = await openTicket(servers, await openEvent(servers), { mode: 'own', capacity: 10 });
    const { key } = (await servers.ask('POST admin:/check-in-keys', { body: { name: 'gate' } })).body;
    const { body: attendee } = await servers.ask('POST tickets:/attendees', {
      body: { ticket_id: ticket, full_name: 'Ada', email: 'ada@example.test' },
    });
    const { security_code } = await servers.db.query
      .selectFrom('attendees')
      .select('security_code')
      .where('id', '=', attendee.id)
      .executeTakeFirstOrThrow();
    const scan = (process: number) =>
      servers.ask('POST tickets:/qr', {
        body: { api_key: key, ticket_id: attendee.id, security_code },
        headers: { 'Idempotency-Key': 'scan' },
        process,
      });
    const { stopped } = await servers.stopAt(0, 'beforeKeep');
    const first = scan(0).catch(() => 'no answer');
    await stopped;
    await servers.kill(0);
    expect(await first).toBe('no answer');
    expect((await scan(1)).body.code).toBe('request-in-progress');
    await letClaimsLapse();
    expect((await scan(1)).body.error).toBe('attendee_already_checked_in');
    await servers.restart(0);
  });

  it('is executed several times without the guard, which the race notices', async () => {
    await servers.unguard();
    expect((await race('control')).made).toBeGreaterThan(ROUNDS);
  });
});
