import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fieldKeys } from '../../../apps/console/features/log/values.ts';
import { auditedKinds, endpoints } from '../../../src/app.ts';
import { COLOR_NAMES } from '../../../src/lib/theme.ts';
import type { Snapshot } from '../../../src/platform/audit/kind.ts';
import { makeAttendee, makeSeat } from '../../attendees.ts';
import { buy, lastMailOf } from '../../buyers.ts';
import { makeGate, pairDevice } from '../../door.ts';
import { makeEverything } from '../../fixtures.ts';
import { addImport, addSubscription } from '../../imports.ts';
import { clashOf } from '../../samples.ts';
import { useTestServer } from '../../server.ts';

const texts: Record<string, unknown> = Object.assign(
  {},
  ...['features/log', 'i18n'].map((folder) =>
    JSON.parse(readFileSync(`apps/console/${folder}/locales/en.json`, 'utf8')),
  ),
);

/** Fields without a text. */
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
  const recurrence = { rrule: 'FREQ=WEEKLY;COUNT=2' };
  const lesson = { title: 'Class', start_date: '2027-03-01 19:00', end_date: '2027-03-01 21:00' };
  const series = await make('POST /series', { event: lesson, recurrence });
  const rate = await make('POST admin:/tax-rates', { name: 'VAT', rate: 19_000, included: true });
  const fee = await make('POST admin:/fees', { name: 'Booking fee', per: 'order' });
  const code = await make('POST admin:/promotions', { code: 'SPRING', kind: 'percent', value: 10_000 });
  await make(`PATCH admin:/orders/${attendee.order}`, { billing: { company: 'Hall Ltd' } });
  server().restart({ invoices: 'paid' });
  const { invoices } = await make(`POST admin:/orders/${attendee.order}/invoices`, {});
  const site = {
    seller: { name: 'Hall' },
    name: 'Hall',
    tagline: 'A',
    about: 'A',
    terms: 'A',
    privacy: 'A',
    refunds: 'A',
    legal_links: [],
  };
  await make('PATCH admin:/site', site);
  const gate = await makeGate(server(), [event]);
  const device = await pairDevice(server(), gate);
  const announcement = await make(`POST admin:/events/${event}/announcements`, { text: 'Doors open at six.' });
  const mailText = await make('PUT admin:/mail-texts', { kind: 'tickets', language: 'en', subject: 'Hello {name}' });
  const ids: Record<string, number> = {
    ...{ event, venue, organizer, category, tag, media, ticket, token, attendee: attendee.id, site: 1 },
    announcement: announcement.id,
    import: await addImport(context, 'planned'),
    subscription: await addSubscription(context),
    mail_text: mailText.id,
    ...{ series: series.id, tax_rate: rate.id, fee: fee.id, promotion: code.id },
    ...{
      app_password: password,
      check_in_key: key.id,
      gate,
      door_device: device.id,
      door_clash: (await clashOf(server())).id,
      signing_key: 1,
      user: userId('editor'),
      order: attendee.order,
    },
    ...{ invoice: invoices[0].id, mail: await lastMailOf(server(), (await buy(server(), [ticket])).id) },
  };
  // Written by commands: `logCommand`.
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
