import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { makeSeat } from '../../attendees.ts';
import { makeEvent } from '../../tickets.ts';
import { DESKTOP } from '../site.ts';
import { expectAccessible, useConsole } from './console.ts';

const { server, open } = useConsole();

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });

describe('the console', () => {
  it('says that the server asks to wait, and saves then', async () => {
    const id = await makeEvent(server(), { status: 'publish' });
    await open('editor', `/events/${id}`, async (page) => {
      let isBusy = true;
      await page.route(`**/events/v1/events/${id}*`, async (route) => {
        if (route.request().method() !== 'PATCH' || !isBusy) return route.fallback();
        isBusy = false;
        const body = { code: 'too-many-requests', message: 'Wait.', data: { status: 429 } };
        return route.fulfill({ status: 429, headers: { 'Retry-After': '5' }, json: body });
      });
      await page.getByLabel('Title').fill('Busy evening');
      await save(page).click();
      await page.getByText('Trying again within').waitFor();
      await page.getByText('Saved.').waitFor();
      expect(await page.getByText('Trying again within').count()).toBe(0);
    });
  });

  it('shows that there is no network at any scroll position', async () => {
    const id = await makeEvent(server());
    await open('editor', `/events/${id}`, async (page) => {
      await page.getByLabel('Title').waitFor();
      await page.evaluate('scrollTo(0, 1200)');
      await page.context().setOffline(true);
      const box = await page.getByText('No network.').boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect(box?.y).toBeLessThan(120);
      await page.context().setOffline(false);
    });
  });

  it.each([
    ['en-US', 'Until', '“Until” must not be before the start.', 'Save'],
    ['fr-FR', 'Au', '« Au » ne doit pas précéder le début.', 'Enregistrer'],
    ['de-DE', 'Bis', '„Bis“ darf nicht vor dem Beginn liegen.', 'Speichern'],
  ])('names refused fields as the screen does, in %s', async (locale, label, message, action) => {
    const id = await makeEvent(server(), { status: 'publish' });
    const visit = async (page: Page) => {
      await page.getByLabel(label, { exact: true }).fill('2020-01-01T10:00');
      await page.getByRole('button', { name: action, exact: true }).click();
      await page.locator('.field-error', { hasText: /start|début|Beginn/ }).waitFor();
      const shown = (await page.locator('.field-error', { hasText: /start|début|Beginn/ }).innerText()).replace(
        /\s/g,
        ' ',
      );
      expect(shown).toContain(message);
    };
    await open('editor', `/events/${id}`, visit, { locale });
  });

  it('shows no figures of the events of others to authors, and no zeros instead', async () => {
    const id = await makeEvent(server(), { title: 'Of the editor', status: 'publish' });
    await open('author', `/reports?event=${id}`, async (page) => {
      await page.getByText('This event is not yours').waitFor();
      expect(await page.locator('.totals').count()).toBe(0);
      await page.goto('/console/reports');
      await page.getByText('None of your own events has figures').waitFor();
      expect(await page.locator('.totals').count()).toBe(0);
      await page.goto('/console/translations?kind=venue');
      await page.getByText('Nothing is missing in your own records.').waitFor();
      await expectAccessible(page);
    });
  });

  it('shows sales of all events to the box office', async () => {
    const id = await makeEvent(server(), { title: 'Sold by others', status: 'publish' });
    const seat = await makeSeat(server(), id, 80, { name: 'Adults', price: '20' });
    const purchaser = { name: 'Mary Keller', email: 'mary@example.com' };
    const sale = { items: [{ ticket_id: seat, quantity: 1 }], payment: 'cash', purchaser };
    await server().make('POST admin:/orders', sale, 'editor');
    await open('box_office', `/reports?event=${id}`, async (page) => {
      await page.locator('.totals').getByText('$20.00').first().waitFor();
      expect(await page.getByText('This event is not yours').count()).toBe(0);
    });
  });
});

