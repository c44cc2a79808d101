import { rm } from 'node:fs/promises';

import { beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { endpoints } from '../src/app.ts';
import { readConfig } from '../src/base/config.ts';
import { clientInfoOf } from '../src/http/core/client-address.ts';
import { acceptLanguage } from '../src/http/core/content-negotiation.ts';
import { jsonpCallback, selectFields } from '../src/http/core/field-selection.ts';
import { parseJsonBody } from '../src/http/input/json-body.ts';
import { readFormData } from '../src/http/input/multipart.ts';
import { parseQuery } from '../src/http/input/params.ts';
import { namespaceOf } from '../src/http/input/parsed-request.ts';
import { readInput } from '../src/http/input/validate.ts';
import { networkOf } from '../src/lib/addresses.ts';
import { parseDate } from '../src/lib/dates/dates.ts';
import { findZone } from '../src/lib/dates/zones.ts';
import { readCostInput, renderCost } from '../src/lib/money/cost.ts';
import { parsePrice } from '../src/lib/money/money.ts';
import { cleanHtml, paragraphs } from '../src/lib/text/html.ts';
import { parseIds, parseList } from '../src/lib/text/list.ts';
import { slugify, storedSlug } from '../src/lib/text/slug.ts';
import { escapeHtml, fold, foldAll, htmlToText, plainText, searchWords } from '../src/lib/text/text.ts';
import { readAuthorization } from '../src/platform/users/sign-in/credentials.ts';
import { hostileText } from './faults/hostile-text.ts';
import { HOSTILE_PATTERNS, type HostilePattern } from './hostile-patterns.ts';
import { serveProcess } from './marquee-process.ts';
import { useTestServer } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { usualDatabases } from './thoroughness.ts';

/** Maximum factor of time for four times the text. */
const GROWTH = 6;
const TIMES = 4;
/** Milliseconds below which times count as equal, because of garbage collection and compilation. */
const FLOOR = 40;
const RUNS = 5;
/** Number of measurements that must all be slow. */
const ATTEMPTS = 3;
/** As `FLOOR`, for a request through the whole application. */
const SLOW = 100;

type Run = (text: string) => unknown;

/** CPU time of this thread in milliseconds, which does not depend on other load. */
const worked = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

function timeOf(run: Run, text: string): number {
  const start = worked();
  run(text);
  return worked() - start;
}

const bestOf = (run: Run, text: string, runs = RUNS): number =>
  Math.min(...Array.from({ length: runs }, () => timeOf(run, text)));

/** Cached texts: building them takes longer than most functions that read them. */
const made = new Map<string, string>();

function textOf({ name, make }: HostilePattern, length: number): string {
  const key = `${length} ${name}`;
  const text = made.get(key) ?? make(length);
  made.set(key, text);
  return text;
}

const isLinear = (short: number, long: number): boolean => long <= GROWTH * Math.max(short, FLOOR / GROWTH);

/** A sentence for each pattern whose time grows too fast with its length. Most need only one or a few runs. */
function tooSlow(name: string, run: Run, length: number, patterns: readonly HostilePattern[] = HOSTILE_PATTERNS) {
  return patterns.flatMap((pattern) => {
    const text = textOf(pattern, length);
    let long = timeOf(run, text);
    if (long < FLOOR) return [];
    const part = textOf(pattern, Math.floor(length / TIMES));
    let short = bestOf(run, part, 2);
    if (isLinear(short, long)) return [];
    // Garbage collection may affect one measurement, but not all of them.
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      [short, long] = [bestOf(run, part), bestOf(run, text)];
      if (isLinear(short, long)) return [];
    }
    return [`${name}, ${pattern.name}: ${Math.round(short)} ms, then ${Math.round(long)} ms`];
  });
}

describe('the measure of growth', () => {
  const quadratic: Run = (text) => /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(text);
  const linear: Run = (text) => [...text].reduce((sum, char) => sum + char.charCodeAt(0), 0);

  it('reports a parser that takes quadratic time', () => {
    expect(tooSlow('quadratic', quadratic, 6000, HOSTILE_PATTERNS.slice(0, 1))).toEqual([
      expect.stringMatching(/^quadratic, zeros and an E: /),
    ]);
  });

  it('passes a parser that is slow but linear', () => {
    expect(tooSlow('linear', linear, 1_000_000, HOSTILE_PATTERNS.slice(0, 3))).toEqual([]);
  });
});

/** Characters of a query, and of a body. */
const LENGTHS = [15_000, 240_000];

