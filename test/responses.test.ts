import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp, createRuntime, documentedEndpoints } from '../src/app.ts';
import { createOverloadGuard } from '../src/http/connection/overload.ts';
import type { AnyEndpoint, Method } from '../src/http/core/endpoint.ts';
import { resolved, wholeDocument } from './document.ts';
import { type Everything, makeEverything } from './fixtures.ts';
import { createResponseChecker, templateOf } from './response-checker.ts';
import { authorised, DOOR_KEY, SAMPLES } from './samples.ts';
import { type Answer, type Asking, useTestServer } from './server.ts';
import { SITUATIONS } from './situations.ts';
import { type KeyHooks, keyHooks } from './statements.ts';
import { usualDatabases } from './thoroughness.ts';

/** Provokes every status that the OpenAPI document declares for each operation, and checks the responses against it. */

interface Operation {
  item: AnyEndpoint;
  method: Method;
}

const OPERATIONS: readonly Operation[] = documentedEndpoints.flatMap((item) =>
  (item.methods as readonly Method[]).map((method) => ({ item, method })),
);
const WRITES = OPERATIONS.filter(({ method }) => method !== 'GET');
const WITH_BODY = WRITES.filter(({ method }) => method !== 'DELETE');

const document = wholeDocument();
const checker = createResponseChecker(document);

/** Operations with declared statuses that no request here provokes. */
const UNREACHED: readonly string[] = [];

/** Statuses that `default` includes. */
const ANY = ['429', '500', '503'];
const ANY_WRITE = ['408', '413', ...ANY];
/** Of idempotency keys, which requests with signed bytes do not have. */
const OF_KEYS = ['409', '422'];

function declaredStatuses({ item, method }: Operation): string[] {
  const operation = document.paths[templateOf(item)]?.[method.toLowerCase()];
  const { responses } = resolved(operation, document) as { responses: object };
  const own = Object.keys(responses).filter((status) => status !== 'default');
  const ofKeys = item.takesBytes === undefined ? OF_KEYS : [];
  return [...new Set([...own, ...(method === 'GET' ? ANY : [...ANY_WRITE, ...ofKeys])])];
}

const nameOf = ({ item, method }: Operation): string => `${method} ${item.name}`;

const callOf = ({ item, method }: Operation, values: readonly (string | number)[] = []): string => {
  const rest = [...values];
  return `${method} ${item.namespace}:${item.path.replace(/\{\w+\}/g, () => String(rest.shift() ?? 999_999))}`;
};

const WRONG = { authorization: `Basic ${btoa('nobody-here:wrong')}` };

