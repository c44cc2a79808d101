import { beforeAll, describe, expect, it } from 'vitest';
import { gapAfter } from '../../../apps/console/features/translations/kinds.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, useConsole } from './console.ts';

const { server, open } = useConsole();

const EVENING = { start_date: '2027-03-06 18:00:00', end_date: '2027-03-06 20:00:00' };

let event = { id: 0, slug: '' };
let music = 0;
beforeAll(async () => {
  const make = (call: string, body: object) => server().make(call, body);
  event = await make('POST /events', { ...EVENING, title: 'Lantern Night', description: '<p>Bring a lamp.</p>' });
  music = (await make('POST /categories', { name: 'Music' })).id;
  for (const name of ['Walks', 'Talks']) await make('POST /categories', { name });
});

const textsIn = async (path: string, language: string) =>
  (await server().ask(`GET ${path}`, { query: { i18n_language: language } })).body;

describe('the next gap', () => {
  const pages = [[{ id: 3 }, { id: 5 }], [{ id: 8 }]];
  const readPage = async (page: number) => ({ missing: pages[page - 1] ?? [], total_pages: pages.length });

  it.each([
    [0, 3],
    [3, 5],
    [5, 8],
    [6, 8],
    [8, 3],
  ])('after %i is %i, on whichever page', async (last, next) => {
    expect(await gapAfter(last, readPage)).toBe(next);
  });

  it('is none where the last one is the only one', async () => {
    expect(await gapAfter(3, async () => ({ missing: [{ id: 3 }], total_pages: 1 }))).toBeUndefined();
  });
});

describe('translations', () => {
  it('are written beside the first language, which stays, and lead from gap to gap', async () => {
    await open(
      'editor',
      '/translations?language=fr',
      async (page) => {
        await page.getByRole('button', { name: '0 of 3' }).first().waitFor();
        await expectAccessible(page);
        await page.getByRole('row', { name: 'Lantern Night' }).click();
        await page.getByText('Bring a lamp.').waitFor();
        await page.getByLabel('Title (French)').fill('La nuit des lanternes');
        await page.getByRole('textbox', { name: 'Description (French)' }).fill('Prenez une lampe.');
        await expectAccessible(page);
        await page.getByRole('button', { name: 'Save and next gap' }).click();
        // Nothing else of this kind: the first category.
        await page.getByRole('heading', { name: 'Music' }).waitFor();
        await page.getByLabel('Name (French)').fill('Musique');
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('Saved.').waitFor();
        await page.goto(`/console/events/${event.id}/translations`);
        await page.getByText('All texts are there.').waitFor();
        await page.getByText('Missing: Title, Description').waitFor();
        await expectAccessible(page);
      },
      { viewport: DESKTOP },
    );
    expect(await textsIn(`/events/${event.id}`, 'fr')).toMatchObject({ title: 'La nuit des lanternes' });
    expect(await textsIn(`/events/${event.id}`, 'en')).toMatchObject({ title: 'Lantern Night' });
    expect(await textsIn(`/categories/${music}`, 'de')).toMatchObject({ name: 'Music' });
    const page = await server().request(`/fr/event/${event.slug}/`);
    expect(await page.text()).toContain('La nuit des lanternes');
  });

  it('fill three gaps by keyboard alone', async () => {
    await open(
      'editor',
      '/translations?kind=category&language=de',
      async (page) => {
        await page.getByRole('row', { name: 'Music' }).focus();
        await page.keyboard.press('Enter');
        for (const [name, text] of [
          ['Music', 'Musik'],
          ['Walks', 'Spaziergänge'],
          ['Talks', 'Vorträge'],
        ] as const) {
          await page.getByRole('heading', { name }).waitFor();
          await page.getByLabel('Name (German)').focus();
          await page.keyboard.type(text);
          await page.keyboard.press('Control+Enter');
        }
        // The event is what is left.
        await page.getByRole('heading', { name: 'Lantern Night' }).waitFor();
        await expectAccessible(page);
      },
      { viewport: PHONE, colorScheme: 'dark' },
    );
    const query = { i18n_language: 'de', orderby: 'id', hide_empty: false };
    const { categories } = (await server().ask('GET /categories', { query })).body;
    expect(categories.map(({ name }: { name: string }) => name)).toEqual(['Musik', 'Spaziergänge', 'Vorträge']);
  });

  it('can be read, but not written, by users who may not change the record', async () => {
    await open(
      'contributor',
      '/translations?language=fr',
      async (page) => {
        await page.getByText('Nothing is missing in your own records.').waitFor();
        await page.goto(`/console/translations/event/${event.id}?language=fr`);
        await page.getByText('your account may not change this record', { exact: false }).waitFor();
        await page.getByText('Bring a lamp.').waitFor();
        expect(await page.locator('main').getByRole('textbox').count()).toBe(0);
        await expectAccessible(page);
      },
      { viewport: PHONE },
    );
  });
});
