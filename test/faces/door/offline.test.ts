import { expect, it } from 'vitest';
import { handScan, isIn, makeEvening, openDoor, typeFast, until, useDoor } from './door.ts';

const { server, start, cut, mend, origin } = useDoor();

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

it('decides alone when the server is slow, and admits the guest once', async () => {
  const { gate, guests, event } = await makeEvening(server(), ['Ada Lovelace']);
  const device = await start();
  const { page, context } = device;
  await openDoor(device, server(), { gate });
  await page.getByText(/^online/).waitFor();
  let answer: () => void = () => undefined;
  const late = new Promise<void>((resolve) => {
    answer = resolve;
  });
  // The server takes the scan, and its response comes much later.
  await context.route(`${origin()}/calendar/admin/v1/door/scans`, async (route) => {
    const response = await route.fetch();
    await late;
    await route.fulfill({ response }).catch(() => undefined);
  });
  expect(await handScan(page, guests[0]!.text, 'Welcome')).toContain('Not confirmed');
  expect(await isIn(server(), guests[0]!.id)).toBe(true);
  expect(await handScan(page, guests[0]!.text, 'Already in')).toContain('Ada Lovelace');
  answer();
  await context.unroute(`${origin()}/calendar/admin/v1/door/scans`);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Synchronise now' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByText(/^online · list/).waitFor();
  await page.getByText('1 of 1 in').waitFor();
  const { body } = await server().ask('GET admin:/door/clashes', { as: 'administrator', query: { event_id: event } });
  expect(body.total).toBe(0);
});

const HOUR = 3600_000;

it.each([
  ['three hours behind', -3 * HOUR],
  ['twenty years behind', -20 * 365 * 24 * HOUR],
])('notes when a guest came, on a device whose clock is %s', async (_clock, wrong) => {
  const { clock } = server();
  const began = clock.now.getTime();
  const { gate, guests } = await makeEvening(server(), ['Ada Lovelace']);
  const device = await start();
  const { page } = device;
  await page.addInitScript(`{ const now = Date.now.bind(Date); window.passed = 0;
    Date.now = () => now() + passed + ${began - Date.now() + wrong};
    Date = class extends Date { constructor(...given) { super(...(given.length > 0 ? given : [Date.now()])) } } }`);
  const pass = async (hours: number) => {
    clock.now = new Date(began + hours * HOUR);
    await page.evaluate(`passed = ${hours * HOUR}`);
  };
  await openDoor(device, server(), { gate });
  await cut();
  await pass(1);
  await handScan(page, guests[0]!.text, 'Welcome');
  await pass(2);
  await mend();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Synchronise now' }).click();
  await until(() => isIn(server(), guests[0]!.id));
  clock.now = new Date(began);
  const { query } = server().context.db;
  const [scan] = await query.selectFrom('door_scans').selectAll().where('attendee_id', '=', guests[0]!.id).execute();
  const at = Date.parse(`${scan?.scanned_utc.replace(' ', 'T')}Z`);
  expect(Math.round((at - began) / (HOUR / 12))).toBe(12);
});

it('lets no one in once the browser has evicted its storage, and is paired anew', async () => {
  const { gate, guests } = await makeEvening(server(), ['Ada Lovelace']);
  const device = await start();
  const { page } = device;
  await openDoor(device, server(), { gate });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', { origin: origin(), storageTypes: 'indexeddb' });
  await page.evaluate(typeFast(guests[0]!.text));
  await page.getByText('This device could not store the scan').waitFor();
  expect(await page.locator('.verdict').count()).toBe(0);
  await page.reload();
  await page.getByRole('heading', { name: 'Pair this device' }).waitFor();
  await openDoor(device, server(), { gate });
  await handScan(page, guests[0]!.text, 'Welcome');
});
