import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../src/app.ts';
import { type Everything, makeEverything } from './fixtures.ts';
import { authorised, DOOR_KEY, SAMPLES } from './samples.ts';
import { type TestServer, useTestServer } from './server.ts';
import { usualDatabases } from './thoroughness.ts';

/** The tables of audited records: the kind of a row, and the id of its record. */
const TABLES: Readonly<Record<string, { kind: string; id?: string; where?: string }>> = {
  events: { kind: "'event'" },
  event_links: { kind: "'event'", id: 'event_id' },
  linked_posts: { kind: 'kind' },
  terms: { kind: 'taxonomy' },
  translations: { kind: 'kind', id: 'record_id' },
  tickets: { kind: "'ticket'" },
  attendees: { kind: "'attendee'" },
  orders: { kind: "'order'" },
  media: { kind: "'media'" },
  series: { kind: "'series'" },
  users: { kind: "'user'" },
  recovery_codes: { kind: "'user'", id: 'user_id' },
  sign_in_links: { kind: "'user'", id: 'user_id' },
  app_passwords: { kind: "'app_password'" },
  tokens: { kind: "'token'" },
  check_in_keys: { kind: "'check_in_key'" },
  gates: { kind: "'gate'" },
  gate_events: { kind: "'gate'", id: 'gate_id' },
  door_devices: { kind: "'door_device'" },
  door_clashes: { kind: "'door_clash'" },
  signing_keys: { kind: "'signing_key'" },
  tax_rates: { kind: "'tax_rate'" },
  fees: { kind: "'fee'" },
  promotions: { kind: "'promotion'" },
  invoices: { kind: "'invoice'" },
  // Others follow from what happens to their orders and accounts.
  mails: { kind: "'mail'", where: 'user_id > 0 AND account_id = 0' },
  event_reminders: { kind: "'event'", id: 'event_id' },
  mail_texts: { kind: "'mail_text'" },
  announcements: { kind: "'announcement'", where: 'user_id > 0' },
  import_runs: { kind: "'import'" },
  subscriptions: { kind: "'subscription'" },
  site_settings: { kind: "'site'", id: '1' },
  site_texts: { kind: "'site'", id: '1' },
};

/** Changes that are no edit of the record: sales, check-ins, uses, counts and what orders do to their attendees. */
const MOVED = new Set([
  ...['sold', 'held', 'count', 'ical_sequence', 'last_used_utc', 'last_seen_utc', 'revision', 'title_key'],
  ...['attendance_status', 'checked_in', 'checkin_utc', 'checkin_source', 'checkin_author', 'checkin_device'],
  ...['totp_pending', 'totp_step', 'credentials_version', 'used', 'may_set_password', 'pending', 'made_until'],
]);

/**
 * Actions of visitors, customers, the door and payment services, which have logs of their own, sessions, background jobs, and requests that
 * change nothing yet. Examples have one row for all of them (src/demo/examples.test.ts).
 */
const PUBLIC =
  /^(payments\.(?:close|check)|events\.refund|refunds\.(?:retry|settle)|findings|gateways|cart|replies|qr|door\.(?:pair|hello|scans|sealed)|held_tickets|buyers_orders|nonces|session|sessions|batch|holds|jobs|reminders|mail_texts\.preview|second_factor\.create|me\.confirm|examples|imports\.upload)\b/;

/** The rows of all audited records as text, by kind and id. */
async function stateOf({ context }: TestServer): Promise<Map<string, string>> {
  const records = new Map<string, string>();
  for (const [table, { kind, id = 'id', where = '1 = 1' }] of Object.entries(TABLES)) {
    const { rows } = await sql<Record<string, unknown>>`SELECT ${sql.raw(kind)} AS audited_kind,
      ${sql.raw(id)} AS audited_id, ${sql.table(table)}.* FROM ${sql.table(table)} WHERE ${sql.raw(where)}`.execute(
      context.db.query,
    );
    for (const { audited_kind, audited_id, ...row } of rows) {
      const kept = Object.entries(row).filter(([column]) => !MOVED.has(column) && !(column === 'id' && id !== 'id'));
      const name = `${audited_kind} ${audited_id}`;
      records.set(name, [records.get(name) ?? '', ...kept.sort().map(String)].join('\n'));
    }
  }
  return records;
}

async function changedBy(server: TestServer, act: () => Promise<unknown>): Promise<string[]> {
  const before = await stateOf(server);
  await act();
  const after = await stateOf(server);
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).sort();
}

const lastId = async ({ context }: TestServer): Promise<number> =>
  (await context.db.query.selectFrom('audit').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst())?.id ?? 0;

const rowsAfter = async ({ context }: TestServer, id: number) =>
  context.db.query.selectFrom('audit').selectAll().where('id', '>', id).orderBy('id').execute();

const namesOf = (rows: readonly { kind: string; record_id: number }[]): string[] =>
  rows.map(({ kind, record_id }) => `${kind} ${record_id}`).sort();

/** The events that the row of their series covers. */
async function coveredBy({ context }: TestServer, rows: readonly { kind: string; record_id: number }[]) {
  const series = rows.flatMap(({ kind, record_id }) => (kind === 'series' ? [record_id] : []));
  const events = await context.db.query
    .selectFrom('occurrences')
    .select('event_id')
    .where('series_id', 'in', [0, ...series])
    .execute();
  return new Set(events.map(({ event_id }) => `event ${event_id}`));
}

const WRITES = endpoints.filter(({ methods, hasEffect }) => hasEffect || !methods.includes('GET'));

describe.each(usualDatabases)('the audit log on %s', (kind) => {
  const server = useTestServer(kind, { qrApiKey: DOOR_KEY });
  let world: Everything;
  beforeAll(async () => {
    world = await makeEverything(server());
  });

  it.each(WRITES.map(({ name }) => name))('has one row for each record that %s changes', async (name) => {
    const item = endpoints.find((one) => one.name === name);
    const { path = [], ...sample } = (await SAMPLES[name]?.(world, server())) ?? {};
    const values = path.map(String);
    const address = item?.path.replace(/\{\w+\}/g, () => values.shift() ?? '');
    const last = await lastId(server());
    let status = 0;
    const changed = await changedBy(server(), async () => {
      const method = item?.hasEffect ? 'GET' : item?.methods[0];
      const { stranger: _stranger, subscriber: _subscriber, ...asking } = sample;
      const { session: _session, device: _device, ...sent } = asking;
      const call = `${method} ${item?.namespace}:${address}`;
      status = (await server().ask(call, { ...sent, ...authorised(sample) })).status;
    });
    expect([status < 300, changed.length > 0 || PUBLIC.test(name)]).toEqual([true, true]);
    const rows = await rowsAfter(server(), last);
    const [names, covered] = [namesOf(rows), await coveredBy(server(), rows)];
    const expected = changed.filter((record) => names.includes(record) || !covered.has(record));
    expect(names).toEqual(PUBLIC.test(name) ? [] : expected);
    for (const row of rows)
      expect(row).toMatchObject(
        'session' in sample
          ? { means: 'session', network: '127.0.0.0/24' }
          : { user_name: 'administrator', means: 'password', network: '127.0.0.0/24' },
      );
  });
});
