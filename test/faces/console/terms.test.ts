import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeEvent } from '../../tickets.ts';
import { makeShow } from '../sale.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, tick, useConsole } from './console.ts';

const { server, open } = useConsole();

type Taxonomy = 'categories' | 'tags';

const create = async (taxonomy: Taxonomy, term: object): Promise<number> =>
  (await server().make(`POST /${taxonomy}`, term)).id;

/** Names of the terms with the names of their parents. */
async function stored(taxonomy: Taxonomy): Promise<string[]> {
  const { body } = await server().ask(`GET /${taxonomy}?hide_empty=false&per_page=100&orderby=id`, { as: 'editor' });
  const terms: { id: number; name: string; parent?: number }[] = body[taxonomy] ?? [];
  const above = new Map(terms.map(({ id, name }) => [id, `${name} › `]));
  return terms.map(({ name, parent = 0 }) => `${above.get(parent) ?? ''}${name}`);
}

async function clear(taxonomy: Taxonomy): Promise<void> {
  const { body } = await server().ask(`GET /${taxonomy}?hide_empty=false&per_page=100`);
  const calls = body[taxonomy].map(({ id }: { id: number }) => ({
    method: 'DELETE',
    path: `/calendar/events/v1/${taxonomy}/${id}`,
  }));
  if (calls.length > 0) await server().make('POST admin:/batch', { calls });
  if (body.total_pages > 1) await clear(taxonomy);
}

let music = 0;
beforeEach(async () => {
  await clear('categories');
  await clear('tags');
  music = await create('categories', { name: 'Music' });
  await create('categories', { name: 'Jazz', parent: music });
  await create('categories', { name: 'Stage' });
  await create('categories', { name: 'jazz', slug: 'jazz-club', description: 'In the cellar.' });
});

