import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { EVENING } from '../../../test/tickets.ts';

const imageHosts: string[] = [];
let images: Server;
let origin: string;
/** Called while the client of an image waits for it. */
let whileWaiting: () => Promise<void>;
let served: string[] = [];

beforeAll(async () => {
  const picture = await sharp({ create: { width: 400, height: 200, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  images = createServer(async (request, response) => {
    served.push(request.url ?? '');
    if (request.url?.startsWith('/never.png')) return;
    await whileWaiting().catch((error: unknown) => served.push(String(error)));
    response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
  });
  await new Promise<void>((resolve) => images.listen(0, '127.0.0.1', resolve));
  const { port } = images.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  imageHosts.push(`127.0.0.1:${port}`);
});

afterAll(() => {
  images.closeAllConnections();
  images.close();
});

beforeEach(() => {
  served = [];
});

describe.each(DATABASES)('images from other servers on %s', (kind) => {
  const server = useTestServer(kind, { imageHosts });
  let ids: Record<'event' | 'venue' | 'organizer', number>;
  let doubles: number[];
  let number = 0;
  /** An address that no record names yet. */
  const image = () => {
    number += 1;
    return `${origin}/${number}.png`;
  };

  beforeAll(async () => {
    const { make } = server();
    const { id: event } = await make('POST /events', EVENING);
    const { id: venue } = await make('POST /venues', { venue: 'Old mill' });
    doubles = [];
    for (const venue of ['Mill', 'The mill']) doubles.push((await make('POST /venues', { venue })).id);
    const { id: organizer } = await make('POST /organizers', { organizer: 'Mill club' });
    ids = { event, venue, organizer };
    // SQLite has one connection, so this write would wait for an open transaction; PostgreSQL lists those.
    whileWaiting = async () => {
      await make('POST /tags', { name: `Tag ${number} of ${served.length}` });
      if (kind === 'sqlite') return;
      const { rows } = await sql`SELECT query FROM pg_stat_activity
        WHERE datname = current_database() AND state LIKE 'idle in transaction%'`.execute(server().context.db.query);
      if (rows.length > 0) served.push(JSON.stringify(rows));
    };
  });

  const WRITES: [call: string, body: () => unknown, images: number][] = [
    ['POST /events', () => ({ ...EVENING, image: image() }), 1],
    [
      'POST /events',
      () => ({
        ...{ ...EVENING, image: image(), categories: [`New ${number}`] },
        venue: { venue: `Hall ${number}`, image: image() },
        organizer: [{ organizer: `Choir ${number}`, image: image() }],
      }),
      3,
    ],
    ['PATCH /events/event', () => ({ image: image() }), 1],
    ['PATCH /events/event', () => ({ venue: { venue: `Quay ${number}`, image: image() } }), 1],
    ['POST /venues', () => ({ venue: `Barn ${number}`, image: image() }), 1],
    ['PATCH /venues/venue', () => ({ image: image() }), 1],
    ['POST /organizers', () => ({ organizer: `Band ${number}`, image: image() }), 1],
    ['PATCH /organizers/organizer', () => ({ image: image() }), 1],
    ['POST admin:/batch', () => ({ calls: [batched(), batched()] }), 2],
    ['POST admin:/venues/venue/merge', () => ({ from: [doubles.pop()], fields: { image: image() } }), 1],
  ];
  const batched = () => ({
    ...{ method: 'POST', path: '/calendar/events/v1/events' },
    body: { ...EVENING, image: image() },
  });

  const spellings = WRITES.flatMap(([call, ...write]) =>
    ['', ' with an Idempotency-Key'].map((once) => [call, once, ...write] as const),
  );

  it.each(spellings)('are fetched while no transaction is open: %s%s', async (call, once, body, count) => {
    const path = call.replace(/\/(event|venue|organizer)(?=\/|$)/, (_all, name: keyof typeof ids) => `/${ids[name]}`);
    number += 1;
    const headers: Record<string, string> = once === '' ? {} : { 'idempotency-key': `${call} ${number}` };
    const answer = await server().ask(path, { as: 'administrator', headers, body: body() });
    expect([answer.status < 300, answer.text]).toEqual([true, expect.not.stringContaining('"code"')]);
    expect(served).toEqual(Array.from({ length: count }, () => expect.stringMatching(/^\/\d+\.png$/)));
  });

  it('are given up together, however many a write names', async () => {
    const { context, restart, ask } = server();
    expect(context.config.timeouts.images).toBe(5000);
    restart({ timeouts: { ...context.config.timeouts, images: 150 } });
    const inline = (name: string) => ({ organizer: `${name} ${number}`, image: `${origin}/never.png?${name}` });
    const body = { ...EVENING, image: image(), organizer: ['a', 'b', 'c', 'd', 'e', 'f'].map(inline) };
    const start = performance.now();
    const answer = await ask('POST /events', { as: 'administrator', body });
    expect(answer).toMatchObject({ status: 400, body: { data: { params: { organizer: expect.any(String) } } } });
    expect(served.length).toBeLessThanOrEqual(2);
    expect(performance.now() - start).toBeLessThan(2500);
    restart({ timeouts: context.config.timeouts });
  });
});
