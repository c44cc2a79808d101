import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, DATABASES, useTestServer } from '../../../test/server.ts';
import { readInput } from '../../http/input/validate.ts';
import { eventFields } from './endpoints/write-fields.ts';

const BASE = { title: 'Lantern Night', start_date: '2027-03-01 09:00:00', end_date: '2027-03-01 11:00:00' };
/** A unique title for each event, since finding a free slug would take most of the time of these tests. */
let titles = 0;
const base = () => {
  titles += 1;
  return { ...BASE, title: `Lantern Night ${titles}` };
};
const LONG = 'x'.repeat(3000);

/** Values that the schema of a field refuses. */
const REFUSED: Record<string, unknown[]> = {
  title: ['   ', LONG, true, ['a'], { a: 1 }],
  start_date: ['', 'foo', '2027-02-30', '2027-13-01', '2027-03-01 25:00', '0', true, [], {}],
  end_date: ['', 'foo', '2027-02-30', '2027-13-01', '@0', false],
  author: ['me', 0, -1, 1.5, [1]],
  date: ['foo', '2027-02-30', true],
  date_utc: ['foo', '2027-02-30', {}],
  status: ['nope', 'any', 'PUBLISH', 'auto-draft', 'inherit', 5, ['publish']],
  timezone: ['Mars/Base', 'UTC+99', 5, {}],
  all_day: ['foo', 2, {}, 'null'],
  website: ['foo', 'example.com', '//x.y', 'javascript:alert(1)', 'http://a b/', 5],
  featured: ['foo', 2, {}, []],
  sticky: ['maybe'],
  show_map: ['2'],
  show_map_link: ['null'],
  hide_from_listings: [[]],
  slug: ['   ', true, {}],
  description: [true, {}, 'x'.repeat(200_001)],
  excerpt: [[], false],
  event_status: ['canceled', 'Cancelled', 5, ['cancelled']],
  event_status_reason: [true, {}, 'x'.repeat(2001)],
  previous_start_date: ['foo', '2027-02-30', true],
  attendance_mode: ['onsite', 'Online', 5, ['online']],
  online_access: ['guests', true],
  online_url: ['foo', 'example.com', 'javascript:alert(1)', 'http://a b/', 5],
  door_time: ['24:00', '7pm', '9:00', '19.30', '19:30:20', 1930, true],
  accessibility: [true, {}, 'x'.repeat(2001)],
  post_parent: [-1, 'foo'],
  post_password: [{}, 'x'.repeat(201)],
};

/** Values that a field refuses after a look-up, or together with what is stored, on create and on update. */
const REFUSED_LATER: Record<string, unknown[]> = {
  title: ['', '<b></b>'],
  end_date: ['2026-03-01'],
  author: [999_999],
  image: ['foo', 999_999, '999999', true, 'ftp://x.example/a.png', 'file:///etc/passwd', 'http://127.0.0.1:9/x.png'],
  cost: [[['x']], { a: { b: 1 } }, 'x'.repeat(101), Array(101).fill('1')],
  categories: [999_999, [['x']], true, [{}], ['<b></b>'], 'x'.repeat(201)],
  tags: [999_999, [['x']], true, ['12345']],
  venue: [999_999, 'text', true, { city: 'x' }, { venue: '' }, { venue: ' <b> ' }, { venue: 'N', website: 'x' }, [[1]]],
  organizer: [999_999, 'text', true, { website: 'x' }, [{ organizer: '' }], [{ organizer: 'N', website: 'x' }]],
  post_parent: [999_999],
};

/** Optional fields: a value, and the result of `null` or an empty text. */
const CLEARED: [field: string, value: unknown, shown: unknown][] = [
  ['description', 'Words', ''],
  ['excerpt', 'Words', ''],
  ['timezone', 'Asia/Tokyo', 'America/New_York'],
  ['all_day', true, false],
  ['cost', '20$', ''],
  ['website', 'https://example.org/', ''],
  ['show_map', true, false],
  ['show_map_link', true, false],
  ['hide_from_listings', true, false],
  ['sticky', true, false],
  ['featured', true, false],
  ['event_status', 'postponed', 'scheduled'],
  ['event_status_reason', 'Storm', ''],
  ['previous_start_date', '2027-02-01 09:00', null],
  ['attendance_mode', 'mixed', undefined],
  ['online_access', 'everyone', undefined],
  ['online_url', 'https://stream.example/', undefined],
  ['door_time', '19:30', undefined],
  ['accessibility', 'Lift', undefined],
  ['categories', ['Cleared'], []],
  ['tags', ['Cleared'], []],
  ['venue', { venue: 'Cleared' }, []],
  ['organizer', { organizer: 'Cleared' }, []],
];

describe('the schema of a field of events', () => {
  it.each(Object.entries(REFUSED))('%s refuses other values', (name, values) => {
    const problemsOf = (value: unknown) => readInput(eventFields, [], new Map([[name, value]])).problems;
    expect(values.filter((value) => !problemsOf(value).has(name))).toEqual([]);
  });
});