interface Parameter {
  name: string;
  schema: z.ZodType;
}

/** Every parameter of every endpoint; each schema once. */
function parameters(): Parameter[] {
  const seen = new Map<z.ZodType, Parameter>();
  for (const { name: endpoint, input } of endpoints)
    for (const [name, schema] of Object.entries(input as Record<string, z.ZodType>))
      seen.set(schema, { name: `${endpoint} ${name}`, schema });
  return [...seen.values()];
}

describe('hostile text', () => {
  it('in every parameter is read in linear time', () => {
    const slow = parameters().flatMap(({ name, schema }) => {
      const { maxLength } = (schema.meta() ?? {}) as { maxLength?: number };
      const read: Run = (text) => readInput({ x: schema }, [], new Map([['x', text]]));
      const readList: Run = (text) => readInput({ x: schema }, [], new Map([['x', text.match(/.{1,100}/gsu) ?? []]]));
      const lengths = maxLength === undefined ? LENGTHS : [...LENGTHS, maxLength];
      return [...lengths.flatMap((length) => tooSlow(name, read, length)), ...tooSlow(`${name}[]`, readList, 15_000)];
    });
    expect(slow).toEqual([]);
  });

  const config = readConfig({});
  const peer = (headers: Record<string, string>) =>
    clientInfoOf(
      { url: new URL('http://x.test/'), headers: new Headers(headers) },
      { socketAddress: '127.0.0.1', config, isTrusted: () => true },
    );
  const inAscii = (text: string): string => text.replace(/[^\x20-\x7e]/g, '~').trim();
  const SITE = { zone: 'UTC', languages: ['en', 'fr-CA', 'fr'] };

  it.each<[string, number, Run]>([
    ['cleanHtml', 50_000, cleanHtml],
    ['paragraphs of clean HTML', 50_000, (text) => paragraphs(cleanHtml(text))],
    ['htmlToText', 50_000, htmlToText],
    ['htmlToText of clean HTML', 50_000, (text) => htmlToText(cleanHtml(text))],
    ['plainText', 240_000, plainText],
    ['escapeHtml', 240_000, escapeHtml],
    ['fold', 60_000, fold],
    ['searchWords', 20_000, searchWords],
    ['slugify', 20_000, slugify],
    ['storedSlug', 20_000, storedSlug],
    ['parseList', 240_000, parseList],
    ['parseIds', 240_000, parseIds],
    ['parsePrice', 240_000, (text) => parsePrice(text, 2)],
    ['parseDate', 240_000, parseDate],
    ['findZone', 240_000, findZone],
    ['readCostInput', 240_000, (text) => readCostInput(text, 'create')],
    ['readCostInput of many numbers', 240_000, (text) => readCostInput([...text].map(Number), 'create')],
    ['foldAll', 60_000, (text) => foldAll([text])],
    ['renderCost of what is stored', 5000, (text) => renderCost({ values: [text], symbol: '$', position: 'prefix' })],
    ['parseQuery of a body', 240_000, parseQuery],
    ['parseQuery of a value', 240_000, (text) => parseQuery(`a=${text}`)],
    ['parseQuery of a name', 240_000, (text) => parseQuery(`${text}=1`)],
    ['parseJsonBody', 240_000, (text) => attempt(() => parseJsonBody(text))],
    ['parseJsonBody of a text', 240_000, (text) => parseJsonBody(JSON.stringify({ text }))],
    ['acceptLanguage', 15_000, (text) => acceptLanguage(text, SITE.languages)],
    ['selectFields', 15_000, (text) => selectFields({ a: { a: { a: 1 } } }, text)],
    ['jsonpCallback', 15_000, jsonpCallback],
    ['readAuthorization', 15_000, readAuthorization],
    ['readAuthorization of credentials', 15_000, (text) => readAuthorization(`Basic ${btoa(inAscii(text))}`)],
    ['networkOf', 15_000, networkOf],
    ['X-Forwarded-For', 15_000, (text) => peer({ 'x-forwarded-for': inAscii(text) })],
    ['X-Forwarded-Host', 15_000, (text) => peer({ 'x-forwarded-host': inAscii(text) })],
    ['the path of a request', 15_000, (text) => namespaceOf(`/calendar/events/v1/${text}`, 'http://x.test')],
    ['a path that is none', 15_000, (text) => namespaceOf(text, 'http://x.test')],
  ])('takes linear time in %s', (name, length, run) => {
    expect(tooSlow(name, run, length)).toEqual([]);
  });

  it('is not read in a form with too many parts or with too many headers', async () => {
    const part = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n';
    const read = (body: string) => readFormData(new TextEncoder().encode(body), 'multipart/form-data; boundary=x');
    expect([...(await read(`${part.repeat(1000)}--x--\r\n`))]).toHaveLength(1000);
    const named = part.replace('"a"', `"${'[a]'.repeat(1000)}"`);
    expect([...(await read(`${named.repeat(80)}--x--\r\n`))]).toHaveLength(80);
    const bodies = [
      `${part.repeat(1001)}--x--\r\n`,
      `--x\r\n${'a: b\r\n'.repeat(2000)}\r\n1\r\n--x--\r\n`,
      `${named.repeat(90)}--x--\r\n`,
    ];
    for (const body of bodies) await expect(read(body)).rejects.toMatchObject({ code: 'rest_invalid_body' });
  });
});

