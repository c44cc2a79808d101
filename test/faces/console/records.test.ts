import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { keyboardOf, MOUSE, tick, untilKept, useConsole } from './console.ts';

const { server, open } = useConsole();

let id = 0;
beforeEach(async () => {
  const dates = { start_date: '2027-03-06 18:30', end_date: '2027-03-06 21:00' };
  id = (await server().make('POST /events', { title: 'Lantern Night', cost: '$5', status: 'publish', ...dates })).id;
});

const title = (page: Page) => page.getByLabel('Title');
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const stored = async () => (await server().ask(`GET /events/${id}`, { as: 'editor' })).body;

describe('the form of a record', () => {
  it('sends only changed fields, and takes over the changes of another user meanwhile', async () => {
    await open('editor', `/events/${id}`, async (page) => {
      await title(page).fill('Lantern Night II');
      await server().make(`PATCH /events/${id}`, { website: 'https://lanterns.example/' });
      await page.getByText('1 unsaved change.').waitFor();
      await page.keyboard.press('Control+s');
      await page.getByText('One other field was changed elsewhere.').waitFor();
      expect(await page.getByLabel('Website').inputValue()).toBe('https://lanterns.example/');
    });
    expect(await stored()).toMatchObject({ title: 'Lantern Night II', website: 'https://lanterns.example/' });
  });

  it.each([
    ['Theirs', 'by keyboard only', 'Their night'],
    ['Yours', 'by mouse', 'My night'],
  ])('asks which title stays when two people changed it: %s, chosen %s', async (choice, means, result) => {
    await open('editor', `/events/${id}`, async (page) => {
      const hand = means === 'by mouse' ? MOUSE : keyboardOf(page);
      await hand.write(title(page), 'My night');
      const website = 'https://lanterns.example/';
      await server().make(`PATCH /events/${id}`, { title: 'Their night', website });
      await hand.press(page.getByRole('button', { name: 'Save', exact: true }));
      const dialog = page.getByRole('alertdialog');
      await hand.check(dialog.getByRole('radio', { name: choice, exact: false }));
      await hand.press(dialog.getByRole('button', { name: 'Save with these choices' }));
      await dialog.waitFor({ state: 'detached' });
      expect(await page.getByLabel('Website').inputValue()).toBe(website);
      await page.getByText('unsaved').waitFor({ state: 'detached' });
    });
    expect((await stored()).title).toBe(result);
  });

  it('shows an error of the server at its field, and moves the focus there', async () => {
    await open('editor', `/events/${id}`, async (page) => {
      await page.getByLabel('Until').fill('2027-03-05T21:00');
      await save(page);
      const until = page.getByLabel('Until');
      await page.locator('[aria-invalid=true]').waitFor();
      expect(await until.getAttribute('aria-invalid')).toBe('true');
      expect(await until.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    });
  });

  it('restores the input after the tab was closed without a network, by keyboard only', async () => {
    await open('editor', `/events/${id}`, async (page) => {
      await keyboardOf(page).write(title(page), 'Typed in a tunnel');
      await page.getByText('1 unsaved change.').waitFor();
      await page.context().setOffline(true);
      await page.getByText('No network.').waitFor();
      await untilKept(page);
      await page.close();
      const next = await page.context().newPage();
      await next.context().setOffline(false);
      await next.goto(`/console/events/${id}`);
      await next.getByText('Your unsaved changes are back.').waitFor();
      expect(await title(next).inputValue()).toBe('Typed in a tunnel');
      await keyboardOf(next).press(next.getByRole('button', { name: 'Discard' }));
      expect(await title(next).inputValue()).toBe('Lantern Night');
    });
    expect((await stored()).title).toBe('Lantern Night');
  });

  it('says that the browser cannot store changes, and asks before the page is left', async () => {
    await open('editor', '/account', async (first) => {
      const page = await first.context().newPage();
      await page.addInitScript(
        "IDBFactory.prototype.open = () => { throw new DOMException('', 'QuotaExceededError'); }",
      );
      await page.goto(`/console/events/${id}`);
      await title(page).click();
      await page.keyboard.type('X');
      await page.getByText('This browser cannot store unsaved changes.', { exact: false }).waitFor();
      const asked = page.waitForEvent('dialog');
      await page.close({ runBeforeUnload: true });
      const question = await asked;
      expect(question.type()).toBe('beforeunload');
      await question.accept();
    });
  });

  it('of a draft saves itself', async () => {
    await server().make(`PATCH /events/${id}`, { status: 'draft' });
    await open('editor', `/events/${id}`, async (page) => {
      const written = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await title(page).fill('Lantern Nights');
      await written;
      await page.getByRole('region', { name: 'Status' }).getByText('Saving').waitFor({ state: 'detached' });
    });
    expect((await stored()).title).toBe('Lantern Nights');
  });
});

describe('a list', () => {
  it('moves selected events to the trash, and brings them back', async () => {
    await open('editor', '/events', async (page) => {
      await tick(page.getByRole('row', { name: 'Lantern Night' }).first().getByRole('checkbox'));
      await page.getByRole('button', { name: 'Move to the trash' }).click();
      await page.getByText('One event is in the trash.').waitFor();
      const undo = page.getByRole('button', { name: 'Undo' });
      await page.getByRole('button', { name: 'Trash' }).click();
      const trashed = page.getByRole('row', { name: 'Lantern Night' });
      // The rows of the list before stay until those of the trash are there.
      await expect.poll(() => trashed.count()).toBe(1);
      await tick(trashed.getByRole('checkbox'));
      // Records in the trash cannot be copied.
      const acts = page.getByRole('region', { name: 'Selection' }).locator('.bulk-acts').getByRole('button');
      await expect.poll(() => acts.allInnerTexts()).toEqual(['Publish', 'Restore as draft']);
      await undo.click();
      await page.getByText('Undone.').waitFor();
    });
    expect((await server().ask('GET /events', { as: 'editor', query: { status: 'trash' } })).body.total).toBe(0);
  });
});