describe.each(DATABASES)('fields of events on %s', (kind) => {
  const server = useTestServer(kind);
  const create = (fields: object) =>
    server().ask('POST /events', { as: 'administrator', body: { ...base(), ...fields } });
  let known: Answer['body'];
  beforeAll(async () => {
    known = await server().make('POST /events', BASE);
  });

  it('name every missing required one', async () => {
    const { body, status } = await server().ask('POST /events', { as: 'editor', body: { title: null, cost: [['x']] } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'rest_missing_callback_param' });
    expect(body.data.params).toEqual(['title', 'start_date', 'end_date']);
    for (const name of ['title', 'start_date', 'end_date']) expect(body.message).toContain(name);
  });

  it('name every invalid one, also to viewers without rights', async () => {
    const body = {
      ...BASE,
      title: '<b></b>',
      end_date: '2027-02-01',
      author: 999_999,
      featured: 'perhaps',
      website: 'nowhere',
      image: 'nowhere',
      categories: [999_999],
      tags: [999_999],
      venue: 999_999,
      organizer: [999_999],
      post_parent: 999_999,
    };
    for (const as of [undefined, 'subscriber', 'administrator'] as const) {
      const answer = await server().ask('POST /events', { as, body });
      const { start_date: _usable, ...unusable } = body;
      expect(answer).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      expect(Object.keys(answer.body.data.params).sort()).toEqual(Object.keys(unusable).sort());
      for (const name of Object.keys(unusable)) {
        expect(answer.body.message).toContain(name);
        expect(answer.body.data.details[name]).toMatchObject({ message: answer.body.data.params[name] });
      }
    }
  });

  it.each(CLEARED)('%s is cleared by null and by an empty text', async (name, value, shown) => {
    for (const nothing of [null, '']) {
      const made = await create({ [name]: value });
      expect(made.body[name]).not.toEqual(shown);
      const changed = await server().make(`PATCH /events/${made.body.id}`, { [name]: nothing });
      expect(changed[name]).toEqual(shown);
      const bare = await create({ [name]: nothing });
      expect(bare.body[name]).toEqual(shown);
    }
  });

  it.each(['title', 'start_date', 'end_date'])('%s is required: null clears it nowhere', async (name) => {
    const changed = await server().ask(`PATCH /events/${known.id}`, { as: 'editor', body: { [name]: null } });
    expect(changed).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    expect(Object.keys(changed.body.data.params)).toEqual([name]);
    const made = await server().ask('POST /events', { as: 'editor', body: { ...BASE, [name]: null } });
    expect(made.body.data.params).toEqual([name]);
  });

  it.each(['author', 'status', 'date', 'date_utc'])('%s stays when null is sent', async (name) => {
    const made = await create({ author: server().userId('author'), status: 'private', date: '2026-10-01 10:00' });
    for (const nothing of [null, '']) {
      const changed = await server().make(`PATCH /events/${made.body.id}`, { [name]: nothing });
      expect(changed[name]).toBe(made.body[name]);
    }
  });

  it.each([
    ['On', true],
    ['', false],
  ])('a flag sent as %j reads %j', async (sent, shown) => {
    expect((await create({ featured: sent })).body.featured).toBe(shown);
    const before = await server().make(`PATCH /events/${known.id}`, { featured: !shown });
    expect(before.featured).toBe(!shown);
    expect(await server().make(`PATCH /events/${known.id}`, { featured: sent })).toMatchObject({ featured: shown });
  });

  it('texts accept numbers', async () => {
    const { body, status } = await create({ title: 2027, description: 12, excerpt: 0, slug: 99 });
    expect(status).toBe(201);
    expect(body).toMatchObject({ title: '2027', description: '12', excerpt: '0', slug: '99' });
  });

  it.each([
    ['title', 'A "quoted" -- text... & <b>bold</b> 10x20', 'A "quoted" -- text... & bold 10x20'],
    ['title', '  Spaces \n around ', 'Spaces around'],
    ['title', 'C:\\new\\table', 'C:\\new\\table'],
    ['title', 'Fête – 祭り 🎉', 'Fête – 祭り 🎉'],
    ['description', 'One line & no more', 'One line & no more'],
    ['description', 'Back\\slash', 'Back\\slash'],
    ['description', 'One\n\nTwo\nThree', '<p>One</p>\n<p>Two<br />\nThree</p>'],
    ['description', '<h2>Head</h2>\n<p>Text</p>', '<h2>Head</h2>\n<p>Text</p>'],
    ['description', '<p onclick="x()">Hi<script>alert(1)</script></p>', '<p>Hi</p>'],
    ['excerpt', '<a href="javascript:x()">a</a>', '<a>a</a>'],
    ['excerpt', 'a\nb', '<p>a<br />\nb</p>'],
  ])('%s %j comes back as %j', async (name, sent, shown) => {
    expect((await create({ [name]: sent })).body[name]).toBe(shown);
  });
});

describe.each(DATABASES)('a field of an event on %s', (kind) => {
  const server = useTestServer(kind);
  let known: Answer['body'];
  beforeAll(async () => {
    known = await server().make('POST /events', BASE);
  });

  async function expectNothingKept(): Promise<void> {
    const { body } = await server().ask(`GET /events/${known.id}`, { as: 'administrator' });
    const { json_ld: _ld, ...shown } = body;
    expect(shown).toEqual(known);
    const query = { status: 'any', search: 'Lantern' };
    expect((await server().ask('GET /events', { as: 'administrator', query })).body.total).toBe(1);
  }

  // One value of each schema shows that writes use it.
  const bySchema = Object.entries(REFUSED).map(([name, [value]]): [string, unknown[]] => [name, [value]]);

  it.each([...bySchema, ...Object.entries(REFUSED_LATER)])(
    '%s refuses %j, and nothing is kept',
    async (name, values) => {
      for (const value of values) {
        for (const call of ['POST /events', `PATCH /events/${known.id}`]) {
          const body = call.startsWith('POST') ? { ...BASE, [name]: value } : { [name]: value };
          const { status, body: refused } = await server().ask(call, { as: 'administrator', body });
          const params = Object.keys(refused.data?.params ?? {});
          const expected = { value, status: 400, code: 'rest_invalid_param', params: [name] };
          expect({ value, status, code: refused.code, params }).toEqual(expected);
        }
      }
      await expectNothingKept();
    },
  );
});
