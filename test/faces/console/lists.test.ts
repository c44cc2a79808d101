import { strFromU8, unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeTicket } from '../../tickets.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, tick, useConsole } from './console.ts';

const { server, open } = useConsole({ languages: ['en', 'fr'] });

/** More than a page has. */
const DRAFTS = 28;

let jazz = 0;
beforeAll(async () => {
  jazz = (await server().make('POST /categories', { name: 'Jazz' })).id;
  for (let number = 1; number <= DRAFTS; number += 1) {
    const day = `2027-03-${String(number).padStart(2, '0')}`;
    await server().make('POST /events', {
      title: `Night ${number}`,
      status: 'draft',
      start_date: `${day} 18:00`,
      end_date: `${day} 20:00`,
    });
  }
});

const stored = async (query: Record<string, string | number>) =>
  (await server().ask('GET /events', { as: 'editor', query: { end_date: '2999-12-31', per_page: 100, ...query } })).body
    .events;

const box = (page: Page, name: RegExp) => page.getByRole('row', { name }).getByRole('checkbox');

describe('the list of events', () => {
  it('publishes all that the filters find, undoes that, and retries records that another user edited meanwhile', async () => {
    const flow = async (page: Page) => {
      await tick(page.getByRole('checkbox', { name: 'Select this page' }));
      await page.getByText('25 selected').waitFor();
      await page.getByRole('button', { name: `Select all ${DRAFTS}` }).click();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Publish' }).click();
      await page.getByText(`${DRAFTS} events are published.`).waitFor();
      expect((await stored({ status: 'publish' })).length).toBe(DRAFTS);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone.').waitFor();
      expect((await stored({ status: 'draft' })).length).toBe(DRAFTS);

      // A range by the Shift key; the second of them is edited by another user.
      await tick(box(page, /Night 1\b/));
      await box(page, /Night 3\b/).click({ force: true, modifiers: ['Shift'] });
      await page.getByText('3 selected').waitFor();
      const [edited] = await stored({ search: 'Night 2', status: 'draft', ends_before: '2027-03-03' });
      await server().make(`PATCH /events/${edited.id}`, { title: 'Night 2, moved', tags: ['late'] });
      await page.getByRole('button', { name: 'Category' }).click();
      await page.getByRole('menuitem', { name: /Jazz/ }).click();
      await page.getByRole('button', { name: 'Add category' }).click();
      await page.getByText('2 of 3 done.').waitFor();
      await page.getByRole('button', { name: 'Try that one again' }).click();
      await page.getByText('One event has other categories.').waitFor();
      const sorted = await stored({ status: 'draft', categories: jazz });
      expect(sorted.map(({ title }: { title: string }) => title)).toEqual(['Night 1', 'Night 2, moved', 'Night 3']);
    };
    await open('editor', '/events?view=drafts', flow, { viewport: DESKTOP });
  });

  it('leaves events of others alone, and says so beforehand', async () => {
    const on = (day: string) => ({ start_date: `${day} 18:00`, end_date: `${day} 20:00`, status: 'publish' });
    await server().make('POST /events', { ...on('2027-05-02'), title: 'Their fair' });
    await server().make('POST /events', { ...on('2027-05-03'), title: 'Own fair' }, 'author');
    await open('author', '/events?search=fair', async (page) => {
      const row = (name: string) => page.getByRole('row', { name }).getByRole('checkbox');
      await row('Their fair').click({ force: true });
      await page.getByText('1 of them may not be changed by your account', { exact: false }).waitFor();
      expect(await page.getByRole('button', { name: 'Move to the trash' }).count()).toBe(0);
      await row('Own fair').click({ force: true });
      await page.getByRole('button', { name: 'Move to the trash' }).click();
      await page.getByText('One event is in the trash.').waitFor();
      await row('Their fair').waitFor({ state: 'attached' });
    });
    expect((await stored({ status: 'publish', search: 'fair' })).map(({ title }: { title: string }) => title)).toEqual([
      'Their fair',
    ]);
  });

  it('is filtered by category, author and missing language, which are in the address', async () => {
    const author = server().userId('author');
    await server().make('POST /events', {
      ...{ title: 'Own evening', author, status: 'publish', categories: [jazz] },
      ...{ start_date: '2027-05-01 18:00', end_date: '2027-05-01 20:00' },
    });
    await open('editor', '/events', async (page) => {
      await page.getByText('More filters').click();
      await page.getByRole('button', { name: 'Category: Any category' }).click();
      await page.getByRole('menuitem', { name: /Jazz/ }).click();
      await page.getByLabel('Author').selectOption(String(author));
      await page.getByLabel('Missing language').selectOption('fr');
      await page.waitForURL(`**/events?category=${jazz}&author=${author}&missing=fr`);
      await page.getByRole('row', { name: 'Own evening' }).waitFor();
      await page.reload();
      await page.getByRole('row', { name: 'Own evening' }).waitFor();
      expect(await page.getByRole('rowheader').count()).toBe(1);
      await page.getByLabel('Missing language').selectOption('en');
      await page.getByText('No event matches.').waitFor();
    });
  });

  it('has keys for its rows, on a phone', async () => {
    const flow = async (page: Page) => {
      await page.getByRole('row', { name: /Night 5\b/ }).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      expect(await focused(page)).toMatch(/^Night 2/);
      await page.keyboard.press('x');
      await page.getByText('1 selected').waitFor();
      await expectAccessible(page);
      await page.setViewportSize(PHONE);
      await page.keyboard.press('Escape');
      await page.getByText('1 selected').waitFor({ state: 'detached' });
      await page.keyboard.press('j');
      await page.keyboard.press('#');
      await page.getByText('One event is in the trash.').waitFor();
      await page.getByRole('row', { name: /Night 3\b/ }).waitFor({ state: 'detached' });
      await expect.poll(() => focused(page)).toMatch(/^Night 4/);
      await page.getByRole('button', { name: 'Undo' }).press('Enter');
      await page.getByRole('row', { name: /Night 3\b/ }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('jxe# Night 7');
      expect(await page.getByRole('searchbox').inputValue()).toBe('jxe# Night 7');
      await page.keyboard.press('Escape');
      await page.keyboard.type('Night 7');
      await page.getByRole('row', { name: /Night 5\b/ }).waitFor({ state: 'detached' });
      await page.getByRole('row', { name: /Night 7\b/ }).focus();
      await page.keyboard.press('e');
      await page.getByRole('heading', { name: 'Night 7', level: 1 }).waitFor();
    };
    await open('editor', '/events?view=drafts', flow, { viewport: PHONE, colorScheme: 'dark' });
  });
});

/** The text of what has the focus. */
const focused = (page: Page) => page.evaluate<string>('document.activeElement.innerText');

async function openPalette(page: Page, typed: string) {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('searchbox', { name: 'Find anything' }).fill(typed);
}

describe('the palette', () => {
  it('finds people and events in groups, with the arrow keys, and runs commands', async () => {
    const [{ id }] = await stored({ search: 'Own evening' });
    const ticket = await makeTicket(server(), id, {
      name: 'Adults',
      price: '20',
      ticket: { mode: 'own', capacity: 5 },
    });
    await server().make('POST tickets:/attendees', {
      ticket_id: ticket.id,
      full_name: 'Ada Evening',
      email: 'ada@example.com',
    });
    const lastYear = { start_date: '2025-03-06 18:00', end_date: '2025-03-06 20:00' };
    await server().make('POST /events', { title: 'Evening of last year', status: 'publish', ...lastYear });
    await open('editor', '/', async (page) => {
      const late = Promise.withResolvers<void>();
      await page.route(/\/events\/v1\/events\?/, async (route) => {
        await late.promise;
        await route.continue();
      });
      await openPalette(page, '');
      await page.keyboard.type('evening');
      await page
        .getByRole('group', { name: 'People' })
        .getByRole('menuitem', { name: /Ada Evening/ })
        .waitFor();
      const marked = await markByArrowDown(page, 'Ada Evening');
      late.resolve();
      const events = page.getByRole('group', { name: 'Events' });
      await events.waitFor();
      const titles = await events.getByRole('menuitem').allInnerTexts();
      expect(titles.findIndex((title) => title.includes('last year'))).toBe(titles.length - 1);
      expect(titles.length).toBeGreaterThan(1);
      await expectAccessible(page);
      // Late rows are below the earlier ones, and the mark is where it was.
      expect(await page.getByRole('group').last().textContent()).toMatch(/^(Events|Orders)/);
      expect(await marked.textContent()).toContain('Ada Evening');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Ada Evening' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await openPalette(page, 'shortcuts');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Next row').waitFor();
    });
  });

  it('requests only records that the account may read', async () => {
    await open('contributor', '/', async (page) => {
      const asked: string[] = [];
      page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
      await openPalette(page, 'evening');
      await page.getByRole('menuitem', { name: /Own evening/ }).waitFor();
      expect(asked.filter((path) => /\/(attendees|orders)$/.test(path))).toEqual([]);
    });
  });
});