describe.each(usualDatabases)('responses match the OpenAPI document on %s', (kind) => {
  const hooks: KeyHooks = {};
  const server = useTestServer(kind, { qrApiKey: DOOR_KEY }, { hooks: keyHooks(hooks) });
  const broken = useTestServer(kind);
  const reached = new Set<string>();
  let world: Everything;

  beforeAll(async () => {
    world = await makeEverything(server());
  });

  const sampleOf = async ({
    item,
  }: Operation): Promise<Asking & { path?: (string | number)[]; session?: string; device?: string }> => {
    const {
      subscriber: _subscriber,
      stranger: _stranger,
      ...asking
    } = (await SAMPLES[item.name]?.(world, server())) ?? {};
    return asking;
  };

  function check(operation: Operation, answer: Answer): void {
    const { item, method } = operation;
    reached.add(`${nameOf(operation)} ${answer.status}`);
    const problems = checker.problemsOf(method, templateOf(item), answer);
    expect(problems, `${nameOf(operation)}: ${answer.status} ${answer.text.slice(0, 500)}`).toEqual([]);
  }

  /** Sends a request of each operation; returns the statuses. */
  async function each(operations: readonly Operation[], asking: Asking): Promise<Set<number>> {
    const statuses = new Set<number>();
    for (const operation of operations) {
      const answer = await server().ask(callOf(operation), asking);
      check(operation, answer);
      statuses.add(answer.status);
    }
    return statuses;
  }

  it('when they succeed, and when nothing has changed since', async () => {
    for (const operation of OPERATIONS) {
      const { path, session, device, ...asking } = await sampleOf(operation);
      const call = callOf(operation, path);
      check(operation, await server().ask(call, { ...asking, ...authorised({ ...asking, session, device }) }));
      if (operation.method !== 'GET' || operation.item.hasEffect) continue;
      const headers = { ...asking.headers, ...(device && { 'x-api-key': device }), 'if-none-match': '*' };
      check(operation, await server().ask(call, { ...asking, headers, as: 'administrator' }));
    }
  });

  it('to visitors and accounts without rights', async () => {
    for (const operation of OPERATIONS) {
      const { path, session: _session, device: _device, ...asking } = await sampleOf(operation);
      for (const as of [undefined, 'subscriber', 'door'] as const) {
        check(operation, await server().ask(callOf(operation, path), { ...asking, as }));
      }
    }
  });

  it('to malformed requests', async () => {
    await each(OPERATIONS, { as: 'administrator' });
    expect(await each(OPERATIONS, { headers: { authorization: 'Bearer wrong' } })).toEqual(new Set([401]));
    expect(await each(OPERATIONS, { query: { i18n_language: 'xx' } })).toEqual(new Set([400]));
    const form = new URLSearchParams('x=1');
    await each(WITH_BODY, { as: 'editor', headers: { 'content-type': 'multipart/form-data' }, form });
  });

  it('to edits of an outdated revision', async () => {
    for (const operation of OPERATIONS.filter(({ item }) => item.showCurrent)) {
      expect(operation.item.errors).toContain('edit-conflict');
      const { path, ...asking } = await sampleOf(operation);
      const headers = { ...asking.headers, 'if-match': '"r999999"' };
      const answer = await server().ask(callOf(operation, path), { ...asking, headers, as: 'administrator' });
      expect(answer.status, nameOf(operation)).toBe(412);
      check(operation, answer);
    }
  });

  it('in special situations', async () => {
    for (const operation of OPERATIONS) {
      for (const [status, request] of SITUATIONS[operation.item.name] ?? []) {
        const { path, as = 'administrator', ...asking } = await request({ server: server(), world });
        const answer = await server().ask(callOf(operation, path), { ...asking, ...(as !== 'stranger' && { as }) });
        expect(answer.status, `${nameOf(operation)}: ${answer.text.slice(0, 200)}`).toBe(status);
        check(operation, answer);
      }
    }
  });

  it('to bodies that are too large or never end', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': '999999999' };
    expect(await each(WRITES, { as: 'administrator', headers, form: new URLSearchParams('x=1') })).toEqual(
      new Set([413]),
    );
    const { config } = server().context;
    server().restart({ timeouts: { ...config.timeouts, body: 1, bytesPerSecond: Number.MAX_VALUE } });
    const late = WRITES.map(async (operation) => {
      const body = new ReadableStream();
      const answer = await server().ask(callOf(operation), { as: 'administrator', stream: body });
      expect(answer.status).toBe(408);
      check(operation, answer);
    });
    await Promise.all(late);
    server().restart({});
  });

  it('to idempotency keys that are in use or were used for another request', async () => {
    for (const operation of WRITES.filter(({ item }) => item.takesBytes === undefined)) {
      const { path, ...asking } = await sampleOf(operation);
      const headers = { ...asking.headers, 'idempotency-key': `answers ${nameOf(operation)}` };
      const send = (query: Asking['query'] = {}) =>
        server().ask(callOf(operation, path), {
          ...asking,
          headers,
          query: { ...asking.query, ...query },
          as: 'administrator',
        });
      const claimed = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      hooks.afterClaim = async () => {
        claimed.resolve();
        await released.promise;
      };
      const first = send();
      await claimed.promise;
      const meanwhile = await send();
      released.resolve();
      hooks.afterClaim = undefined;
      await first;
      const other = await send({ other: 'thing' });
      expect([meanwhile.status, other.status], nameOf(operation)).toEqual([409, 422]);
      for (const answer of [meanwhile, other]) check(operation, answer);
    }
  });

  it('to repetitions of requests that have shown a secret', async () => {
    for (const operation of WRITES.filter(({ item }) => item.shownOnce)) {
      const { path, session, device, ...asking } = await sampleOf(operation);
      const headers = { ...asking.headers, 'idempotency-key': `repeated ${nameOf(operation)}` };
      const send = () =>
        server().ask(callOf(operation, path), { ...asking, headers, ...authorised({ session, device, headers }) });
      await send();
      const again = await send();
      expect([again.status, again.body.secret_shown], nameOf(operation)).toEqual([200, true]);
      check(operation, again);
    }
  });

  it('after too many wrong guesses', async () => {
    server().restart({ secretGuesses: { perAccount: 1, perAddress: 1 } });
    const asking = { headers: WRONG, from: '198.51.100.7' };
    while ((await server().ask('GET /events', asking)).status !== 429);
    expect(await each(OPERATIONS, asking)).toEqual(new Set([429]));
    server().restart({});
  });

  it('under overload', async () => {
    const { context } = server();
    const guard = createOverloadGuard({ maxDelay: 0, maxInFlight: 0, maxBytes: 0 });
    const app = createApp(context, { ...createRuntime(context), guard });
    for (const operation of OPERATIONS) {
      const [method = '', rest = ''] = callOf(operation).split(' ');
      const response = await app.request(`/calendar/${rest.replace(':', '/v1')}`, { method });
      expect(response.status).toBe(503);
      check(operation, await answerOf(response));
    }
  });

  it('when the server itself fails', async () => {
    await sql`alter table users rename to lost_users`.execute(broken().context.db.query);
    for (const operation of OPERATIONS) {
      const answer = await broken().ask(callOf(operation), { as: 'administrator' });
      expect(answer.status).toBe(500);
      check(operation, answer);
    }
  });

  /** Does not depend on the order of the tests above. */
  afterAll(() => {
    const declared = OPERATIONS.flatMap((operation) =>
      declaredStatuses(operation).map((status) => `${nameOf(operation)} ${status}`),
    );
    expect(declared.filter((one) => !reached.has(one))).toEqual(UNREACHED);
  });
});

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as unknown };
}
