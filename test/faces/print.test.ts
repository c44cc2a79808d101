import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { newRecordIds } from '../../src/db/record-ids.ts';
import { daysBetween } from '../../src/lib/dates/month.ts';
import { addProgramme, SLUGS } from './programme.ts';
import { buy, makeShow, sell } from './sale.ts';
import { useSite } from './site.ts';

const { server, withPage } = useSite();

/** Stores an event again, so many times on each of some days. */
async function fill(days: readonly string[], perDay: number): Promise<void> {
  const { db } = server().context;
  const { id: _id, ...row } = await db.query
    .selectFrom('events')
    .selectAll()
    .where('slug', '=', SLUGS.plain)
    .executeTakeFirstOrThrow();
  for (const day of days) {
    const ids = await newRecordIds(db, ['event', ...Array.from({ length: perDay - 1 }, () => 'event' as const)]);
    const at = (time: string) => `${day} ${time}`;
    const times = { start_date: at('18:30:00'), end_date: at('21:00:00'), utc_start_date: at('22:30:00') };
    const title = 'An evening with a title of more than two lines in a month';
    const values = ids.map((id) => ({
      ...row,
      ...times,
      utc_end_date: at('23:00:00'),
      title,
      id,
      slug: `again-${id}`,
    }));
    await db.query.insertInto('events').values(values).execute();
  }
}

beforeAll(async () => {
  await addProgramme(server());
  // The days of May are in six weeks.
  await fill(daysBetween('2027-05-01', '2027-05-31'), 6);
  await fill(['2027-06-05', '2027-06-12', '2027-06-19', '2027-06-26'], 9);
  await fill(['2027-07-03', '2027-07-10', '2027-07-17', '2027-07-24'], 30);
  await server().make('PATCH admin:/site', { colors: { accent: '#0b5563', accent_dark: '#8fd3e0' } });
});

/** Number of pages and size of the first one, in points. */
async function printed(page: Page): Promise<{ pages: number; width: number; height: number }> {
  const text = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  const [, width = 0, height = 0] = /MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/.exec(text)?.map(Number) ?? [];
  return { pages: text.match(/\/Type\s*\/Page\b/g)?.length ?? 0, width, height };
}

const shownIn = (page: Page, selector: string) =>
  page.evaluate<number>(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((one) => one.checkVisibility()).length`,
  );

/** Visible texts that are light, or have a dark background. */
const PALE = `[...document.querySelectorAll('main *')].flatMap((one) => {
  const hasText = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  if (!hasText || !one.checkVisibility()) return [];
  const { color, backgroundColor } = getComputedStyle(one);
  const [text, ground] = [color, backgroundColor].map((value) => value.match(/[\\d.]+/g).map(Number));
  const sum = ([red, green, blue]) => red + green + blue;
  return sum(text) > 380 || (ground[3] !== 0 && sum(ground) < 600) ? [one.textContent.trim()] : [];
})`;

/** Number of events of a day that are in front of the one above them. */
const OVERLAPS = `[...document.querySelectorAll('.month-day')].flatMap((day) => {
  const boxes = [...day.querySelectorAll('.bar')].filter((bar) => bar.checkVisibility()).map((bar) => bar.getBoundingClientRect());
  return boxes.filter((box, index) => index > 0 && box.top < boxes[index - 1].bottom - 1);
}).length`;

describe('on paper', () => {
  it.each(['/events/month/2027-05/', '/de/events/month/2026-12/', '/events/week/2026-12-07/'])(
    'a calendar is one sheet of A4, landscape: %s',
    async (path) => {
      await withPage({ viewport: { width: 1280, height: 900 } }, async (page) => {
        await page.goto(path);
        const { pages, width, height } = await printed(page);
        expect([pages, Math.round(width), Math.round(height)]).toEqual([1, 842, 595]);
        await page.emulateMedia({ media: 'print' });
        expect(await shownIn(page, 'form, .view-bar, .period, nav')).toBe(0);
      });
    },
  );

  it.each([
    { month: '2027-06', pages: 1, events: 36 },
    { month: '2027-07', pages: 4, events: 120 },
  ])(
    'a month has all events of a day, on more sheets if one is too small: $month',
    async ({ month, pages, events }) => {
      await withPage({ viewport: { width: 1280, height: 900 } }, async (page) => {
        await page.goto(`/events/month/${month}/`);
        expect((await printed(page)).pages).toBe(pages);
        await page.emulateMedia({ media: 'print' });
        expect([await shownIn(page, '.month .p-name'), await shownIn(page, '.more')]).toEqual([events, 0]);
        expect(await page.evaluate<number>(OVERLAPS)).toBe(0);
      });
    },
  );

  it('an event has the site, its date and place, and no forms', async () => {
    await withPage({ viewport: { width: 1280, height: 900 } }, async (page) => {
      await page.goto(`/event/${SLUGS.plain}/`);
      expect((await printed(page)).pages).toBe(1);
      await page.emulateMedia({ media: 'print' });
      expect(await shownIn(page, 'input, button, select, nav, .button, summary')).toBe(0);
      for (const selector of ['.sign-name', 'h1', '.event-when', '.event-place', '.ticket-price'])
        expect([selector, await shownIn(page, selector)]).toEqual([selector, 1]);
    });
  });

  it.each(['month/2026-12/', 'week/2026-12-07/', '', SLUGS.plain, SLUGS.cancelled])(
    'is black on white, whatever the colours of site and device: %s',
    async (where) => {
      await withPage({ viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }, async (page) => {
        await page.goto(where.includes('/') || where === '' ? `/events/${where}` : `/event/${where}/`);
        expect(await page.evaluate<string[]>(PALE)).not.toEqual([]);
        await page.emulateMedia({ media: 'print' });
        expect(await page.evaluate<string[]>(PALE)).toEqual([]);
      });
    },
  );

  it('an order has the site, date, place and codes, and no forms', async () => {
    // Terms would have to be accepted.
    await server().make('PATCH admin:/site', { terms: '' });
    const show = await makeShow(server());
    const ticket = await sell(server(), show, '0', 20);
    await withPage({ viewport: { width: 1280, height: 900 } }, async (page) => {
      await buy(page, show.path, [ticket, 2]);
      await page.emulateMedia({ media: 'print' });
      expect(await shownIn(page, 'input, button, select, nav, .button, summary')).toBe(0);
      expect([await shownIn(page, '.sign-name'), await shownIn(page, '.ticket-held .code')]).toEqual([1, 2]);
      expect(await page.locator('.ticket-held').first().innerText()).toMatch(
        /6 December, 18:30–21:00 EST\s+Harbour Hall/,
      );
    });
  });
});
