import { beforeAll, describe, expect, it } from 'vitest';
import { makeTicket } from '../tickets.ts';
import { useSite } from './site.ts';

// The server's clock is at noon of Saturday 21 November 2026 in New York.
const { server, withPage } = useSite();

const COMPOUND = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

beforeAll(async () => {
  const { make } = server();
  const music = await make('POST /categories', { name: 'Music', color: '#c8553d' });
  const jazz = await make('POST /categories', { name: 'Jazz', parent: music.id });
  const film = await make('POST /categories', { name: 'Film', color: '#4a7fb5' });
  const add = (title: string, start: string, end: string, more: object = {}) =>
    make('POST /events', { title, start_date: start, end_date: end, ...more });
  const evening = (title: string, day: string, more: object = {}) => add(title, `${day} 18:30`, `${day} 21:00`, more);
  await add('Exhibition', '2026-11-10 10:00', '2026-12-20 18:00');
  await evening('Over', '2026-11-03');
  await evening(COMPOUND, '2026-12-02', { categories: [jazz.id], venue: { venue: 'Harbour Hall' } });
  await evening('Film night', '2026-12-04', { categories: [film.id] });
  await evening('Cancelled night', '2026-12-08', { event_status: 'cancelled' });
  await evening('Postponed night', '2026-12-09', { event_status: 'postponed' });
  const full = await evening('Full night', '2026-12-10');
  await makeTicket(server(), full.id, { ticket: { mode: 'own', capacity: 0 } });
  for (const number of [1, 2, 3, 4, 5, 6]) await evening(`Stand ${number}`, '2026-12-12');
  await add('Paris', '2026-12-29 18:00', '2026-12-29 20:00', { timezone: 'Europe/Paris' });
  await add('Auckland', '2026-12-30 10:00', '2026-12-30 11:00', { timezone: 'Pacific/Auckland' });
  await add('Early walk', '2026-12-15 09:00', '2026-12-15 11:00');
  await add('Late walk', '2026-12-15 10:00', '2026-12-15 12:00');
  await add('Night', '2026-12-16 22:00', '2026-12-17 02:00');
  await evening('In June', '2027-06-01');
});

