import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Comparison, judge } from '../bench/against.ts';
import { coresIn, isInstalled } from '../bench/pinning.ts';
import { median } from '../bench/statistics.ts';
import { isMet } from '../bench/verdicts.ts';
import { measureByWorkers } from '../bench/workers.ts';
import { measureByWrk } from '../bench/wrk.ts';

const compared = (name: string, ratio: number, scatter: number): Comparison => ({
  ...{ name, figure: 'load', old: 1, again: 1 + scatter, new: ratio },
  ...{ ratio, scatter },
});

describe('the benchmark', () => {
  it('uses the median of its measurements', () => {
    expect([median([3, 1, 2]), median([4, 1, 3, 2]), median([])]).toEqual([2, 2.5, Number.NaN]);
  });

  it('reads which cores it may use', () => {
    expect([coresIn('0-2,5'), coresIn('3'), coresIn('')]).toEqual([[0, 1, 2, 5], [3], []]);
  });

  it('calls a case slower only beyond 3 % and beyond the scatter of the same version', () => {
    const quiet = Array.from({ length: 20 }, (_, index) => compared(`quiet ${index}`, 1.029, 0.001));
    const slower = (one: Comparison) => judge('sqlite', [...quiet, one]).slower;
    expect(slower(compared('a', 1.031, 0.001))).toEqual(['a (load)']);
    expect(slower(compared('a', 1.031, 0.04))).toEqual([]);
    expect(slower(compared('a', 0.5, 0.001))).toEqual([]);
    const noisy = quiet.map((one) => ({ ...one, scatter: 0.05 }));
    expect(judge('sqlite', [...noisy, compared('a', 1.04, 0.001)]).slower).toEqual([]);
    // Pages may be up to 5 % slower.
    expect(judge('sqlite', [...quiet, compared('a', 1.049, 0.001)], 0.05).slower).toEqual([]);
    expect(judge('sqlite', [...quiet, compared('a', 1.051, 0.001)], 0.05).slower).toEqual(['a (load)']);
  });
});

describe('a target of the benchmark', () => {
  const measured = { requests: 100, rate: 80, p50: 1, p95: 2, p99: 49, bytes: 10 };
  const row = { name: 'repeated', title: 'repeated list', measured, bare: measured, cpu: 10, bareCpu: 5 };
  const background = (done: number) => ({ what: 'writes', wanted: 10, done });

  it.each([
    ['its share of the bare server is what is wanted', { share: 0.8, wanted: 0.8 }, true],
    ['its share is less', { share: 0.79, wanted: 0.8 }, false],
    ['nothing is wanted', { share: 0.8 }, undefined],
    ['its slowest requests take less than is wanted', { share: 0.8, wanted: 0.8, wantedP99: 50 }, true],
    ['its slowest requests take longer', { share: 0.8, wanted: 0.8, wantedP99: 49 }, false],
    ['what goes on meanwhile keeps up', { share: 0.8, wanted: 0.8, meanwhile: background(9.5) }, true],
    ['what goes on meanwhile falls behind', { share: 0.8, wanted: 0.8, meanwhile: background(8) }, false],
  ])('when %s: %o', (_situation, figures, expected) => {
    expect(isMet({ ...row, ...figures })).toBe(expected);
  });
});

const GENERATORS = [
  { name: 'wrk', generator: measureByWrk, isThere: isInstalled('wrk') },
  { name: 'processes of our own client', generator: measureByWorkers, isThere: true },
].filter(({ isThere }) => isThere);

describe.each(GENERATORS)('load by $name', ({ generator }) => {
  const asked = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    const name = `${request.method} ${request.url} ${request.headers.authorization} ${body}`;
    asked.set(name, (asked.get(name) ?? 0) + 1);
    response.statusCode = request.url === '/fault' ? 500 : 200;
    response.end('0123456789');
  });
  let origin: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a server that listens has an address
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('requests all addresses with their headers, and counts the responses', async () => {
    const headers = { Authorization: 'Basic "x"' };
    const asking = [
      { url: `${origin}/a?x=1` },
      { url: `${origin}/b`, headers },
      { url: `${origin}/c`, body: '{"é":1}' },
    ];
    const { requests, rate, p50 } = await generator({ requests: asking, clients: 2, seconds: 0.5 });
    expect([...asked.keys()].sort()).toEqual([
      'GET /a?x=1 undefined ',
      'GET /b Basic "x" ',
      'POST /c undefined {"é":1}',
    ]);
    const answered = [...asked.values()].reduce((sum, count) => sum + count, 0);
    expect(requests).toBeGreaterThan(0);
    expect(requests).toBeLessThanOrEqual(answered);
    expect(rate).toBeGreaterThan(0);
    expect(p50).toBeGreaterThan(0);
  });

  it('fails when a response is an error', async () => {
    await expect(generator({ requests: [{ url: `${origin}/fault` }], clients: 1, seconds: 0.5 })).rejects.toThrow();
  });
});
