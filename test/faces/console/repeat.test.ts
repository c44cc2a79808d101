import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { runJobs } from '../../jobs.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, focusByTab, useConsole } from './console.ts';

const { server, open } = useConsole();

const listed = async (search: string) =>
  (
    await server().ask('GET /events', {
      as: 'editor',
      query: { search, status: 'any', end_date: '2999-12-31', per_page: 100 },
    })
  ).body.events as { id: number; start_date: string; status: string; ticketed: unknown }[];

const repeat = (page: Page) => page.getByLabel('Repeat', { exact: true });
const date = (page: Page, name: string | RegExp) =>
  page.getByRole('table', { name: 'Dates' }).getByRole('button', { name });

/** Keys of a quick typist: 20 a second. */
const TYPING = { delay: 50 };

/** Runs in the page. A page sees no click on an entry of a native list, only its effect. */
const COUNT_CLICKS = `
  globalThis.clicks = 0;
  addEventListener('pointerdown', ({ isTrusted }) => { if (isTrusted) clicks += 1; }, true);
  addEventListener('change', ({ target }) => { if (target.matches('select')) clicks += 1; }, true);
`;

describe('a new event that repeats', () => {
  /** Expects twenty published weekly events with tickets. */
  const expectClasses = async (title: string) => {
    await runJobs(server().context);
    const events = await listed(title);
    expect(events).toHaveLength(20);
    for (const event of events) expect(event).toMatchObject({ status: 'publish', ticketed: ['tc'] });
    expect(new Set(events.map(({ start_date }) => start_date.slice(11)))).toEqual(new Set(['19:00:00']));
  };

  it.each([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ] as const)('is made as twenty weekly classes with tickets in at most 12 clicks, on a %s', async (name, viewport) => {
    let clicks = 0;
    const body = async (page: Page) => {
      const fill = async (field: Locator, text: string) => {
        await field.click();
        await page.keyboard.press('ControlOrMeta+a');
        await field.pressSequentially(text, TYPING);
      };
      const create = page.getByRole('button', { name: 'New event' });
      await create.waitFor();
      await page.evaluate(COUNT_CLICKS);
      await create.click();
      // The title has the focus.
      await page.locator('input:focus').waitFor();
      await page.keyboard.type(`Pottery on a ${name}`, TYPING);
      // A click on the first part of the date, then all parts in the order of the language.
      await page.getByLabel('Day').click({ position: { x: 16, y: 16 } });
      await page.keyboard.type('03062027', TYPING);
      await repeat(page).click();
      await repeat(page).selectOption('Every week');
      await fill(page.getByLabel('Number of events'), '20');
      await page.getByText('20 dates, from Sat, Mar 6, 2027 to Sat, Jul 17, 2027.').waitFor();
      await page.getByText('Tickets with a price').click();
      await fill(page.getByLabel('Price in $'), '12.50');
      await fill(page.getByLabel('Places'), '8');
      await page.getByRole('button', { name: 'Publish event' }).click();
      await page.getByRole('heading', { name: 'The event is published.' }).waitFor();
      clicks = await page.evaluate<number>('clicks');
    };
    await open('editor', '/events', body, { viewport });
    expect(clicks).toBeGreaterThan(0);
    expect(clicks).toBeLessThanOrEqual(12);
    await expectClasses(`Pottery on a ${name}`);
  });

  it('is made as twenty weekly classes with tickets by keyboard alone', async () => {
    await open('editor', '/events', async (page) => {
      const type = async (field: Locator, text: string) => {
        await focusByTab(page, field);
        await page.keyboard.type(text, TYPING);
      };
      const create = page.getByRole('button', { name: 'New event' });
      await create.waitFor();
      await focusByTab(page, create);
      await page.keyboard.press('Enter');
      await page.locator('input:focus').waitFor();
      await page.keyboard.type('Weaving', TYPING);
      await type(page.getByLabel('Day'), '03062027');
      await type(repeat(page), 'Every w');
      // Tab selects the number that is there.
      await type(page.getByLabel('Number of events'), '20');
      await page.getByText('20 dates, from Sat, Mar 6, 2027 to Sat, Jul 17, 2027.').waitFor();
      await focusByTab(page, page.getByRole('radio', { name: 'Free', exact: true }));
      // The last of three.
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await type(page.getByLabel('Price in $'), '12.50');
      await type(page.getByLabel('Places'), '8');
      await focusByTab(page, page.getByRole('button', { name: 'Publish event' }));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'The event is published.' }).waitFor();
    });
    await expectClasses('Weaving');
  });

  it('is made by keyboard alone, with days of the week, a date left out and another added', async () => {
    await open('editor', '/events/new?day=2027-03-06', async (page) => {
      await page.getByLabel('Title').fill('Choir');
      await focusByTab(page, repeat(page));
      await page.keyboard.type('Every w');
      await focusByTab(page, page.getByRole('button', { name: 'Thursday', exact: true }));
      await page.keyboard.press('Space');
      await focusByTab(page, page.getByLabel('Number of events'));
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('4');
      await page.getByText('4 dates, from Sat, Mar 6, 2027 to Thu, Mar 18, 2027.').waitFor();
      await focusByTab(page, date(page, 'Saturday, March 6, 2027'));
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await date(page, 'Saturday, March 13, 2027, left out').waitFor();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Space');
      await page.getByText('4 dates').waitFor();
      await expect.poll(() => date(page, 'Sunday, March 14, 2027').getAttribute('aria-pressed')).toBe('true');
      await focusByTab(page, page.getByRole('button', { name: 'Save draft' }));
      await page.keyboard.press('Enter');
      await page.getByText('The draft is saved.').waitFor();
    });
    await runJobs(server().context);
    const events = await listed('Choir');
    expect(events.map(({ start_date }) => start_date.slice(0, 10)).sort()).toEqual([
      '2027-03-06',
      '2027-03-11',
      '2027-03-14',
      '2027-03-18',
    ]);
  });

  it.each([
    ['desktop', DESKTOP, 'light'],
    ['phone', PHONE, 'dark'],
  ] as const)('shows clashes at the venue before it is saved, on a %s', async (name, viewport, colorScheme) => {
    const { id: venue } = await server().make('POST /venues', { venue: `Studio for a ${name}` });
    // A single venue would be chosen from the start.
    await server().make('POST /venues', { venue: 'Harbour Hall' });
    const at = { start_date: '2027-03-13 20:00', end_date: '2027-03-13 22:00', status: 'publish', venue };
    await server().make('POST /events', { title: `Ball on a ${name}`, ...at });
    const body = async (page: Page) => {
      await page.getByRole('combobox', { name: 'Venue', exact: true }).pressSequentially(`Studio for a ${name}`);
      await page.getByRole('option', { name: `Studio for a ${name}`, exact: true }).click();
      await repeat(page).selectOption('Every day');
      await page.getByRole('button', { name: 'Sunday', exact: true }).click();
      await page.getByText(`Ball on a ${name}, Sat, Mar 13, 2027`).waitFor();
      await date(page, 'Saturday, March 13, 2027, another event at the venue').waitFor();
      await expect.poll(() => date(page, 'Sunday, March 14, 2027').getAttribute('aria-pressed')).toBe('false');
      await expectAccessible(page);
      await repeat(page).selectOption('Every month');
      await page.getByLabel('On', { exact: true }).selectOption('The first Saturday');
      await page.getByText('10 dates, from Sat, Mar 6, 2027 to Sat, Dec 4, 2027.').waitFor();
      await page.getByLabel('Ends').selectOption('On a day');
      await page.getByLabel('Last day').fill('2027-01-01');
      await page.getByText('Choose a day after the first event.').waitFor();
      // The dates shown before are no longer those of the form.
      expect(await page.getByText('10 dates').count()).toBe(0);
      await expectAccessible(page);
      await page.getByLabel('Title').fill('Waltz');
      await page.getByRole('button', { name: 'Publish event' }).click();
      const lastDay = page.getByRole('main').locator('input[type=date]:focus[aria-invalid=true]');
      await lastDay.waitFor();
      expect(await page.getByLabel('Last day').evaluate((field) => field.matches(':focus'))).toBe(true);
      expect(await lastDay.getAttribute('aria-describedby')).not.toBeNull();
    };
    await open('editor', '/events/new?day=2027-03-06', body, { viewport, colorScheme });
  });
});

it('makes an existing event the first of a series, by keyboard', async () => {
  const { id } = await server().make('POST /events', {
    title: 'Yoga',
    status: 'publish',
    start_date: '2027-03-06 18:30',
    end_date: '2027-03-06 20:00',
  });
  await open('editor', `/events/${id}`, async (page) => {
    await focusByTab(page, page.getByRole('button', { name: 'Repeat', exact: true }));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Repeat “Yoga”' });
    await dialog.getByText('10 dates, from Sat, Mar 6, 2027 to Sat, May 8, 2027.').waitFor();
    await expectAccessible(page);
    await focusByTab(page, dialog.getByLabel('Every', { exact: true }));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('2');
    await dialog.getByText('10 dates, from Sat, Mar 6, 2027 to Sat, Jul 10, 2027.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('The others are being created.').waitFor();
    await page.getByText('Event 1 of').waitFor();
    expect(await page.getByRole('button', { name: 'Repeat', exact: true }).count()).toBe(0);
  });
  await runJobs(server().context);
  expect(await listed('Yoga')).toHaveLength(10);
});