const attempt = (run: () => unknown): void => {
  try {
    run();
  } catch {
    // A refusal is as good as a result.
  }
};

describe.each(usualDatabases)('an overlong text on %s', (kind) => {
  const server = useTestServer(kind);
  let event: number;
  beforeAll(async () => {
    const times = { start_date: '2027-05-01 10:00', end_date: '2027-05-01 11:00' };
    event = (await server().make('POST /events', { title: 'Walk', ...times })).id;
  });
  const zeros = `${'0'.repeat(50_000)}E`;

  it.each<[string, string, unknown, string]>([
    ['GET /events', 'page', zeros.slice(0, 15_000), 'at most 50 characters'],
    ['GET /events', 'geoloc_lat', '0'.repeat(51), 'at most 50 characters'],
    ['GET /events', 'featured', ' '.repeat(51), 'at most 50 characters'],
    ['GET /events', 'search', 'x'.repeat(501), 'at most 500 characters'],
    ['GET /events', 'start_date', '1'.repeat(101), 'at most 100 characters'],
    ['GET /events', 'categories', 'x'.repeat(301), 'items of at most 300 characters each'],
    ['GET /events', 'tags', 'x,'.repeat(201), 'at most 200 items'],
    ['GET /events', 'include', Array.from({ length: 1001 }, (_, index) => index + 1).join(), 'at most 1,000 items'],
    ['GET /events/by-slug/x', 'password', 'x'.repeat(201), 'at most 200 characters'],
    ['POST tickets:/attendees', 'ticket_id', zeros, 'at most 50 characters'],
    ['POST /events', 'title', 'x'.repeat(2001), 'at most 2,000 characters'],
    ['POST /events', 'description', 'x'.repeat(50_001), 'at most 50,000 characters'],
    ['POST /events', 'excerpt', 'x'.repeat(10_001), 'at most 10,000 characters'],
    ['POST /events', 'website', `https://x.test/${'x'.repeat(2000)}`, 'at most 2,000 characters'],
    ['POST /events', 'timezone', 'x'.repeat(65), 'at most 64 characters'],
    ['POST /events', 'categories', ['x'.repeat(301)], 'items of at most 300 characters each'],
    ['POST /events', 'cost', Array.from({ length: 10_000 }, () => 1), 'a list of at most 100'],
    ['POST /events', 'tags', Array.from({ length: 101 }, () => 'x'), 'at most 100 items'],
    ['POST /events', 'venue', [{ venue: 'A', description: 'x'.repeat(20_001) }], 'more than 20,000 characters'],
    ['POST tickets:/attendees', 'email', `${'a'.repeat(300)}@x.test`, 'at most 254 characters'],
  ])('to %s as %s is refused for every viewer, with the limit', async (call, name, value, message) => {
    const sent = call.startsWith('GET') ? { query: { [name]: String(value) } } : { body: bodyWith(name, value) };
    const answer = await server().ask(call, sent);
    expect(answer).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    expect(answer.body.data.params[name]).toContain(message);
  });

  const bodyWith = (name: string, value: unknown) => ({
    title: 'Walk',
    start_date: '2027-05-01 10:00',
    end_date: '2027-05-01 11:00',
    ticket_id: 1,
    full_name: 'Ada Park',
    email: 'ada@party.test',
    [name]: value,
  });

  it('of exactly the maximum length is stored and read', async () => {
    const description = 'x '.repeat(25_000).trim();
    const title = '😀'.repeat(2000);
    const tags = Array.from({ length: 100 }, (_, index) => `tag ${index} ${'x'.repeat(180)}`);
    const body = { description, title, tags };
    const answer = await server().ask(`PATCH /events/${event}`, { as: 'editor', body });
    expect(answer).toMatchObject({ status: 200, body: { description, title } });
    expect(answer.body.tags).toHaveLength(100);
  });

  it('in JSON of more than 50 levels is refused with the limit', async () => {
    const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    const answer = await server().ask('POST tickets:/cart', { body: { provider: 'tc', meta: nested(50) } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'rest_body_too_deep' } });
    expect(answer.body.message).toContain('50 levels');
    const flat = await server().ask('POST tickets:/cart', { body: { provider: 'tc', meta: nested(49) } });
    expect(flat.body.code).toBe('rest_invalid_param');
  });

  it('in JSON of more than 20,000 members and items is refused with the limit', async () => {
    const many = (count: number) => ({ provider: 'tc', meta: Array.from({ length: count - 2 }, () => 1) });
    const answer = await server().ask('POST tickets:/cart', { body: many(20_001) });
    expect(answer).toMatchObject({ status: 400, body: { code: 'rest_body_too_many_values' } });
    expect(answer.body.message).toContain('20,000 members');
    const most = await server().ask('POST tickets:/cart', { body: many(20_000) });
    expect(most.body.code).toBe('rest_invalid_param');
  });

  it('in the members of a cart causes no fault in any format', async () => {
    for (const form of ['tickets[0][ticket_id][a]=1', 'tickets[0][ticket_id]=1&tickets[0][optout][a]=1']) {
      const answer = await server().ask('POST tickets:/cart', { form: new URLSearchParams(`provider=tc&${form}`) });
      expect(answer.status).toBeLessThan(500);
    }
  });
});