describe('the month', () => {
  it.each([320, 390, 640, 800, 1280])('fits a window of %i pixels with long words', async (width) => {
    await withPage({ viewport: { width, height: 800 } }, async (page) => {
      for (const path of ['/events/month/2026-12/', '/events/week/2026-11-30/', '/events/']) {
        await page.goto(path);
        expect([path, await page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([path, 0]);
      }
    });
  });

  it('has on a phone dots for days on which an event begins, and all events of a day', async () => {
    await withPage({ viewport: PHONE }, async (page) => {
      await page.goto('/events/month/2026-12/');
      const dots = await page.locator('.small-day a > :last-child').allInnerTexts();
      expect(dots.map(Number)).toEqual([1, 2, 4, 8, 9, 10, 12, 15, 16, 29, 30]);
      expect(await page.locator('#d2026-12-12 .bar:visible').count()).toBe(6);
      expect(await page.locator('#d2026-12-12 .more:visible').count()).toBe(0);
    });
  });

  it('folds past days on a phone, but not ongoing events', async () => {
    await withPage({ viewport: PHONE }, async (page) => {
      await page.goto('/events/month/');
      const titles = () => page.locator('.month .p-name:visible').allInnerTexts();
      expect(await titles()).toEqual(['Exhibition']);
      await page.getByText('Earlier this month').click();
      expect(await titles()).toEqual(['Over', 'Exhibition', 'Exhibition']);
    });
  });

  it('has on a desktop titles of two lines, marks, and colours with a legend', async () => {
    await withPage({ viewport: DESKTOP }, async (page) => {
      await page.goto('/events/month/2026-12/');
      const bar = (title: string) => page.locator('.bar', { has: page.locator('.p-name', { hasText: title }) }).last();
      for (const [title, mark] of [
        ['Full night', 'Sold out'],
        ['Cancelled night', 'Cancelled'],
        ['Postponed night', 'Postponed'],
      ] as const)
        expect(await bar(title).locator('.badge').innerText()).toBe(mark);
      const fillOf = (title: string) => bar(title).locator('.hue rect').getAttribute('fill');
      expect([await fillOf(COMPOUND), await fillOf('Film night')]).toEqual(['#c8553d', '#4a7fb5']);
      expect(await page.locator('.legend li').allInnerTexts()).toEqual(['Film', 'Music']);
      expect(await page.locator('#d2026-12-12 .more:visible').innerText()).toBe('+3 more');
      const title = await bar(COMPOUND).locator('.p-name').boundingBox();
      expect(title?.height).toBeGreaterThan(30);
      expect(await page.locator('.is-outside').allInnerTexts()).toEqual(['30', '1', '2', '3']);
    });
  });

  it('shows a card beside an event that the pointer or the focus is on, until Escape', async () => {
    await withPage({ viewport: DESKTOP }, async (page) => {
      await page.goto('/events/month/2026-12/');
      const bar = page.locator('#d2026-12-02 .bar').last();
      const card = bar.locator('.bar-about');
      expect(await card.isVisible()).toBe(false);
      await bar.hover();
      expect(await card.innerText()).toMatch(/18:30–21:00 · Harbour Hall/);
      await card.hover();
      expect(await card.isVisible()).toBe(true);
      await page.keyboard.press('Escape');
      expect(await card.isVisible()).toBe(false);
      await page.mouse.move(0, 0);
      await bar.locator('a').focus();
      expect(await card.isVisible()).toBe(true);
    });
  });

  it('leads to other months by a menu', async () => {
    await withPage({ viewport: PHONE }, async (page) => {
      await page.goto('/events/month/');
      await page.locator('.period summary').click();
      await page.getByRole('link', { name: 'June 2027' }).click();
      await page.waitForURL('**/events/month/2027-06/');
    });
  });
});

describe('the week', () => {
  it('places events by their hours on a desktop', async () => {
    await withPage({ viewport: DESKTOP }, async (page) => {
      await page.goto('/events/week/2026-12-14/');
      const boxOf = async (title: string) => {
        const box = await page.locator('.times-of-day .bar', { hasText: title }).first().boundingBox();
        if (!box) throw new Error(`${title} is not shown`);
        return box;
      };
      const [early, late, night] = [await boxOf('Early walk'), await boxOf('Late walk'), await boxOf('Night')];
      const hour = late.y - early.y;
      expect(hour).toBe(44);
      expect(Math.round(early.height / hour)).toBe(2);
      expect(late.x).toBeGreaterThanOrEqual(early.x + early.width);
      expect(Math.round((night.y - early.y) / hour)).toBe(13);
      expect(Math.round(night.height / hour)).toBe(2);
      expect(night.x).toBeGreaterThan(late.x);
      const label = await page.locator('.week-hours li', { hasText: '09:00' }).boundingBox();
      expect(Math.abs((label?.y ?? 0) - early.y)).toBeLessThanOrEqual(2);
      const long = await page.locator('.lanes .bar', { hasText: 'Exhibition' }).first().boundingBox();
      expect(long?.width).toBeGreaterThan(1000);
    });
  });

  it('places events of other time zones at the hour of the site, unless that is on another day', async () => {
    await withPage({ viewport: DESKTOP }, async (page) => {
      await page.goto('/events/week/2026-12-28/');
      const topOf = async (text: string, within: string) =>
        (await page.locator(within, { hasText: text }).first().boundingBox())?.y ?? Number.NaN;
      const [noon, paris] = [await topOf('12:00', '.week-hours li'), await topOf('Paris', '.times-of-day .bar')];
      expect(Math.abs(noon - paris)).toBeLessThanOrEqual(2);
      const names = page.locator('.week .bar:visible');
      expect((await names.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim())).toEqual([
        ...['18:00 CET Paris', '10:00 NZDT Auckland'],
      ]);
      const day = page.locator('.week-day', { hasText: 'Auckland' });
      expect(await day.locator('h2').innerText()).toMatch(/Wed\s+30/);
      expect(await day.locator('.lanes').innerText()).toMatch(/Auckland/);
    });
  });

  it('gives a day of simultaneous events the width to read them', async () => {
    await withPage({ viewport: DESKTOP }, async (page) => {
      await page.goto('/events/week/2026-12-07/');
      const stands = await page.locator('.times-of-day .bar:visible', { hasText: 'Stand' }).all();
      const boxes = await Promise.all(stands.map((one) => one.boundingBox()));
      expect(boxes.map((box) => Math.min(58, Math.floor(box?.width ?? 0)))).toEqual([58, 58, 58, 58]);
      const times = await page.locator('.times-of-day .bar-time:visible').all();
      for (const time of times) expect((await time.boundingBox())?.height).toBeLessThan(20);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      const long = await page.locator('.lanes .bar:visible', { hasText: 'Exhibition' }).boundingBox();
      expect(long?.width).toBeGreaterThan(1000);
    });
  });

  it('is a list of days on a phone', async () => {
    await withPage({ viewport: PHONE }, async (page) => {
      await page.goto('/events/week/2026-12-14/');
      expect(await page.locator('.week .p-name:visible').allInnerTexts()).toEqual([
        ...['Exhibition', 'Early walk', 'Late walk', 'Night'],
      ]);
      expect(await page.locator('.week h2:visible').allInnerTexts()).toEqual([
        ...['Monday 14 December', 'Tuesday 15 December', 'Wednesday 16 December'],
      ]);
    });
  });
});
