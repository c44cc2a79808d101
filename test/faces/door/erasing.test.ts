import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { handScan, isIn, makeEvening, openDoor, until, useDoor } from './door.ts';

const { server, start, cut, mend, origin } = useDoor();

/** Runs in a page: everything that it stores, as text, and the number of rows of each store. */
const STORED = `(async () => {
  const text = async (value) => {
    if (value instanceof CryptoKey) return value.extractable ? 'READABLE KEY' : 'key';
    if (value instanceof ArrayBuffer) return text(new Uint8Array(value));
    if (value instanceof Uint8Array) return new TextDecoder('latin1').decode(value);
    if (Array.isArray(value)) return (await Promise.all(value.map(text))).join(' ');
    if (value && typeof value === 'object') return text(Object.entries(value).flat());
    return String(value);
  };
  const db = await new Promise((done) => {
    const opening = indexedDB.open('marquee-door');
    opening.onsuccess = () => done(opening.result);
  });
  const found = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie, location.href];
  const rows = {};
  for (const name of db.objectStoreNames) {
    const reading = db.transaction(name).objectStore(name).getAll();
    const values = await new Promise((done) => (reading.onsuccess = () => done(reading.result)));
    rows[name] = values.length;
    found.push(await text(values));
  }
  db.close();
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys()) found.push(request.url);
  return { text: found.join(' '), rows };
})()`;

const storedIn = (page: Page): Promise<{ text: string; rows: Record<string, number> }> => page.evaluate(STORED);

const sync = async (page: Page, timeout = 30_000) => {
  await page.getByRole('button', { name: 'Menu' }).click({ timeout });
  await page.getByRole('button', { name: 'Synchronise now' }).click({ timeout });
};

/** The app may have sent its scans by itself, and then takes the button away. */
const sendNow = (page: Page) =>
  page
    .getByRole('button', { name: 'Send now' })
    .click({ timeout: 5000 })
    .catch(() => undefined);

const deviceOf = async (gate: number) =>
  (await server().ask(`GET admin:/door/gates/${gate}/devices`, { as: 'administrator' })).body.devices[0];

