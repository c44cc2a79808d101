import { expect, it } from 'vitest';
import { handScan, isIn, makeEvening, openDoor, until, useDoor } from './door.ts';

const { server, start, cut, mend } = useDoor();

const NAMES = Array.from({ length: 12 }, (_, index) => `Guest ${String.fromCharCode(65 + index)}`);

it('lets guests in without a network, also after the phone died, and sends each scan once', async () => {
  const { gate, guests } = await makeEvening(server(), NAMES);
  const device = await start();
  await openDoor(device, server(), { gate });
  await device.page.getByText('0 of 12 in').waitFor();
  await cut();
  for (const { text, name } of guests.slice(0, 5)) {
    const said = await handScan(device.page, text, 'Welcome');
    expect(said).toContain(name);
    expect(said).toContain('Not confirmed');
  }
  expect(await handScan(device.page, guests[0]!.text, 'Already in')).toContain('Guest A');
  await device.page.getByText('no network · 6 to send').waitFor();

  await device.restart();
  const { page } = device;
  await page.goto('/door/');
  await page.getByText('6 to send').waitFor();
  await page.getByRole('button', { name: 'Open the door' }).click();
  await page.getByText('5 of 12 in').waitFor();
  await handScan(page, guests[1]!.text, 'Already in');
  await handScan(page, guests[5]!.text, 'Welcome');
  expect(await isIn(server(), guests[0]!.id)).toBe(false);

  await mend();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Synchronise now' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByText(/^online · list/).waitFor();
  for (const [index, { id }] of guests.entries()) expect([index, await isIn(server(), id)]).toEqual([index, index < 6]);
  const { body } = await server().ask('GET admin:/door/clashes', { as: 'administrator' });
  expect(body.total).toBe(0);
  await page.getByText('6 of 12 in').waitFor();
  expect(device.complaints).toEqual([]);
});

it('reports a ticket that two gates let in without a network, on both devices and in the console', async () => {
  const { gate, guests, event } = await makeEvening(server(), ['Ada Lovelace']);
  const [one, other] = [await start(), await start()];
  for (const device of [one, other]) await openDoor(device, server(), { gate });
  await cut();
  for (const { page } of [one, other]) await handScan(page, guests[0]!.text, 'Welcome');
  await mend();
  for (const { page } of [one, other]) {
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Synchronise now' }).click();
  }
  const clashes = async () =>
    (await server().ask('GET admin:/door/clashes', { as: 'administrator', query: { event_id: event } })).body;
  await until(async () => (await clashes()).total === 1);
  expect((await clashes()).clashes).toMatchObject([{ kind: 'twice', attendee: { name: 'Ada Lovelace' } }]);
  expect(await isIn(server(), guests[0]!.id)).toBe(true);
  for (const { page } of [one, other]) {
    await until(async () => {
      await page.getByRole('button', { name: 'Synchronise now' }).click();
      return (await page.getByText(/Ada Lovelace: let in at/).count()) === 1;
    });
  }
  expect([...one.complaints, ...other.complaints]).toEqual([]);
});
