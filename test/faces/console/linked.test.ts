import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { makeShow } from '../sale.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, tick, useConsole } from './console.ts';

const { server, open } = useConsole();

const create = async (kind: 'venues' | 'organizers', record: object): Promise<number> =>
  (await server().make(`POST /${kind}`, record)).id;

const stored = async (path: string) => (await server().ask(`GET /${path}`, { as: 'editor' })).body;
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const select = (page: Page, name: string) => tick(row(page, name).getByRole('checkbox'));

it('merges two venues with chosen fields, and gives the events back', async () => {
  const hall = await create('venues', { venue: 'Harbour Hall', address: '1 Quay', city: 'Bern', phone: '1' });
  const other = await create('venues', { venue: 'harbour hall', city: 'Berne' });
  const show = await makeShow(server(), { venue: other });
  const placeOf = async () => (await stored(`events/${show.id}`)).venue;
  await open(
    'editor',
    '/venues',
    async (page) => {
      await page.getByText('1 probable duplicate').click();
      await expectAccessible(page);
      await page.setViewportSize(DESKTOP);
      await press(page, 'Compare Harbour Hall, harbour hall');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('1 event moves to “Harbour Hall”.').waitFor();
      await expectAccessible(page);
      await dialog.getByRole('radiogroup', { name: 'City' }).getByText('Berne').click();
      // Another user changes the survivor.
      await server().make(`PATCH /venues/${hall}`, { phone: '2' });
      await press(page, 'Merge 2 venues');
      await dialog.getByRole('alert').waitFor();
      await dialog.getByRole('radiogroup', { name: 'Phone' }).getByText('2').waitFor();
      await press(page, 'Merge 2 venues');
      const recent = page.getByRole('list', { name: 'Recent merges' });
      await recent.getByText('2 venues are merged into “Harbour Hall”.').waitFor();
      expect(await placeOf()).toMatchObject({ id: hall, city: 'Berne', phone: '2', address: '1 Quay' });
      await recent.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone.').waitFor();
      await row(page, 'harbour hall').filter({ hasText: '1 event' }).waitFor();
      await row(page, 'harbour hall').filter({ hasText: 'Berne' }).click();
      await page.getByRole('link', { name: /^Lantern walk/ }).waitFor();
      await expectAccessible(page);
    },
    { viewport: DESKTOP, colorScheme: 'light' },
  );
  expect(await placeOf()).toMatchObject({ id: other });
  expect(await stored(`venues/${hall}`)).toMatchObject({ city: 'Bern', status: 'publish' });
});

it('creates a venue at pasted coordinates by keyboard only', async () => {
  await open(
    'editor',
    '/',
    async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('v');
      await page.getByRole('heading', { name: 'Venues' }).waitFor();
      await page.keyboard.press('c');
      await page.getByRole('dialog').getByLabel('Name').waitFor();
      await page.keyboard.type('<b>Old</b> & new mill');
      await page.keyboard.press('Enter');
      const field = page.getByLabel('Coordinates');
      await field.focus();
      await page.keyboard.insertText('https://www.google.com@evil.example/maps/@46.948,7.4474,17z');
      await page.getByText('No coordinates can be read here.').waitFor();
      await page.keyboard.press('Control+s');
      await page.locator('[aria-invalid="true"]:focus').waitFor();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText('https://www.openstreetmap.org/?mlat=46.948&mlon=7.4474#map=17/1/2');
      await page.getByRole('link', { name: 'Check on a map' }).waitFor();
      expect(await field.inputValue()).toBe('46.948, 7.4474');
      await page.keyboard.press('Control+s');
      await page.getByText('Saved.').waitFor();
      await expectAccessible(page);
    },
    { viewport: PHONE, colorScheme: 'dark' },
  );
  const { venues } = await stored('venues?search=mill');
  expect(venues).toMatchObject([{ venue: 'Old & new mill', geo_lat: 46.948, geo_lng: 7.4474, status: 'publish' }]);
});

it('asks before events lose an organizer, and undoes a deletion that concerns no event', async () => {
  const used = await create('organizers', { organizer: 'Jazz society' });
  const unused = await create('organizers', { organizer: 'Chess club', email: 'chess@example.org' });
  const show = await makeShow(server(), { organizer: [used] });
  await open(
    'editor',
    '/organizers',
    async (page) => {
      await row(page, 'Jazz society').waitFor();
      await expectAccessible(page);
      await select(page, 'Chess club');
      await press(page, 'Move to the trash');
      await page
        .getByText('The organizer is in the trash.')
        .locator('..')
        .getByRole('button', { name: 'Undo' })
        .click();
      await row(page, 'Chess club').waitFor();
      await row(page, 'Jazz society').click();
      await page.getByRole('link', { name: /^Lantern walk/ }).waitFor();
      await page.getByLabel('Phone').fill('077');
      await press(page, 'Move to the trash');
      await page.getByRole('alertdialog').getByText('1 event loses this organizer.').waitFor();
      expect((await stored(`events/${show.id}`)).organizer).toHaveLength(1);
      await press(page, 'Move the organizer to the trash');
      await page.waitForURL('**/organizers');
      await press(page, 'Trash');
      await select(page, 'Jazz society');
      await press(page, 'Delete permanently');
      await press(page, 'Delete the organizer permanently');
      await page.getByText('The organizer is deleted.').waitFor();
      await page.getByText('Nothing here.').waitFor();
    },
    { viewport: DESKTOP, colorScheme: 'dark' },
  );
  expect((await stored(`events/${show.id}`)).organizer).toEqual([]);
  expect(await stored(`organizers/${unused}`)).toMatchObject({ status: 'publish', email: 'chess@example.org' });
});

it('is shown to users who may not change it', async () => {
  const id = await create('venues', { venue: 'Town hall', city: 'Thun' });
  await open('author', `/venues/${id}`, async (page) => {
    await page.getByText('Thun').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Move to the trash' }).count()).toBe(0);
    await expectAccessible(page);
  });
});
