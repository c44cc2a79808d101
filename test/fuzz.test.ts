import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../src/http/core/auth.ts';
import { makeEverything } from './fixtures.ts';
import { type Callers, interfaceRequests } from './fuzz/interface-requests.ts';
import { pageRequests } from './fuzz/page-requests.ts';
import type { FuzzRequest } from './fuzz/request.ts';
import { createWorld, type FuzzAnswer, type World } from './fuzz/world.ts';
import { listen, type TestListener } from './listen.ts';
import { DATABASES, useTestServer } from './server.ts';
import { effort } from './thoroughness.ts';

/** Fixed, so that failures are reproducible; MARQUEE_FUZZ multiplies the runs. */
const SEEDS = [20261121, 42];
const RUNS = effort(220, 100) * Number(process.env.MARQUEE_FUZZ ?? 1);

const ROLES: readonly Role[] = ['administrator', 'editor', 'author', 'contributor', 'subscriber', 'door', 'box_office'];
const CALLERS: Callers = { roles: [undefined, ...ROLES], accounts: ROLES.length };

const basic = (role: Role) => `Basic ${Buffer.from(`${role}:${role}-password`).toString('base64')}`;
const CREDENTIALS = Object.fromEntries(ROLES.map((role) => [role, basic(role)]));

/** The body, unwrapped from a `_jsonp` callback. */
const jsonOf = ({ headers, text }: FuzzAnswer): unknown =>
  JSON.parse(
    headers['content-type']?.startsWith('application/javascript')
      ? text.replace(/^\/\*\*\/[\w.]+\(/, '').replace(/\)$/, '')
      : text,
  );

/** Of feeds and exported files. */
const FILE = /^(text\/(calendar|csv)|application\/(rss|atom)\+xml)\b/;

/** Paths of the interface; what is posted anywhere else may be refused by a page. */
const INTERFACE = /^\/(calendar|wp-json)\//i;

/** Conditions that must hold for every response of the interface. */
function judge({ method, path }: FuzzRequest, answer: FuzzAnswer): void {
  expect(answer.status).toBeLessThan(500);
  // Node responds to bytes that are no request, or too long for one. Outside the namespaces, repeated slashes are
  // redirected.
  if (method === 'HEAD' || [0, 301, 304, 431].includes(answer.status)) return;
  const type = answer.headers['content-type'] ?? '';
  if (!INTERFACE.test(path) && type.startsWith('text/html')) return;
  if (FILE.test(type)) return void expect(answer.status).toBe(200);
  const outer = jsonOf(answer) as { status?: unknown; body?: unknown };
  const isEnvelope = answer.status === 200 && typeof outer.status === 'number' && 'headers' in outer;
  const status = isEnvelope ? Number(outer.status) : answer.status;
  expect(status).toBeLessThan(500);
  if (status < 400) return;
  const error = (isEnvelope ? outer.body : outer) as object;
  // Scanners of the reference read the refusal of a check-in from these members.
  if (/\/qr\b/.test(path) && 'msg' in error)
    return void expect(error).toMatchObject({
      msg: expect.stringMatching(/./),
      error: expect.stringMatching(/^[a-z_]+$/),
    });
  expect(error).toMatchObject({
    code: expect.stringMatching(/^[a-z_-]+$/),
    message: expect.not.stringMatching(/^$|\{\w+\}/),
    data: { status },
  });
}

describe.each(DATABASES)('any request on %s', (kind) => {
  const server = useTestServer(kind, { languages: ['en', 'fr'] });
  let listener: TestListener;
  let world: World;
  beforeAll(async () => {
    await makeEverything(server());
    listener = await listen(server().context);
    world = createWorld({ address: listener.address, credentials: CREDENTIALS });
    await world.renew();
  });
  afterAll(async () => {
    world?.close();
    await listener?.close();
  });

  it.each(SEEDS)('gets a response in JSON and never a server error (seed %i)', { timeout: 600_000 }, async (seed) => {
    const property = fc.asyncProperty(interfaceRequests(CALLERS), async (sent) => {
      judge(sent, await world.send(sent));
    });
    await fc.assert(property, { seed, numRuns: RUNS });
  });

  it.each(SEEDS)('of a page, with or without a form, never gets a server error (seed %i)', async (seed) => {
    const property = fc.asyncProperty(pageRequests(CALLERS), async (sent) => {
      expect((await world.send(sent)).status).toBeLessThan(500);
    });
    await fc.assert(property, { seed, numRuns: RUNS });
  });

  it('leaves the records and their lists intact', async () => {
    const { ask } = server();
    for (const list of ['events', 'venues', 'organizers', 'categories', 'tags'])
      expect((await ask(`GET /${list}`, { as: 'administrator' })).status).toBe(200);
  });
});
