import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fieldKeys } from '../../../apps/console/features/log/values.ts';
import { auditedKinds, endpoints } from '../../../src/app.ts';
import { COLOR_NAMES } from '../../../src/lib/theme.ts';
import type { Snapshot } from '../../../src/platform/audit/kind.ts';
import { makeAttendee, makeSeat } from '../../attendees.ts';
import { makeEverything } from '../../fixtures.ts';
import { useTestServer } from '../../server.ts';

const texts: Record<string, unknown> = Object.assign(
  {},
  ...['features/log', 'i18n'].map((folder) =>
    JSON.parse(readFileSync(`apps/console/${folder}/locales/en.json`, 'utf8')),
  ),
);

/** Those that no text is found for. */
const unnamed = (kind: string, fields: readonly string[]): string[] =>
  fields.filter((field) => !fieldKeys(kind, field).some((key) => Object.hasOwn(texts, key))).map((f) => `${kind} ${f}`);

const fieldsOf = ({ fields, texts = {}, personal = {}, secret = {} }: Snapshot): string[] =>
  [fields, ...Object.values(texts), personal, secret].flatMap(Object.keys);

const server = useTestServer('sqlite');

it('has a name for every field that the log may hold', async () => {
  const { make, context, userId } = server();
  const { event, venue, organizer, category, tag, media, password, token } = await makeEverything(server());
  const ticket = await makeSeat(server(), event);
  const attendee = await makeAttendee(server(), ticket);
  const key = await make('POST admin:/check-in-keys', { name: 'North' });
  const site = { name: 'Hall', tagline: 'A', about: 'A', terms: 'A', privacy: 'A', legal_links: [] };
  await make('PATCH admin:/site', site);
  const ids: Record<string, number> = {
    ...{ event, venue, organizer, category, tag, media, ticket, token, attendee: attendee.id, site: 1 },
    ...{ app_password: password, check_in_key: key.id, user: userId('editor'), order: attendee.order },
  };
  // Those of commands: `logCommand`.
  const missing = unnamed('site', ['secret', 'language', 'demo']);
  for (const { name, snapshot } of auditedKinds) {
    const record = await snapshot(context.db, ids[name] ?? 0);
    const fields = record ? fieldsOf(record) : [];
    expect([name, fields.length > 0]).toEqual([name, true]);
    missing.push(...unnamed(name, fields));
  }
  missing.push(...unnamed('site', COLOR_NAMES));
  const settings = endpoints.find(({ name }) => name === 'site.update');
  missing.push(...unnamed('site', Object.keys(settings?.input ?? {})));
  expect(missing).toEqual([]);
});
