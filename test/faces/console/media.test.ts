import { describe, expect, it } from 'vitest';
import { png } from '../../fixtures.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, useConsole } from './console.ts';

const { server, open } = useConsole();

const file = async (name: string, buffer?: Buffer) => ({
  ...{ name, mimeType: 'image/png', buffer: buffer ?? Buffer.from(await png(400, 300)) },
});
const library = async () =>
  (await server().ask('GET admin:/media', { as: 'editor', query: { orderby: 'title' } })).body;

describe('the library of pictures', () => {
  it('takes files, says which ones it does not take, and has them described one after another', async () => {
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
        await page.getByRole('alert').filter({ hasText: 'text.png' }).waitFor();
        await page.getByRole('row', { name: 'hall' }).waitFor();
        await expectAccessible(page);
        await page.getByRole('button', { name: 'Describe 2 pictures' }).click();
        const dialog = page.getByRole('dialog');
        for (const [left, text] of [
          ['2 left', 'A quay'],
          ['1 left', 'A hall'],
        ] as const) {
          await dialog.getByText(left).waitFor();
          await page.keyboard.type(text);
          await page.keyboard.press('Enter');
        }
        await dialog.getByText('All pictures have a description.').waitFor();
      },
      { viewport: DESKTOP },
    );
    expect((await library()).media).toMatchObject([
      { title: 'hall', alt: 'A hall' },
      { title: 'quay', alt: 'A quay' },
    ]);
  });

  it('by keyboard alone moves the focus point, renames, says where a picture is shown, and deletes it', async () => {
    const [{ id }] = (await library()).media;
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
        await panel.page().getByRole('button', { name: 'Delete' }).focus();
        await page.keyboard.press('Enter');
        const question = page.getByRole('alertdialog');
        await question.getByText('1 of them is shown somewhere and will be missing there.').waitFor();
        expect((await library()).media[1]).toMatchObject({ title: 'The hall', focus: { x: 47, y: 50 } });
        await question.getByRole('button', { name: 'Delete 1 picture' }).focus();
        await page.keyboard.press('Enter');
        await page.getByText('1 picture is deleted.').waitFor();
      },
      { viewport: PHONE, colorScheme: 'dark' },
    );
    expect((await library()).total).toBe(1);
  });
});