describe.each(usualDatabases)('the whole application on %s', (kind) => {
  const server = useTestServer(kind);
  let event: number;
  beforeAll(async () => {
    const times = { start_date: '2027-05-01 10:00', end_date: '2027-05-01 11:00' };
    event = (await server().make('POST /events', { title: 'Walk', ...times })).id;
  });

  const WORST = HOSTILE_PATTERNS.filter(({ name }) =>
    ['zeros and an E', 'spaces', 'letters that become eighteen', 'items', 'percent signs', 'less-than signs'].includes(
      name,
    ),
  );

  it.each([
    ['a search', 'GET /events', 'search', 500],
    ['categories', 'GET /events', 'categories', 14_000],
    ['ids', 'GET tickets:/attendees', 'include', 14_000],
    ['fields', 'GET /events', '_fields', 14_000],
    ['a description', 'PATCH /events/{id}', 'description', 50_000],
    ['names of new tags', 'PATCH /events/{id}', 'tags', 20_000],
    ['a cart', 'POST tickets:/cart', 'provider', 240_000],
  ])('takes linear time over %s', async (_what, call, name, length) => {
    const time = async (text: string) => {
      const start = worked();
      const sent = call.startsWith('GET') ? { query: { [name]: text.toWellFormed() } } : { body: { [name]: text } };
      const answer = await server().ask(call.replace('{id}', String(event)), { as: 'administrator', ...sent });
      expect(answer.status).toBeLessThan(500);
      return worked() - start;
    };
    const best = async (text: string) => Math.min(await time(text), await time(text), await time(text));
    for (const { make, name: pattern } of WORST) {
      const long = make(length);
      const first = await time(long);
      if (first < SLOW) continue;
      const part = await best(make(length / TIMES));
      const whole = first < GROWTH * Math.max(part, SLOW / GROWTH) ? first : await best(long);
      expect(whole / Math.max(part, SLOW / GROWTH), pattern).toBeLessThan(GROWTH);
    }
  });
});

describe('a running server', () => {
  it('responds to every hostile text without a fault', async () => {
    const data = await temporaryFolder('hostile');
    const running = serveProcess({ MARQUEE_DATA: data, MARQUEE_ADMIN: 'admin:correct-horse' });
    try {
      const target = { address: await running.address, user: 'admin', password: 'correct-horse' };
      const only = (what: string) =>
        /^(events\.list|events\.create|cart\.[a-z]+) \S+ (zeros and an E|many objects)$/.test(what);
      const report = await hostileText(target, { only, sizes: { query: 14_000, body: 100_000 } });
      expect(report.faults).toEqual([]);
      expect(report.requests).toBeGreaterThan(50);
    } finally {
      running.signal('SIGTERM');
      await running.ended;
      await rm(data, { recursive: true, force: true });
    }
  });
});
