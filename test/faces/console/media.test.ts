import { describe, expect, it } from 'vitest';
import { png, upload } from '../../fixtures.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, useConsole } from './console.ts';

const { server, open } = useConsole({ languages: ['en', 'fr'] });

const file = async (name: string, buffer?: Buffer) => ({
  ...{ name, mimeType: 'image/png', buffer: buffer ?? Buffer.from(await png(400, 300)) },
});
const library = async (language = 'en') =>
  (await server().ask('GET admin:/media', { as: 'editor', query: { orderby: 'title', i18n_language: language } })).body;

describe('the library of pictures', () => {
  it('takes files, names those that it refuses, and asks for descriptions one after another', async () => {
    await open(
      'editor',
      '/media',
      async (page) => {
        await page.getByText('There are no pictures yet.').waitFor();
        const chosen = page.waitForEvent('filechooser');
        await page.getByRole('button', { name: 'Upload pictures' }).click();
        await (await chosen).setFiles([
          await file('hall.png'),
          await file('text.png', Buffer.from('no picture')),
          await file('quay.png'),
        ]);
        await page.getByText('text.png: file must be a PNG, JPEG, GIF, WebP or AVIF image.').waitFor();
        await page.getByRole('row', { name: 'hall' }).waitFor();
        await expectAccessible(page);
        await page.getByRole('button', { name: 'Describe 2 pictures' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText('2 left · quay').waitFor();
        await dialog.getByRole('button', { name: 'Skip' }).click();
        await dialog.getByText('1 left · hall').waitFor();
        await page.keyboard.type('A hall');
        await page.keyboard.press('Tab');
        await page.keyboard.type('Une salle');
        await page.keyboard.press('Enter');
        await dialog.getByText('You have skipped 1.').waitFor();
        await page.keyboard.press('Enter');
        await dialog.getByText('1 left · quay').waitFor();
        await page.keyboard.type('A quay');
        await page.keyboard.press('Enter');
        await dialog.getByText('All pictures have a description.').waitFor();
        // The focus may still be on its way into the last text.
        await expect
          .poll(async () => {
            await page.keyboard.press('Escape');
            return dialog.count();
          })
          .toBe(0);
        const described = page.locator('.toast', { hasText: '“hall” is described.' });
        await described.getByRole('button', { name: 'Undo' }).click();
        await page.getByText('Undone.').waitFor();
        await page.getByRole('button', { name: 'Describe 1 picture' }).click();
        await dialog.getByText('1 left · hall').waitFor();
        for (const language of ['en', 'fr']) expect((await library(language)).media[0]).toMatchObject({ alt: '' });
        await page.keyboard.type('A hall');
        await page.keyboard.press('Tab');
        await page.keyboard.type('Une salle');
        await page.keyboard.press('Enter');
        await dialog.getByText('All pictures have a description.').waitFor();
      },
      { viewport: DESKTOP },
    );
    expect((await library()).media).toMatchObject([
      { title: 'hall', alt: 'A hall' },
      { title: 'quay', alt: 'A quay' },
    ]);
    expect((await library('fr')).media).toMatchObject([{ alt: 'Une salle' }, { alt: 'A quay' }]);
  });

  it('stops uploading, names the remaining files, and goes on where it stopped', async () => {
    await open('author', '/media', async (page) => {
      // The first file arrives, but its response does not.
      const arrived = Promise.withResolvers<void>();
      await page.route(/\/media\?/, async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        await route.fetch();
        return arrived.resolve();
      });
      const chosen = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Upload pictures' }).click();
      await (await chosen).setFiles([await file('one.png'), await file('two.png')]);
      await page.getByText('1 of 2').waitFor();
      await arrived.promise;
      await page.getByRole('button', { name: 'Stop' }).press('Enter');
      await page.getByText('2 files were refused:').waitFor();
      await page.unroute(/\/media\?/);
      await page.keyboard.press('Enter');
      await page.getByRole('row', { name: 'two' }).waitFor();
      // An author may not describe the pictures of others.
      await page.getByRole('button', { name: 'Describe 2 pictures' }).waitFor();
      await page.getByRole('row', { name: 'two' }).focus();
      await page.keyboard.press('x');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('x');
      await page.getByText('2 selected').waitFor();
      await page.keyboard.press('#');
      const question = page.getByRole('alertdialog');
      await question.getByText('The pictures are not in use. This cannot be undone.').waitFor();
      await question.getByRole('button', { name: 'Delete 2 pictures' }).click();
      await page.getByText('2 pictures are deleted.').waitFor();
    });
    expect((await library()).total).toBe(2);
  });

  it('replaces the file of a picture after saying how many places show it', async () => {
    const [, quay] = (await library()).media;
    const event = { start_date: '2027-03-06 18:00:00', end_date: '2027-03-06 20:00:00', image: quay.id };
    await server().make('POST /events', { ...event, title: 'Boats' });
    await open('editor', `/media?open=${quay.id}`, async (page) => {
      const panel = page.getByRole('dialog', { name: 'quay' });
      await panel.getByRole('link', { name: 'Boats' }).waitFor();
      await panel.getByRole('link', { name: 'Describe it in French' }).waitFor();
      const replace = async (name: string, content?: Buffer) => {
        const chosen = page.waitForEvent('filechooser');
        await panel.getByRole('button', { name: 'Replace the file' }).click();
        await (await chosen).setFiles([await file(name, content)]);
        const question = page.getByRole('alertdialog');
        await question.getByText(`“${name}” takes its place wherever it is shown, in 1 place.`).waitFor();
        await question.getByRole('button', { name: 'Replace the file' }).click();
        return question;
      };
      const refused = await replace('text.png', Buffer.from('no picture'));
      await refused.getByText('file must be a PNG, JPEG, GIF, WebP or AVIF image.').waitFor();
      await refused.getByRole('button', { name: 'Keep' }).click();
      await replace('boats.png');
      await page.getByText('The file is replaced wherever the picture is shown.').waitFor();
    });
    // Without a title of its own it is called by its file.
    expect((await library()).media).toMatchObject([{ id: quay.id, title: 'boats', alt: 'A quay' }, { title: 'hall' }]);
  });

  it('by keyboard alone moves the focus point, renames, says where a picture is shown, and deletes it', async () => {
    const [, { id }] = (await library()).media;
    const event = { start_date: '2027-03-06 18:00:00', end_date: '2027-03-06 20:00:00', image: id };
    await server().make('POST /events', { ...event, title: 'Lantern Night' });
    await open(
      'editor',
      '/media',
      async (page) => {
        await page.getByRole('row', { name: 'hall' }).focus();
        await page.keyboard.press('Enter');
        const panel = page.getByRole('dialog', { name: 'hall' });
        await panel.getByRole('link', { name: 'Lantern Night' }).waitFor();
        await panel.getByText('Focus point').first().focus();
        await page.keyboard.press('Enter');
        await panel.getByRole('slider', { name: 'From the left' }).focus();
        for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowLeft');
        await panel.getByLabel('Title').focus();
        await page.keyboard.press('Control+a');
        await page.keyboard.type('The hall');
        await expectAccessible(page);
        await page.keyboard.press('Control+s');
        await page.getByRole('dialog', { name: 'The hall' }).waitFor();
        expect((await library()).media[1]).toMatchObject({ title: 'The hall', focus: { x: 47, y: 50 } });
        await page.keyboard.press('Escape');
        await page.locator('.picture:focus', { hasText: 'The hall' }).waitFor();
        await page.getByRole('button', { name: 'Undo' }).focus();
        await page.keyboard.press('Enter');
        await page.getByRole('row', { name: 'hall', exact: true }).waitFor();
        expect((await library()).media[1]).toMatchObject({ title: 'hall', alt: 'A hall', focus: { x: 50, y: 50 } });
        await page.getByRole('row', { name: 'hall' }).focus();
        await page.keyboard.press('Enter');
        await panel.getByRole('link', { name: 'Lantern Night' }).waitFor();
        await page.getByRole('button', { name: 'Delete' }).focus();
        await page.keyboard.press('Enter');
        const question = page.getByRole('alertdialog');
        await question.getByText('It is shown in 1 place and will be missing there.').waitFor();
        await question.getByRole('button', { name: 'Delete 1 picture' }).focus();
        await page.keyboard.press('Enter');
        await page.getByText('1 picture is deleted.').waitFor();
      },
      { viewport: PHONE, colorScheme: 'dark' },
    );
    expect((await library()).total).toBe(1);
  });

  it('deletes all own pictures that a search finds, on every page, after saying how many', async () => {
    const bytes = await png(40, 30);
    const uploaded = async (as: 'author' | 'editor', name: string): Promise<number> =>
      (await server().ask('POST admin:/media', { as, form: upload(bytes, name) })).body.id;
    const posters: number[] = [];
    while (posters.length < 50) posters.push(await uploaded('author', 'poster.png'));
    const foreign = await uploaded('editor', 'poster-of-others.png');
    const event = { start_date: '2027-03-06 18:00:00', end_date: '2027-03-06 20:00:00', image: posters[0] };
    const { id } = await server().make('POST /events', { ...event, title: 'Posters' }, 'author');
    await open('author', '/media?search=poster', async (page) => {
      await page.getByRole('row').first().focus();
      await page.keyboard.press('x');
      await page.getByRole('button', { name: 'Select all 51' }).click();
      await page.getByRole('button', { name: 'Delete 51 pictures' }).click();
      const question = page.getByRole('alertdialog', { name: 'Delete 50 pictures' });
      await question.getByText('1 of them is shown somewhere and will be missing there.').waitFor();
      await expectAccessible(page);
      await question.getByRole('button', { name: 'Delete 50 pictures' }).click();
      await page.getByText('50 pictures are deleted.').waitFor();
      await page.getByText('1 entry', { exact: true }).waitFor();
    });
    expect((await server().ask(`GET /events/${id}`)).body.image).toBe(false);
    expect((await library()).media.map((one: { id: number }) => one.id)).toContain(foreign);
  });
});