it('names the user who changed a record and the time, and leaves the decision for later', async () => {
  const id = await makeEvent(server(), { title: 'Shared', status: 'publish' });
  // The page reads the log when it is opened.
  await server().make(`PATCH /events/${id}`, { title: 'Shared work' }, 'editor');
  await open('editor', `/events/${id}`, async (page) => {
    await page.getByLabel('Title').fill('Title of the editor');
    await server().make(`PATCH /events/${id}`, { title: 'Title of the administrator' });
    await save(page).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText(/^administrator saved this record /).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Title').inputValue()).toBe('Title of the editor');
    expect((await server().ask(`GET /events/${id}`, {})).body.title).toBe('Title of the administrator');
    await page.getByLabel('Title').fill('Second thought');
    await save(page).click();
    await dialog.getByText('Second thought').waitFor();
    await dialog.getByRole('button', { name: 'Save with these choices' }).click();
    await expect.poll(async () => (await server().ask(`GET /events/${id}`, {})).body.title).toBe('Second thought');
  });
});

it('names the boxes of rows, and moves between the cells of a grid', async () => {
  const dates = { start_date: '2027-07-01 18:00', end_date: '2027-07-01 20:00' };
  for (const title of ['Grid one', 'Grid two']) await makeEvent(server(), { title, status: 'publish', ...dates });
  await open('editor', '/events?search=Grid', async (page) => {
    await page.getByRole('checkbox', { name: 'Select Grid one' }).waitFor();
    await page.getByRole('row', { name: /Grid one/ }).focus();
    const focused = () =>
      page.evaluate<string>('document.activeElement.tagName + " " + document.activeElement.innerText');
    await page.keyboard.press('ArrowRight');
    // The cell of the box; Space presses it.
    await page.keyboard.press('Space');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toMatch(/^TH Grid one/);
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toMatch(/^TH Grid two/);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await focused()).toMatch(/^TR/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Grid two', level: 1 }).waitFor();
  });
});

it('leaves low windows to the content', async () => {
  const id = await makeEvent(server(), { status: 'publish' });
  await open(
    'editor',
    `/events/${id}`,
    async (page) => {
      await page.getByLabel('Title').fill('Low');
      await save(page).waitFor();
      expect(
        await page.evaluate(
          `[...document.querySelectorAll('*')].filter((one) => ['sticky', 'fixed'].includes(getComputedStyle(one).position) && one.getBoundingClientRect().height > 0).map((one) => one.className)`,
        ),
      ).not.toEqual(expect.arrayContaining([expect.stringMatching(/top-bar|tabs|unsaved|rich-text-tools|connection/)]));
    },
    { viewport: { width: 320, height: 225 } },
  );
});

it('finds changes by words in the log, and names accounts', async () => {
  await makeEvent(server(), { title: 'Quarry concert', status: 'publish' });
  await makeEvent(server(), { title: 'Other event', status: 'publish' });
  await server().make('POST admin:/users', { username: 'Kim Miller', email: 'kim@example.test', role: 'author' });
  await open('administrator', '/log', async (page) => {
    const rows = page.getByRole('rowheader');
    await rows.filter({ hasText: 'Account · Kim Miller' }).first().waitFor();
    const search = page.getByRole('searchbox', { name: 'Record or account' });
    await search.fill('quarry');
    await expect.poll(() => rows.allInnerTexts()).toEqual(['Event · Quarry concert · created']);
    await search.fill('kim');
    await rows.filter({ hasText: 'Account · Kim Miller' }).first().waitFor();
    await expectAccessible(page);
  });
});

it('shows an event of several days as one bar, and today on phones', async () => {
  await makeEvent(server(), {
    title: 'Long show',
    status: 'publish',
    start_date: '2027-03-02 10:00',
    end_date: '2027-03-27 18:00',
  });
  await open(
    'editor',
    '/calendar?month=2027-03',
    async (page) => {
      const bars = page.locator('.month-bar:visible', { hasText: 'Long show' });
      await bars.first().waitFor();
      expect(await bars.count()).toBeLessThanOrEqual(5);
      const widths = await bars.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
      expect(Math.max(...widths)).toBeGreaterThan(600);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.clock.setFixedTime(new Date('2027-03-10T12:00:00Z'));
      await page.goto('/console/calendar');
      await page.locator('.month-today').waitFor();
      await page.evaluate('scrollTo(0, 0)');
      await page.getByRole('button', { name: 'Today' }).click();
      await expect
        .poll(() => page.locator('.month-today').evaluate((cell) => Math.round(cell.getBoundingClientRect().top)))
        .toBeLessThan(200);
      await expectAccessible(page);
    },
    { viewport: DESKTOP },
  );
});