describe('a device', () => {
  it.each([[undefined], ['4711']])('stores nothing readable about guests, with the PIN %s', async (pin) => {
    const { gate, guests } = await makeEvening(server(), ['Ada Lovelace', 'Bo Reed'], { needs_pin: pin !== undefined });
    const device = await start();
    const { page } = device;
    await openDoor(device, server(), { gate, ...(pin && { pin }) });
    await cut();
    await handScan(page, guests[0]!.text, 'Welcome');
    const { text, rows } = await storedIn(page);
    expect(rows).toEqual({ kept: 2, rows: 1, scans: 1 });
    const secrets = [
      ...guests.flatMap(({ name, code }) => [name, code]),
      'Lovelace',
      'party.test',
      'READABLE KEY',
      'Lantern',
    ];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    // One envelope for the server, and no token besides.
    expect([...text.replaceAll(/assets\/\S+/g, '').matchAll(/[\w-]{40,}/g)].length).toBe(1);
    await mend();
    await sync(page);
    await until(() => isIn(server(), guests[0]!.id));
  });

  it('erases its list after five wrong PINs, also across restarts, and still sends its scans', async () => {
    const { gate, guests } = await makeEvening(server(), ['Ada Lovelace'], { needs_pin: true });
    const device = await start();
    await openDoor(device, server(), { gate, pin: '471108' });
    await cut();
    await handScan(device.page, guests[0]!.text, 'Welcome');
    await device.restart();
    await device.page.goto('/door/');
    for (let tries = 5; tries > 0; tries -= 1) {
      await device.page.getByText(new RegExp(`^${tries} (try|tries), then`)).waitFor();
      await device.page.getByLabel('PIN').fill('000000');
      await device.page.getByRole('button', { name: 'Unlock' }).click();
      if (tries === 3) {
        await device.page.getByText('Wrong PIN. 2 tries are left.').waitFor();
        await device.restart();
        await device.page.goto('/door/');
      }
    }
    const { page } = device;
    await page.getByRole('heading', { name: 'Too many wrong PINs' }).waitFor();
    await page.getByText('1 scan has yet to be sent').waitFor();
    expect((await storedIn(page)).rows).toEqual({ kept: 1, rows: 0, scans: 1 });
    // After this response, the app waits for longer than this test: only the button sends sooner.
    const busy = { status: 503, headers: { 'Retry-After': '600' }, json: { code: 'busy', message: '', data: {} } };
    const refused = page.waitForResponse(/\/door\/sealed$/);
    await page.context().route('**/door/sealed', (route) => route.fulfill(busy));
    await refused;
    await page.context().unroute('**/door/sealed');
    await mend();
    await until(async () => {
      await sendNow(page);
      return isIn(server(), guests[0]!.id);
    });
    await until(async () => (await storedIn(page)).rows.kept === 0);
    expect((await storedIn(page)).rows).toEqual({ kept: 0, rows: 0, scans: 0 });
  });

  it('opens with its PIN without a network', async () => {
    const { gate, guests } = await makeEvening(server(), ['Ada Lovelace'], { needs_pin: true });
    const device = await start();
    await openDoor(device, server(), { gate, pin: '4711' });
    await cut();
    await device.restart();
    await device.page.goto('/door/');
    await device.page.getByLabel('PIN').fill('4711');
    await device.page.getByRole('button', { name: 'Unlock' }).click();
    await device.page.getByRole('button', { name: 'Open the door' }).click();
    await handScan(device.page, guests[0]!.text, 'Welcome');
    await mend();
  });

  it('erases its list once it is revoked, and sends its scans for review', async () => {
    const { gate, guests, event } = await makeEvening(server(), ['Ada Lovelace']);
    const device = await start();
    const { page } = device;
    await openDoor(device, server(), { gate });
    await cut();
    await handScan(page, guests[0]!.text, 'Welcome');
    const { id } = await deviceOf(gate);
    await server().ask(`DELETE admin:/door/devices/${id}`, { as: 'administrator' });
    await mend();
    // The app may learn it before the button is pressed.
    const pressed = sync(page, 5000).catch(() => undefined);
    await page.getByRole('heading', { name: 'This device has been revoked' }).waitFor();
    await pressed;
    await until(async () => (await storedIn(page)).rows.kept === 0);
    expect((await storedIn(page)).rows).toEqual({ kept: 0, rows: 0, scans: 0 });
    expect(await isIn(server(), guests[0]!.id)).toBe(false);
    const { body } = await server().ask('GET admin:/door/clashes', { as: 'administrator', query: { event_id: event } });
    expect(body.clashes).toMatchObject([{ kind: 'late-refusal', reason: 'not-allowed' }]);
  });

  it('sends scans of a locked list without the PIN', async () => {
    const { gate, guests } = await makeEvening(server(), ['Ada Lovelace'], { needs_pin: true });
    const device = await start();
    await openDoor(device, server(), { gate, pin: '4711' });
    await cut();
    await handScan(device.page, guests[0]!.text, 'Welcome');
    await device.restart();
    await device.page.goto('/door/');
    await device.page.getByText('1 to send').waitFor();
    await mend();
    await device.page.reload();
    await until(() => isIn(server(), guests[0]!.id));
    await device.page.getByText('1 to send').waitFor({ state: 'detached' });
  });

  it('keeps the list when something else responds in place of the server', async () => {
    const { gate, guests } = await makeEvening(server(), ['Ada Lovelace', 'Bo Reed']);
    const device = await start();
    const { page, context } = device;
    await openDoor(device, server(), { gate });
    for (const portal of [
      { status: 200, contentType: 'text/html', body: '<h1>Welcome to the hotel</h1>' },
      { status: 200, contentType: 'application/json', body: '{"login":true}' },
      { status: 401, contentType: 'text/html', body: '<h1>Sign in</h1>' },
      { status: 302, headers: { Location: 'https://hotel.example/' }, body: '' },
      { status: 500, contentType: 'text/html', body: 'Internal Server Error' },
      { status: 429, contentType: 'text/plain', body: 'slow down' },
    ]) {
      await context.route(`${origin()}/calendar/**`, (route) => route.fulfill(portal));
      await sync(page);
      await page.getByRole('button', { name: 'Back' }).click();
      await page.getByText(/^(no network|server busy)/).waitFor();
      await context.unroute(`${origin()}/calendar/**`);
      await sync(page);
      await page.getByRole('button', { name: 'Back' }).click();
      await page.getByText(/^online/).waitFor();
    }
    await context.route(`${origin()}/calendar/**`, (route) => route.fulfill({ status: 200, body: '<h1>Hotel</h1>' }));
    expect(await handScan(page, guests[0]!.text, 'Welcome')).toContain('Not confirmed');
    await context.unroute(`${origin()}/calendar/**`);
    await sync(page);
    await until(() => isIn(server(), guests[0]!.id));
  });

  it('erases its list a day after the event, also without a network', async () => {
    const { gate, guests } = await makeEvening(server(), ['Ada Lovelace']);
    const device = await start();
    await openDoor(device, server(), { gate });
    await cut();
    await handScan(device.page, guests[0]!.text, 'Welcome');
    await device.restart();
    const { page } = device;
    await page.addInitScript('{ const now = Date.now.bind(Date); Date.now = () => now() + 3 * 365 * 24 * 3600_000 }');
    await page.goto('/door/');
    await page.getByRole('heading', { name: 'The event has ended' }).waitFor();
    await page.getByText('1 scan has yet to be sent').waitFor();
    expect((await storedIn(page)).rows).toEqual({ kept: 1, rows: 0, scans: 1 });
    await mend();
    await sendNow(page);
    await until(() => isIn(server(), guests[0]!.id));
  });

  it('erases everything at the end of the shift', async () => {
    const { gate, guests } = await makeEvening(server(), ['Ada Lovelace']);
    const device = await start();
    const { page } = device;
    await openDoor(device, server(), { gate });
    await handScan(page, guests[0]!.text, 'Welcome');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'End the shift' }).click();
    await page.getByRole('button', { name: 'Send and erase' }).click();
    await page.getByRole('heading', { name: 'The shift has ended' }).waitFor();
    expect((await storedIn(page)).rows).toEqual({ kept: 0, rows: 0, scans: 0 });
    expect(await isIn(server(), guests[0]!.id)).toBe(true);
  });
});
