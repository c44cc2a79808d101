import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { handScan, isIn, makeEvening, openDoor, until, useDoor } from './door.ts';

const { server, start, cut, mend, alter } = useDoor();

/**
 * Lets the browser look for another version of the app; true if it found and stored one. Chromium activates it once the
 * former one is idle, after five minutes at the latest.
 */
const LOOK = `navigator.serviceWorker.ready.then(async (registration) => {
  const former = registration.active;
  await registration.update().catch(() => undefined);
  const worker = registration.installing;
  if (!worker) return registration.waiting !== null || registration.active !== former;
  return new Promise((done) =>
    worker.addEventListener('statechange', () => done(worker.state !== 'redundant'), { once: true }));
})`;

const lookForUpdate = (page: Page): Promise<boolean> => page.evaluate<boolean>(LOOK);

const titleOf = (page: Page): Promise<string> =>
  page.evaluate<string>('document.documentElement.dataset.version ?? ""');

/** The files of another version. */
const NEXT = {
  '/door/service-worker.js': (body: string) => body.replace(/["'`][0-9a-f]{12}["'`]/, '"0123456789ab"'),
  '/door/': (body: string) => body.replace('<html ', '<html data-version="next" '),
};

it('uses a new version when the user agrees, and not during a shift', async () => {
  const { gate, guests } = await makeEvening(server(), ['Ada Lovelace', 'Bo Reed']);
  const device = await start();
  await openDoor(device, server(), { gate });
  await device.page.evaluate('navigator.serviceWorker.ready');
  await until(async () => (await device.page.evaluate('navigator.serviceWorker.controller !== null')) === true);
  alter(NEXT);
  expect(await lookForUpdate(device.page)).toBe(true);
  await cut();
  await handScan(device.page, guests[0]!.text, 'Welcome');
  expect(await titleOf(device.page)).toBe('');
  await device.restart();
  const { page } = device;
  await page.goto('/door/');
  // The scan waits, and so does the version.
  expect(await titleOf(page)).toBe('');
  expect(await page.getByRole('button', { name: 'Use the new version' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Open the door' }).click();
  await mend();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Synchronise now' }).click();
  await until(() => isIn(server(), guests[0]!.id));
  expect(await titleOf(page)).toBe('');
  await page.getByRole('button', { name: 'Use the new version' }).click();
  await page.getByText('2 guests in the list').waitFor();
  expect(await titleOf(page)).toBe('next');
  expect(device.complaints).toEqual([]);
});

it('does not mistake the page of a captive portal for a version of the app', async () => {
  const portal = () => '<!doctype html><h1>Sign in to the hotel</h1>';
  const device = await start();
  const { page } = device;
  await page.goto('/door/');
  await page.evaluate('navigator.serviceWorker.ready');
  await until(async () => (await page.evaluate('navigator.serviceWorker.controller !== null')) === true);
  alter({ ...NEXT, '/door/': portal });
  expect(await lookForUpdate(page)).toBe(false);
  alter({ ...NEXT, '/door/app.webmanifest': portal, '/door/': portal });
  expect(await lookForUpdate(page)).toBe(false);
  await cut();
  await device.restart();
  await device.page.goto('/door/');
  await device.page.getByRole('heading', { name: 'Pair this device' }).waitFor();
});
