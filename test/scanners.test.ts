import { beforeAll, describe, expect, it } from 'vitest';
import { codeOf, makeAttendee, makeSeat } from './attendees.ts';
import { DATABASES, useTestServer } from './server.ts';
import { makeEvent } from './tickets.ts';

const KEY = 'door-key';
const TRIBE = '/wp-json/tribe';
const OTHERS = ['/calendar', '/wp-json/calendar'];

describe.each(DATABASES)('a scanner on %s', (kind) => {
  const server = useTestServer(kind, { qrApiKey: KEY });
  let event: number;
  let other: number;
  let ticket: number;
  beforeAll(async () => {
    event = await makeEvent(server());
    other = await makeEvent(server());
    ticket = await makeSeat(server(), event, 200);
  });

  async function guest() {
    const { id } = await makeAttendee(server(), ticket);
    return { ticket_id: id, security_code: await codeOf(server(), id) };
  }

  interface Scan {
    method?: 'GET' | 'POST';
    prefix?: string;
    event_id?: string | number;
    key?: string;
  }
  async function scan(code: object, { method = 'GET', prefix = TRIBE, key = KEY, ...rest }: Scan = {}) {
    const sent = { api_key: key, ...code, ...rest };
    return server().ask(`${method} tickets:/qr`, { prefix, ...(method === 'GET' ? { query: sent } : { body: sent }) });
  }
  const shown = ({ status, body }: Awaited<ReturnType<typeof scan>>) => [
    status,
    body.error,
    body.attendee?.checked_in,
    body.attendee?.checkin_details !== false,
  ];
  const WELCOME_AS_BEFORE = [201, undefined, false, false];
  const WELCOME = [201, undefined, true, true];
  const ALREADY_IN = [403, 'attendee_already_checked_in', true, true];

  async function seen(response: Response) {
    const { attendee } = (await response.json()) as { attendee: { checked_in: boolean } };
    return [response.status, attendee.checked_in];
  }

  /** As in an app that reads the code of a ticket and joins the site, the path in the code and the query. */
  async function scanCodeOf(id: number, site: string): Promise<Response> {
    const { body } = await server().ask(`GET tickets:/qr/${id}`, { prefix: TRIBE, as: 'door' });
    const { searchParams } = new URL(body.content);
    const query = new URLSearchParams({ api_key: KEY });
    for (const name of ['ticket_id', 'event_id', 'security_code'])
      query.set(name, searchParams.get(name) ?? 'undefined');
    return server().request(`${site}/${searchParams.get('path')}?${query}`);
  }

  it.each(['http://localhost', 'http://localhost/', 'http://localhost//'])(
    'that joins the site %s and the path of a code welcomes once, then says "already in"',
    async (site) => {
      const { ticket_id } = await guest();
      expect(await seen(await scanCodeOf(ticket_id, site))).toEqual([201, false]);
      expect(await seen(await scanCodeOf(ticket_id, site))).toEqual([403, true]);
    },
  );

  it('using GET under /wp-json/tribe sees the attendee as before the scan', async () => {
    const code = await guest();
    expect(shown(await scan(code))).toEqual(WELCOME_AS_BEFORE);
    expect(shown(await scan(code))).toEqual(ALREADY_IN);
    const { body } = await server().ask(`GET tickets:/attendees/${code.ticket_id}`, { prefix: TRIBE, as: 'door' });
    expect(body.checked_in).toBe(true);
  });

  it('sees the same with rest_route, and with a POST that overrides its method to GET', async () => {
    const code = await guest();
    const { security_code, ticket_id } = code;
    const query = `api_key=${KEY}&ticket_id=${ticket_id}&security_code=${security_code}&event_id=undefined`;
    const routed = await server().request(`/?rest_route=/tribe/tickets/v1/qr&${query}`);
    expect(await seen(routed)).toEqual([201, false]);
    const made = await server().ask('POST tickets:/qr?_method=GET', {
      prefix: TRIBE,
      body: { api_key: KEY, ...(await guest()) },
    });
    expect(shown(made)).toEqual(WELCOME_AS_BEFORE);
  });

  it('using POST, or any method under the other prefixes, sees the attendee as after the scan', async () => {
    expect(shown(await scan(await guest(), { method: 'POST' }))).toEqual(WELCOME);
    for (const prefix of OTHERS) {
      for (const method of ['GET', 'POST'] as const) {
        const code = await guest();
        expect([prefix, ...shown(await scan(code, { method, prefix }))]).toEqual([prefix, ...WELCOME]);
        expect([prefix, ...shown(await scan(code, { method, prefix }))]).toEqual([prefix, ...ALREADY_IN]);
      }
    }
  });

  it('is the only one of several concurrent scanners that succeeds', async () => {
    const code = await guest();
    const answers = await Promise.all(Array.from({ length: 5 }, () => scan(code)));
    const welcomes = answers.filter(({ status }) => status === 201);
    expect(welcomes.map(shown)).toEqual([WELCOME_AS_BEFORE]);
    for (const answer of answers) if (answer.status !== 201) expect(shown(answer)).toEqual(ALREADY_IN);
  });

  describe.each(['undefined', 'null', '0'])('that sends the event %s', (event_id) => {
    it.each(['GET', 'POST'] as const)('using %s under /wp-json/tribe counts as one that sent none', async (method) => {
      expect((await scan(await guest(), { method, event_id })).status).toBe(201);
    });

    it('is refused under the other prefixes', async () => {
      const code = await guest();
      for (const prefix of OTHERS) {
        for (const method of ['GET', 'POST'] as const) {
          const { status, body } = await scan(code, { method, prefix, event_id });
          const expected = event_id === '0' ? [403, 'event_mismatch'] : [400, 'rest_invalid_param'];
          expect([status, body.error ?? body.code]).toEqual(expected);
        }
      }
      expect((await scan(code)).status).toBe(201);
    });

    it('cannot check in at other events than the one of its key', async () => {
      const { key } = await server().make('POST admin:/check-in-keys', { name: event_id, event_id: other });
      const { status, body } = await scan(await guest(), { event_id, key });
      expect([status, body.error]).toEqual([403, 'event_mismatch']);
    });
  });

  it.each(['Undefined', 'none', 'NaN', '-1', '1.5', 'undefined,1'])(
    'that sends the event %s is refused',
    async (event_id) => {
      const { status, body } = await scan(await guest(), { event_id });
      expect([status, body.code, Object.keys(body.data.params)]).toEqual([400, 'rest_invalid_param', ['event_id']]);
    },
  );

  it('must send the right event if it sends one', async () => {
    const code = await guest();
    expect((await scan(code, { event_id: other })).body.error).toBe('event_mismatch');
    expect((await scan(code, { event_id: event })).status).toBe(201);
  });
});