const row = (page: Page, name: string) => page.getByRole('row', { name, exact: true });
/** A row of the table of tags is named by all that it says. */
const tagRow = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const select = (page: Page, name: string) => tick(tagRow(page, name).getByRole('checkbox'));
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describe('the tree of categories', () => {
  it('grows, moves its branches, and explains an impossible place', async () => {
    await open(
      'editor',
      '/categories',
      async (page) => {
        await page.getByText('4 categories').waitFor();
        await expectAccessible(page);
        await page.setViewportSize(DESKTOP);
        await press(page, 'New category');
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Name').fill('Music');
        await press(page, 'Create the category');
        await dialog.getByText('This name is already taken here.').waitFor();
        await dialog.getByLabel('Name').fill('<b>Dance</b> & more');
        await press(page, 'Create the category');
        await row(page, 'Dance & more').click();
        await dialog.getByRole('button', { name: 'Parent category: None (top level)' }).click();
        await page.getByRole('searchbox', { name: 'Name of a category' }).fill('stage');
        await page.getByRole('menuitem', { name: 'Stage' }).click();
        await dialog.getByRole('radio', { name: 'Teal' }).check();
        await expectAccessible(page);
        await press(page, 'Save');
        await page.getByText('Saved.').waitFor();
        await dialog.getByRole('button', { name: 'Close' }).click();
        // Another user moves Stage below Music; then Music cannot be below Stage.
        await row(page, 'Music').click();
        await dialog.getByRole('button', { name: 'Parent category: None (top level)' }).click();
        const [stage] = (await server().ask('GET /categories?slug=stage&hide_empty=false')).body.categories;
        await server().make(`PATCH /categories/${stage.id}`, { parent: music });
        await page.getByRole('menuitem', { name: 'Stage', exact: true }).click();
        await press(page, 'Save');
        await dialog.locator('.field-error', { hasText: 'something below it' }).waitFor();
        await page.locator('[aria-label="Parent category: Music › Stage"]:focus').waitFor();
        await press(page, 'Discard');
        await dialog.getByRole('link', { name: 'Upcoming events' }).click();
        await page.waitForURL(`**/events?category=${music}`);
        const [dance] = (await server().ask('GET /categories?search=dance&hide_empty=false')).body.categories;
        expect(dance.color).toBe('#2a9d8f');
        await makeEvent(server(), {
          title: 'Tango',
          categories: [dance.id],
          start_date: '2027-05-08 20:00',
          end_date: '2027-05-08 22:00',
        });
        await page.goto('/console/calendar?month=2027-05');
        await page.getByRole('button', { name: '8:00 PM Tango (Dance & more)' }).waitFor();
        await page.getByRole('list', { name: 'Colours of categories' }).getByText('Dance & more').waitFor();
        await expectAccessible(page);
      },
      { viewport: DESKTOP, colorScheme: 'light' },
    );
    expect(await stored('categories')).toEqual([
      ...['Music', 'Music › Jazz', 'Music › Stage', 'jazz'],
      'Stage › Dance & more',
    ]);
  });

  it('is walked, edited and cut by keyboard only', async () => {
    await open(
      'author',
      '/',
      async (page) => {
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.keyboard.press('g');
        await page.keyboard.press('g');
        await row(page, 'Music').waitFor();
        await expectAccessible(page);
        await page.setViewportSize(PHONE);
        await row(page, 'Music').focus();
        await page.keyboard.press('ArrowLeft');
        await row(page, 'Jazz').waitFor({ state: 'detached' });
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await page.getByRole('dialog').getByLabel('Name').fill('Swing');
        await page.keyboard.press('Control+s');
        await page.getByText('Saved.').waitFor();
        await page.keyboard.press('Escape');
        await row(page, 'Swing').waitFor();
        await row(page, 'Music').focus();
        await page.keyboard.press('Space');
        // Shown by a check mark, not by the colour of the row alone.
        const mark = row(page, 'Music').locator('.checkbox-box');
        expect(await mark.evaluate('(box) => getComputedStyle(box).color')).not.toBe('rgba(0, 0, 0, 0)');
        await page.getByRole('button', { name: 'Delete', exact: true }).focus();
        await page.keyboard.press('Enter');
        const question = page.getByRole('alertdialog');
        await question.getByText('1 subcategory moves up one level.').waitFor();
        await question.getByRole('button', { name: 'Delete the category' }).focus();
        await page.keyboard.press('Enter');
        await page.getByText('The category is deleted.').waitFor();
        await row(page, 'Music').waitFor({ state: 'detached' });
        // The focus goes on in the tree.
        await page.locator('.tree-row:focus').waitFor();
      },
      { viewport: PHONE, colorScheme: 'dark' },
    );
    expect(await stored('categories')).toEqual(['Swing', 'Stage', 'jazz']);
  });

  it('draws only the rows in sight of many categories', async () => {
    const calls = Array.from({ length: 99 }, (_, index) => ({
      ...{ method: 'POST', path: '/calendar/events/v1/categories' },
      body: { name: `Course ${index + 1}`, parent: music },
    }));
    await server().make('POST admin:/batch', { calls });
    await open('editor', '/categories', async (page) => {
      await page.getByText('103 categories').waitFor();
      await press(page, 'Expand all');
      await row(page, 'Course 3').waitFor();
      expect(await page.locator('.tree-row').count()).toBeLessThan(50);
      await row(page, 'Music').focus();
      await page.keyboard.press('End');
      await row(page, 'Stage').waitFor();
      await page.getByRole('searchbox').fill('course 99');
      await page.getByText('1 category found').waitFor();
      await row(page, 'Course 99').waitFor();
    });
  });
});