/** Moves the mark down to an entry, each step from where it was seen; returns the marked entry. */
async function markByArrowDown(page: Page, name: string) {
  const marked = page.locator('[role=menuitem][data-focused]');
  for (;;) {
    const before = (await marked.allTextContents()).join();
    if (before.includes(name)) return marked;
    await page.keyboard.press('ArrowDown');
    await expect.poll(async () => (await marked.allTextContents()).join()).not.toBe(before);
  }
}

/** The bytes of a file that the browser keeps after an action. */
async function savedBy(page: Page, act: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), act()]);
  const parts: Buffer[] = [];
  for await (const part of await file.createReadStream()) parts.push(part as Buffer);
  return { name: file.suggestedFilename(), bytes: Buffer.concat(parts) };
}

async function exportAs(page: Page, kind: string) {
  await page.getByRole('button', { name: 'Export' }).click();
  return savedBy(page, () => page.getByRole('menuitem', { name: kind }).click());
}

it('exports the filtered list in its language, as files that no spreadsheet computes', async () => {
  const gala = { title: '=1+1 gala', start_date: '2027-08-01 18:00', end_date: '2027-08-01 20:00' };
  const { id } = await server().make('POST /events', gala);
  await server().make(`PATCH /events/${id}`, { i18n_language: 'fr', title: '=1+1 gala du soir' });
  const flow = async (page: Page) => {
    await page.getByRole('button', { name: 'Language of the content' }).click();
    await page.getByRole('menuitemradio', { name: 'French' }).click();
    // The list is read in that language at once.
    await page.getByRole('row', { name: '=1+1 gala du soir' }).waitFor();
    const csv = (await exportAs(page, 'Text file (CSV)')).bytes.toString();
    const [heading, ...rows] = csv.trimEnd().split('\r\n');
    expect(heading).toMatch(/^\ufeffIdentifiant,Titre,/);
    expect(rows.map((row) => row.split(',').slice(0, 2))).toEqual([[`${id}`, "'=1+1 gala du soir"]]);
    const sheet = await exportAs(page, 'Spreadsheet (XLSX)');
    expect(sheet.name).toBe('Events.xlsx');
    const files = unzipSync(sheet.bytes);
    const textOf = (path: string) => strFromU8(files[path] ?? new Uint8Array());
    const cells = textOf('xl/worksheets/sheet1.xml');
    expect(cells.match(/<row /g)?.length).toBe(2);
    expect(cells).not.toContain('<f>');
    expect(cells + textOf('xl/sharedStrings.xml')).toContain('=1+1 gala du soir');
  };
  await open('editor', '/events?search=gala', flow);
});

it('shows the week of an event', async () => {
  const flow = async (page: Page) => {
    await page.getByRole('button', { name: 'Week' }).click();
    await page.getByRole('heading', { name: 'April 26 – May 2, 2027' }).waitFor();
    await page.getByRole('button', { name: /6:00.*8:00 PM.*Own evening/ }).waitFor();
    await expectAccessible(page);
  };
  await open('editor', '/calendar?month=2027-05', flow, { viewport: DESKTOP, colorScheme: 'dark' });
});
