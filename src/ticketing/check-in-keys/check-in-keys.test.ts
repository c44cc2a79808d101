import { describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { makeEvent } from '../../../test/tickets.ts';

describe.each(DATABASES)('check-in keys on %s', (kind) => {
  const server = useTestServer(kind);

  it('are shown once, listed without the secret, used and revoked', async () => {
    const { ask, make } = server();
    const event_id = await makeEvent(server());
    const made = await make('POST admin:/check-in-keys', { name: 'North <b>gate</b>', event_id });
    expect(made).toEqual({
      id: made.id,
      name: 'North gate',
      event_id,
      created_utc: '2026-11-21 17:00:00',
      last_used_utc: null,
      key: expect.stringMatching(/^[0-9a-f]{32}$/),
      connection: JSON.stringify({ url: 'http://localhost', api_key: made.key, tec: true }),
    });
    const { key, connection: _connection, ...shown } = made;
    const list = () => ask('GET admin:/check-in-keys', { as: 'administrator' });
    expect((await list()).body.check_in_keys).toEqual([shown]);
    expect((await list()).text).not.toContain(key);
    const reading = () => ask('GET tickets:/attendees', { query: { api_key: key, email: 'nobody' } });
    expect((await reading()).status).toBe(200);
    expect((await list()).body.check_in_keys[0].last_used_utc).toBe('2026-11-21 17:00:00');
    const revoke = () => ask(`DELETE admin:/check-in-keys/${made.id}`, { as: 'administrator' });
    expect((await revoke()).status).toBe(200);
    expect(await revoke()).toMatchObject({ status: 404, body: { code: 'check-in-key-not-found' } });
    expect((await reading()).status).toBe(401);
  });

  it('need a name, and an event that exists', async () => {
    const { ask } = server();
    const make = (body: unknown) => ask('POST admin:/check-in-keys', { as: 'administrator', body });
    expect(await make({ name: 'Gate', event_id: 999_999 })).toMatchObject({ status: 400 });
    expect(await make({ name: ' ' })).toMatchObject({ status: 400 });
    expect(await make({})).toMatchObject({ status: 400, body: { code: 'rest_missing_callback_param' } });
  });

  it.each([undefined, 'editor', 'door'] as const)('are not accessible to %s', async (as) => {
    const { ask } = server();
    const status = as ? 403 : 401;
    expect((await ask('GET admin:/check-in-keys', { as })).status).toBe(status);
    expect((await ask('POST admin:/check-in-keys', { as, body: { name: 'Gate' } })).status).toBe(status);
    expect((await ask('DELETE admin:/check-in-keys/1', { as })).status).toBe(status);
  });
});
