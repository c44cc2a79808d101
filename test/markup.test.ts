import { beforeAll, describe, expect, it } from 'vitest';
import { makeAttendee, makeSeat } from './attendees.ts';
import { useTestServer } from './server.ts';
import { ADA, shopperOf } from './shopper.ts';
import { usualDatabases } from './thoroughness.ts';
import { makeEvent, makeTicket, nonce } from './tickets.ts';

/** Markup to try in every writable text; `word` must survive, so that no text is lost with the markup. */
const PAYLOADS = [
  'word<script>alert(1)</script>',
  'word<img src=x onerror=alert(1)>',
  'word<svg/onload=alert(1)>',
  'word"><iframe src="javascript:alert(1)">',
  '<<b>script>word',
  'word<a href="javascript:alert(1)" style="position:fixed" id=login name=body>link</a>',
  'word&lt;script&gt;alert(1)&lt;/script&gt;',
  'word&amp;lt;img src=x onerror=alert(1)&amp;gt;',
  'word</script><!--',
  'word\u2028alert(1)\u2029',
  'word\u202e\u2066fdp.exe',
  'word\r\nSet-Cookie: a=b\u0000\u001b[31m',
] as const;

/** Members that contain HTML, and what must not be in them. */
const HTML_MEMBERS: ReadonlySet<string> = new Set(['description', 'excerpt']);
const ACTIVE = /<(?:script|iframe|svg|style|form|object)|<[^>]*\s(?:on\w+|style|id|name)\s*=|javascript:/i;
const TAG = /<\/?[a-z]|<[!?]/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: looking for them is the purpose
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

type Visit = (text: string, path: string[]) => void;

/** Calls back for every text of a body: keys and values. */
function eachText(value: unknown, visit: Visit, path: string[] = []): void {
  if (typeof value === 'string') visit(value, path);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      visit(key, [...path, '(key)']);
      eachText(member, visit, [...path, key]);
    }
  }
}

