import { describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../test/server.ts';

const as = (role: string) => ({ authorization: `Basic ${Buffer.from(`${role}:${role}-password`).toString('base64')}` });
const throughProxy = { 'x-forwarded-for': '203.0.113.9' };

describe.each(DATABASES)('for whoever watches, on %s', (kind) => {
  const server = useTestServer(kind);

  it('is up and ready', async () => {
    expect(await (await server().request('/healthz')).json()).toEqual({ status: 'ok' });
    expect((await server().request('/readyz')).status).toBe(200);
  });

  it('counts what it answered', async () => {
    const total = async () => {
      const text = await (await server().request('/metrics')).text();
      return Number(/requests_total\{status="4xx"\} (\d+)/.exec(text)?.[1] ?? 0);
    };
    const before = await total();
    await server().ask('GET /nothing');
    expect(await total()).toBe(before + 1);
  });

  it.each([
    ['this machine', {}, 200],
    ['a stranger behind a proxy', throughProxy, 403],
    ['an editor', { ...throughProxy, ...as('editor') }, 403],
    ['a wrong password', { ...throughProxy, authorization: 'Basic YWRtaW46bm8=' }, 403],
    ['an administrator', { ...throughProxy, ...as('administrator') }, 200],
  ])('shows its numbers to %s: %o %i', async (_who, headers, status) => {
    const answer = await server().request('/metrics', { headers });
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.headers.get('content-type')).toContain('version=0.0.4');
  });
});
