import { expect, it } from 'vitest';
import { codeOf, makeAttendee, makeSeat } from '../../attendees.ts';
import { makeGate, pairDevice, scanOf } from '../../door.ts';
import { makeEvent } from '../../tickets.ts';
import { expectAccessible, expectAccessibleOnBoth, useConsole } from './console.ts';

const { server, open } = useConsole();

it('makes a gate, pairs a device by a code, and revokes it', async () => {
  const event = await makeEvent(server(), { title: 'Lantern Night' });
  await open('administrator', '/door', async (page) => {
    await page.getByRole('heading', { name: 'Door', level: 1 }).waitFor();
    await expectAccessible(page);
    await page.goto(`/console/events/${event}/door`);
    await page.getByText('No gates yet').waitFor();
    await page.getByRole('button', { name: 'New gate' }).click();
    await page.getByLabel('Name', { exact: true }).fill('North');
    await page.getByLabel('A ticket admits again').selectOption('never');
    await expectAccessibleOnBoth(page);
    await page.getByRole('button', { name: 'Create the gate' }).click();
    await page.getByRole('heading', { name: 'North' }).waitFor();

    await page.getByRole('button', { name: 'Pair a device' }).click();
    const code = await page.getByLabel('Pairing code', { exact: true }).inputValue();
    expect(code).toMatch(/^[0-9A-Z]{10}$/);
    await expectAccessibleOnBoth(page);
    await server().ask('POST admin:/door/pair', { body: { code, name: 'Ada’s phone' } });
    await page.getByText('The device is paired.').waitFor();
    await page.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('Ada’s phone').waitFor();
    await page.getByRole('button', { name: 'Revoke “Ada’s phone”' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('“Ada’s phone” is revoked.').waitFor();

    await page.getByRole('button', { name: 'Edit “North”' }).click();
    await page.getByLabel('Strict after minutes without the server').fill('15');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { gates } = (await server().ask('GET admin:/door/gates', { as: 'administrator' })).body;
    expect(gates).toMatchObject([{ name: 'North', reentry: 'never', strict_minutes: 15, event_ids: [event] }]);

    await page.getByRole('button', { name: 'Delete “North”' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No gates yet').waitFor();
  });
});

it('shows numbers, arrivals and clashes of the evening, and closes a clash with a note', async () => {
  const event = await makeEvent(server(), { title: 'Lantern Night' });
  const ticket = await makeSeat(server(), event, 100, { name: 'Adult' });
  const gate = await makeGate(server(), [event], { may_sell: true });
  const guests = [];
  for (const name of ['Ada Lovelace', 'Bo Reed', 'Cy Young'])
    guests.push((await makeAttendee(server(), ticket, { full_name: name })).id);
  const [north, south] = [await pairDevice(server(), gate, 'Red'), await pairDevice(server(), gate, 'Blue')];
  const code = await codeOf(server(), guests[0]);
  await north.scan(scanOf(server(), guests[0], code, { let_in: true }));
  server().clock.now = new Date(server().clock.now.getTime() + 60_000);
  await south.scan(scanOf(server(), guests[0], code, { let_in: true }));
  await north.ask('POST admin:/door/sales', {
    body: { id: 'sale-0001', items: [{ ticket_id: ticket, quantity: 1 }], payment: 'card' },
  });
  await open('administrator', `/events/${event}/door`, async (page) => {
    await page.getByRole('heading', { name: '1 of 4 in' }).waitFor();
    await page.getByRole('row', { name: 'Red Card $10.00' }).waitFor();
    await page.getByText('1 entry').waitFor();
    await page.getByRole('heading', { name: 'Arrivals per quarter of an hour' }).waitFor();
    await page.getByText('Let in at').waitFor();
    await expectAccessibleOnBoth(page);
    await page.getByRole('button', { name: 'Close the clash of Ada Lovelace' }).click();
    await page.getByLabel('Outcome').fill('Two friends, both paid');
    await page.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByText('The clash is closed.').waitFor();
  });
  const { body } = await server().ask('GET admin:/door/clashes', { as: 'administrator', query: { event_id: event } });
  expect(body.clashes).toMatchObject([{ note: 'Two friends, both paid', attendee: { name: 'Ada Lovelace' } }]);
});