function expectInert(body: unknown): void {
  eachText(body, (text, path) => {
    const name = path.at(-1) ?? '';
    const where = `${path.join('.')}: ${JSON.stringify(text)}`;
    const isHtml = HTML_MEMBERS.has(name) && !path.includes('json_ld');
    expect(text, where).not.toMatch(isHtml ? ACTIVE : TAG);
    if (!isHtml) expect(text, where).not.toMatch(CONTROL);
    if (path.includes('json_ld')) expect(text, where).not.toMatch(/&(?:amp;)*(?:lt|gt|#)/i);
  });
}

describe.each(usualDatabases)('markup in the texts of records on %s', (kind) => {
  const server = useTestServer(kind, { perPage: 100 });
  let eventId = 0;
  let seat = 0;

  beforeAll(async () => {
    eventId = await makeEvent(server());
    seat = await makeSeat(server(), eventId, 500, { price: '0' });
    const [text = ''] = PAYLOADS;
    const named = { venue: { venue: text }, organizer: { organizer: text }, categories: [text], tags: [text] };
    await makeEvent(server(), { title: text, ...named });
    await makeTicket(server(), eventId, { name: text });
    await makeAttendee(server(), seat, { full_name: text });
    await server().make('POST admin:/check-in-keys', { name: text });
    await server().make('POST admin:/tokens', { name: text, scopes: 'read' });
  });

  const read = async (path: string) => {
    const answer = await server().ask(`GET ${path}`, { as: 'administrator' });
    expect([path, answer.status]).toEqual([path, 200]);
    expectInert(answer.body);
    return answer.body;
  };

  it.each(PAYLOADS)('is inert in everything about an event: %j', async (text) => {
    const made = await server().make('POST /events', {
      title: text,
      description: text,
      excerpt: text,
      cost: '5 word<b>',
      start_date: '2027-03-06 18:30',
      end_date: '2027-03-06 21:00',
      venue: {
        venue: text,
        description: text,
        address: text,
        city: text,
        country: text,
        state: text,
        zip: text,
        phone: text,
      },
      organizer: { organizer: text, description: text, phone: text, email: text },
      categories: [text],
      tags: [text],
    });
    expectInert(made);
    const ticket = await makeTicket(server(), made.id, { name: text, description: text, sku: text });
    for (const path of [
      `/events/${made.id}`,
      `/venues/${made.venue.id}`,
      `/organizers/${made.organizer[0].id}`,
      `tickets:/tickets/${ticket.id}`,
      `admin:/tickets/${ticket.id}/availability`,
    ]) {
      await read(path);
    }
    const whole = await read(`/events/${made.id}`);
    expect(whole.title).toContain('word');
    expect(whole.json_ld.name).toContain('word');
    expect(whole.json_ld.offers[0].name).toContain('word');
  });

  it.each(PAYLOADS)('is inert in everything about people: %j', async (text) => {
    const { ask } = server();
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: seat, quantity: 1 }], { meta: [{ ticket_id: seat, items: [{ [text]: text }] }] });
    expectInert((await shopper.look()).body);
    const bought = await shopper.checkout({
      purchaser: { name: text, email: ADA.email },
      attendees: [{ ticket_id: seat, full_name: text }],
    });
    expect(bought.status).toBe(201);
    expectInert(bought.body);
    await read(`admin:/orders/${bought.body.order.id}`);

    const attendee = await makeAttendee(server(), seat, { full_name: text });
    const { security_code } = await read(`admin:/attendees/${attendee.id}`);
    const key = await server().make('POST admin:/check-in-keys', { name: text });
    const scan = { api_key: key.key, ticket_id: attendee.id, security_code, device_id: text };
    const scanned = await ask('POST tickets:/qr', { body: scan });
    expect(scanned.status).toBe(201);
    expectInert(scanned.body);
    await read(`admin:/attendees/${attendee.id}`);

    await server().make('POST admin:/tokens', { name: text, scopes: 'read' });
    await server().make(
      `POST admin:/users/${server().userId('editor')}/application-passwords`,
      { name: text },
      'editor',
    );
  });

  it.each([
    '/events',
    '/venues',
    '/organizers',
    '/categories?hide_empty=false',
    '/tags?hide_empty=false',
    'tickets:/tickets',
    'tickets:/attendees',
    'admin:/orders',
    'admin:/check-in-keys',
    'admin:/tokens',
  ])('is inert in the lists of everything that was created: %s', async (path) => {
    expect(JSON.stringify(await read(path))).toContain('word');
  });

  it.each(PAYLOADS)('is inert in responses and headers if it is in a URL: %j', async (text) => {
    const { ask, request } = server();
    for (const path of ['/events', 'tickets:/tickets', 'tickets:/attendees', 'admin:/users', 'admin:/orders']) {
      const answer = await ask(`GET ${path}`, { as: 'administrator', query: { search: text, s: text } });
      for (const value of answer.headers.values()) expect(value).not.toMatch(/<(?!http)\/?[a-z]/i);
      if (answer.status === 200) expect(answer.body.rest_url ?? '').not.toMatch(TAG);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
    const called = await ask('GET /events', { query: { search: text, _jsonp: 'walk' } });
    expect(called.text).not.toMatch(/[<>&\u2028\u2029]/);
    const page = await request(`/nowhere/${encodeURIComponent(text)}?${new URLSearchParams({ s: text })}`, {
      headers: { accept: 'text/html', 'accept-language': 'en' },
    });
    expect(page.status).toBe(404);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    // The page lists events, of which other tests have made some with such texts.
    const [head = ''] = (await page.text()).split('<article');
    expect(head.replaceAll(/ class="[^"]*"/g, '')).not.toContain('word');
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    '//evil.test',
    'https://example.org/"><script>',
    'https://example.org/\r\nSet-Cookie: a=b',
  ])('cannot hide in a web address: %j', async (website) => {
    const { ask } = server();
    for (const [call, body] of [
      ['POST /venues', { venue: 'Hall', website }],
      ['POST /organizers', { organizer: 'Club', website }],
      [`PATCH /events/${eventId}`, { website }],
    ] as const) {
      const answer = await ask(call, { as: 'administrator', body });
      expect([call, answer.status, answer.body.code]).toEqual([call, 400, 'rest_invalid_param']);
    }
  });

  it('leaves links and pictures in descriptions only safe addresses', async () => {
    const { description } = await server().make(`PATCH /events/${eventId}`, {
      description:
        '<a href="java&#10;script:alert(1)" target="x" rel="opener" onclick="x">a</a><a href="https://example.org/" target="_blank">b</a>' +
        '<img src="data:image/svg+xml,<svg onload=alert(1)>"><img src="https://example.org/x.png" onerror="x" name="forms" style="x">',
    });
    expect(description).toBe(
      '<a>a</a><a href="https://example.org/" target="_blank">b</a><img src="https://example.org/x.png" />',
    );
  });

  it('is never copied from a request into a header of a response', async () => {
    const value = 'word\u00a0<script>';
    const headers = { 'x-http-method-override': 'GET', 'accept-language': value, 'x-cart-token': value };
    const answer = await server().ask('GET tickets:/cart', { headers });
    for (const header of answer.headers.values()) expect(header).not.toContain('word');
    const add_ticket_nonce = await nonce(server(), 'add_ticket_nonce');
    const made = await server().ask('POST tickets:/tickets', {
      as: 'administrator',
      body: { add_ticket_nonce, post_id: eventId, provider: 'tc', name: 'a\r\nX-Evil: 1', price: '5' },
    });
    expect(made.headers.get('x-evil')).toBeNull();
    expect(made.body.title).toBe('a X-Evil: 1');
  });
});
