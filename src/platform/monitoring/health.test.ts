import { describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { createApp } from '../../app.ts';
import { openDatabase } from '../../db/database.ts';
import { emptyResponse, textOf } from '../../http/core/response.ts';
import { health } from './health.ts';

describe.each(DATABASES)('monitoring on %s', (kind) => {
  const server = useTestServer(kind);

  it('responds to /healthz and /readyz', async () => {
    expect(await (await server().request('/healthz')).json()).toEqual({ status: 'ok' });
    expect((await server().request('/readyz')).status).toBe(200);
  });

  it('counts requests by method, route and status, never by path', async () => {
    const { ask, request } = server();
    const metrics = async () => (await request('/metrics')).text();
    const count = async (labels: string) =>
      Number(
        (await metrics())
          .split('\n')
          .find((line) => line.startsWith(`marquee_http_requests_total{${labels}}`))
          ?.split(' ')[1] ?? 0,
      );
    const venue = 'method="GET",route="/events/v1/venues/{id}",status="400"';
    const before = await count(venue);
    for (const id of [999_991, 999_992, 999_993]) await ask(`GET /venues/${id}`);
    expect(await count(venue)).toBe(before + 3);
    await request('/secret-path-1');
    await request('/uploads/secret-path-2');
    await request('/calendar/events/v1/secret-path-3', { method: 'FETCH' });
    const text = await metrics();
    expect(text).not.toContain('secret-path');
    expect(text).toContain('marquee_http_requests_total{method="GET",route="none",status="404"}');
    expect(text).toContain('marquee_http_requests_total{method="other",route="none",status="404"}');
    expect(text).toContain('marquee_http_request_duration_seconds_count{method="GET",route="/events/v1/venues/{id}"} ');
  });

  it('reports the state of the process and its database', async () => {
    const text = await (await server().request('/metrics')).text();
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    const database = ['marquee_database_connections', 'marquee_database_waiting'];
    expect(names).toEqual([
      'marquee_http_requests_total',
      'marquee_http_request_duration_seconds',
      'marquee_http_refusals_total',
      'marquee_http_connections_closed_total',
      'marquee_http_requests_waiting',
      'marquee_http_requests_in_flight',
      'marquee_http_body_bytes',
      'marquee_http_unsent_bytes',
      'marquee_http_connections',
      'marquee_event_loop_delay_seconds',
      ...(kind === 'sqlite' ? ['marquee_database_waiting_writes'] : database),
      'marquee_log_lines_dropped_total',
      'process_resident_memory_bytes',
      'nodejs_heap_size_used_bytes',
      'process_uptime_seconds',
      'marquee_jobs',
      'marquee_job_oldest_seconds',
      'marquee_mails',
    ]);
    expect(text).toMatch(/^marquee_http_requests_in_flight 1$/m);
    expect(text).toMatch(/^marquee_log_lines_dropped_total 0$/m);
  });

  const throughProxies = [
    ...['X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Forwarded-Server', 'X-Forwarded', 'Forwarded'],
    ...['X-Real-IP', 'Via', 'CF-Connecting-IP', 'CF-Ray', 'True-Client-IP', 'X-Client-IP', 'X-Cluster-Client-IP'],
    ...['Fastly-Client-IP', 'X-Original-Forwarded-For', 'X-Azure-ClientIP', 'Fly-Client-IP', 'Forwarded-For'],
  ];
  const as = (role: string) => ({ authorization: `Basic ${btoa(`${role}:${role}-password`)}` });

  const readers: [who: string, origin: string, headers: Record<string, string>, status: number][] = [
    ['this machine', 'http://localhost', {}, 200],
    ['this machine, by its number', 'http://127.0.0.1:8080', {}, 200],
    ['this machine, by its other number', 'http://[::1]:8080', {}, 200],
    ['a visitor who sends another host', 'http://events.test', {}, 403],
    ['a visitor who sends a host with the same beginning', 'http://127.0.0.1.events.test', {}, 403],
    ['an editor from elsewhere', 'http://events.test', as('editor'), 403],
    ['a wrong password', 'http://events.test', { authorization: 'Basic YWRtaW46bm8=' }, 403],
    ['a token while none is configured', 'http://events.test', { authorization: 'Bearer undefined' }, 403],
    ['an administrator from elsewhere', 'http://events.test', as('administrator'), 200],
  ];
  for (const name of throughProxies) {
    readers.push([`a visitor with ${name}`, 'http://localhost', { [name]: '127.0.0.1' }, 403]);
  }

  it.each(readers)('responds to /metrics of %s at %s: %o %i', async (_who, origin, headers, status) => {
    const answer = await server().request(`${origin}/metrics`, { headers });
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.headers.get('content-type')).toContain('version=0.0.4');
  });

  it('shows /metrics to holders of the token', async () => {
    const token = 'a-token-for-metrics';
    server().restart({ metricsToken: token });
    const statusOf = async (authorization: string) =>
      (await server().request('http://events.test/metrics', { headers: { authorization } })).status;
    expect(await statusOf(`Bearer ${token}`)).toBe(200);
    expect(await statusOf(`bearer ${token}`)).toBe(200);
    for (const wrong of [`Bearer ${token}x`, `Bearer ${token.slice(1)}`, 'Bearer', `Basic ${btoa(`x:${token}`)}`]) {
      expect(await statusOf(wrong)).toBe(403);
    }
    server().restart({});
  });

  it('tells authorised viewers why it is not ready, without secrets', async () => {
    const { context } = server();
    const out = openDatabase({ kind: 'postgres', url: 'postgres://nobody:secret@127.0.0.1:1/none', pool: 1 });
    const app = createApp({ ...context, db: out });
    const ask = async (headers: Record<string, string>) => (await app.request('/readyz', { headers })).json();
    expect(await ask({})).toEqual({ status: 'unavailable', detail: ['The database does not respond (ECONNREFUSED).'] });
    expect(await ask({ 'x-forwarded-for': '203.0.113.9' })).toEqual({ status: 'unavailable' });
    await out.close();
  });
});

describe('readiness', () => {
  const server = useTestServer('sqlite');

  it('lists notices for authorised viewers', async () => {
    const { context } = server();
    const answer = health(context, {
      collect: async () => [],
      viewerOf: async () => undefined,
      notices: [() => undefined, () => 'Something to know.'],
    });
    const ask = async (headers: Record<string, string> = {}) => {
      const url = new URL('http://localhost/readyz');
      const response = await answer({
        ...{ request: new Request(url, { headers }), url, origin: url.origin },
        ...{ client: { address: '127.0.0.1' }, summary: { id: '1' } },
        resolveContext: async () => context,
        respondNoRoute: async () => emptyResponse(404),
      });
      return JSON.parse(response ? await textOf(response) : '');
    };
    expect(await ask()).toEqual({ status: 'ok', detail: ['Something to know.'] });
    expect(await ask({ via: '1.1 proxy' })).toEqual({ status: 'ok' });
  });
});