describe('a merge', () => {
  it('of probable duplicates moves their events, and can be undone from the list', async () => {
    const { id } = await makeShow(server(), { categories: ['jazz-club', 'stage'] });
    const namesOf = async () =>
      (await server().ask(`GET /events/${id}`, { as: 'editor' })).body.categories.map(
        (one: { slug: string }) => one.slug,
      );
    await open('editor', '/categories', async (page) => {
      const refused: string[] = [];
      page.on('response', (answer) => void (answer.status() >= 400 && refused.push(answer.url())));
      await page.getByText('1 probable duplicate').click();
      await press(page, 'Compare Jazz, jazz');
      const dialog = page.getByRole('dialog');
      // The one with the event is proposed to stay; the other one is chosen, with the slug of the first.
      await dialog.getByText('The other category is deleted; its address leads to “jazz”.').waitFor();
      await dialog.getByRole('radio', { name: /^Jazz/ }).first().check({ force: true });
      await dialog.getByText('1 event moves to “Jazz”.').waitFor();
      await dialog.getByRole('radiogroup', { name: 'End of the address' }).getByText('jazz-club').click();
      await press(page, 'Merge 2 categories');
      const recent = page.getByRole('list', { name: 'Recent merges' });
      await recent.getByText('2 categories are merged into “Jazz”.').waitFor();
      await dialog.waitFor({ state: 'detached' });
      // The deleted one is not requested.
      expect(refused).toEqual([]);
      expect(await stored('categories')).toEqual(['Music', 'Music › Jazz', 'Stage']);
      expect(await namesOf()).toEqual(expect.arrayContaining(['jazz-club', 'stage']));
      await page.reload();
      await recent.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone.').waitFor();
      await page.getByText('4 categories').waitFor();
      await recent.waitFor({ state: 'detached' });
    });
    const [jazz] = (await server().ask('GET /categories?slug=jazz&hide_empty=false')).body.categories;
    expect(jazz).toMatchObject({ name: 'Jazz', parent: music, count: 0 });
    expect(await namesOf()).toEqual(expect.arrayContaining(['jazz-club', 'stage']));
  });

  it('is refused once another user has changed the survivor, and then takes the chosen texts', async () => {
    const first = await create('tags', { name: 'outdoors' });
    const second = await create('tags', { name: 'outside' });
    await open(
      'editor',
      '/tags',
      async (page) => {
        await select(page, 'outdoors');
        await select(page, 'outside');
        await press(page, 'Fusionner');
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('radiogroup', { name: 'Nom' }).getByText('outside').click();
        await server().make(`PATCH /tags/${first}`, { description: 'Bring a jumper.' });
        await press(page, 'Fusionner 2 étiquettes');
        await dialog.getByRole('alert').waitFor();
        // The change is shown now, and the choice stays.
        await dialog.getByRole('radiogroup', { name: 'Description' }).getByText('Bring').waitFor();
        await press(page, 'Fusionner 2 étiquettes');
        await page.getByRole('list', { name: 'Fusions récentes' }).waitFor();
      },
      { locale: 'fr-FR' },
    );
    expect((await server().ask(`GET /tags/${second}`)).status).toBe(400);
    // The texts are in the language of the content, not of the console.
    const { body } = await server().ask(`GET /tags/${first}`, { as: 'editor' });
    expect(body).toMatchObject({ name: 'outside', slug: 'outdoors', description: 'Bring a jumper.' });
    expect(body.translations).toBeUndefined();
  });
});

describe('tags', () => {
  it('are listed with their events, created with a way back, and deleted by several', async () => {
    await create('tags', { name: 'outdoors' });
    await create('tags', { name: 'free' });
    await makeShow(server(), { tags: ['outdoors'] });
    await open('editor', '/tags', async (page) => {
      await page.getByRole('button', { name: 'Events', exact: true }).click();
      await page.locator('tbody tr').first().getByText('outdoors').waitFor();
      await page.keyboard.press('c');
      await page.getByRole('dialog').getByLabel('Name').fill('late');
      await page.keyboard.press('Enter');
      await page.getByText('“late” is created.').locator('..').getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone.').waitFor();
      await select(page, 'outdoors');
      await select(page, 'free');
      await press(page, 'Delete');
      await page.getByText('outdoors is removed from 1 event.').waitFor();
      await press(page, 'Delete 2 tags');
      await page.getByText('No tags yet.').waitFor();
    });
    expect(await stored('tags')).toEqual([]);
  });

  it('can be read by users who may not change them', async () => {
    await create('tags', { name: 'outdoors' });
    await open('author', '/tags', async (page) => {
      await tagRow(page, 'outdoors').waitFor();
      expect(await page.getByRole('button', { name: 'New tag' }).count()).toBe(0);
      expect(await page.getByRole('checkbox').count()).toBe(0);
      expect(await page.getByRole('link', { name: 'Tags' }).count()).toBe(0);
      await expectAccessible(page);
    });
  });
});
