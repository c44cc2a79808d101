import { beforeAll, describe, expect, it } from 'vitest';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, useConsole } from './console.ts';

const { server, open } = useConsole();

const EVENING = { start_date: '2027-03-06 18:00:00', end_date: '2027-03-06 20:00:00' };
const venuesOf = async (status = 'publish') =>
  (await server().ask('GET admin:/venues', { as: 'editor', query: { orderby: 'id', status } })).body.venues;

beforeAll(async () => {
  const hall = await server().make('POST /venues', { venue: 'Harbour Hall', city: 'Boston' });
  const twin = await server().make('POST /venues', { venue: 'Harbour hall', address: '1 Quay', phone: '555 0101' });
  await server().make('POST /events', { ...EVENING, title: 'Lantern Night', venue: hall.id });
  await server().make('POST /events', { ...EVENING, title: 'Brass Night', venue: twin.id });
  await server().make('POST /organizers', { organizer: 'Music Society', email: 'music@example.org' });
});

describe('venues', () => {
  it('that are probably the same are merged line by line, and separate again', async () => {
    await open(
      'editor',
      '/venues',
      async (page) => {
        await page.getByText('1 probable duplicate').click();
        await expectAccessible(page);
        await page.getByRole('button', { name: /Compare/ }).click();
        const dialog = page.getByRole('dialog', { name: 'Merge 2 venues' });
        await dialog.getByText('1 event moves to Harbour Hall.').waitFor();
        await expectAccessible(page);
        await dialog.getByRole('button', { name: 'Merge 2 venues' }).click();
        await page.getByText('2 venues are now Harbour Hall.').first().waitFor();
        expect(await venuesOf()).toMatchObject([
          { venue: { venue: 'Harbour Hall', city: 'Boston', address: '1 Quay', phone: '555 0101' }, events: 2 },
        ]);
        await page.getByRole('list', { name: 'Recent merges' }).getByRole('button', { name: 'Undo' }).click();
        await page.getByText('Undone.').waitFor();
      },
      { viewport: DESKTOP },
    );
    expect(await venuesOf()).toMatchObject([{ events: 1 }, { events: 1 }]);
  });

  it('are made with the coordinates of a pasted link, by keyboard alone', async () => {
    await open(
      'editor',
      '/venues',
      async (page) => {
        await page.getByRole('button', { name: 'New venue' }).focus();
        await page.keyboard.press('Enter');
        await page.getByRole('dialog', { name: 'New venue' }).waitFor();
        await page.keyboard.type('Quay 7');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Quay 7' }).waitFor();
        await page.getByLabel('Coordinates').focus();
        await page.keyboard.insertText('https://www.openstreetmap.org/#map=17/42.36/-71.05');
        await page.getByLabel('City').focus();
        await page.keyboard.type('Boston');
        await expectAccessible(page);
        await page.keyboard.press('Control+s');
        await page.getByText('Saved.').waitFor();
        await page.getByRole('button', { name: 'Publish' }).focus();
        await page.keyboard.press('Enter');
        await page.getByText('Published.', { exact: true }).waitFor();
      },
      { viewport: PHONE, colorScheme: 'dark' },
    );
    expect((await venuesOf()).at(-1).venue).toMatchObject({
      venue: 'Quay 7',
      city: 'Boston',
      geo_lat: 42.36,
      geo_lng: -71.05,
    });
  });
});

it('organizers go to the trash and come back', async () => {
  await open('editor', '/organizers', async (page) => {
    await page.getByRole('row', { name: 'Music Society' }).getByRole('checkbox').click({ force: true });
    await page.getByRole('button', { name: 'Move to the trash' }).click();
    await page.getByText('There are no organizers yet.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('row', { name: 'Music Society' }).click();
    await page.getByRole('heading', { name: 'Music Society' }).waitFor();
    await page.getByLabel('Telephone').fill('555 0102');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
  });
});
