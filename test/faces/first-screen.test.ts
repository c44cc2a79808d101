import { beforeAll, describe, expect, it } from 'vitest';
import { addProgramme, SLUGS } from './programme.ts';
import { useSite } from './site.ts';

const { server, withPage } = useSite();

beforeAll(() => addProgramme(server()));

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

const FIRST_EVENT = '.card, .poster, .place';
const FIRST_ROW = { phone: '.small-day', desktop: '.month-day' } as const;

/** Runs in the page: distance of an element from the top of the page, in pixels. */
const topOf = (selector: string) =>
  `Math.round([...document.querySelectorAll(${JSON.stringify(`main :is(${selector})`)})].find((one) => one.checkVisibility()).getBoundingClientRect().top)`;

const LIST = ['/events/', '/events/photo/', '/events/category/music/', '/organizer/music-society/', '/fr/events/'];

describe('events come first', () => {
  it.each([
    ...LIST.map((path) => [path, PHONE, FIRST_EVENT, 320] as const),
    ['/de/events/', PHONE, FIRST_EVENT, 320],
    ['/events/?search=quay&categories=music', PHONE, FIRST_EVENT, 340],
    ['/venue/harbour-hall/', PHONE, FIRST_EVENT, 400],
    ['/events/month/', PHONE, FIRST_ROW.phone, 260],
    ['/de/events/month/2026-12/', PHONE, FIRST_ROW.phone, 260],
    ...LIST.map((path) => [path, DESKTOP, FIRST_EVENT, 360] as const),
    ['/events/places/', DESKTOP, FIRST_EVENT, 440],
    ['/venue/harbour-hall/', DESKTOP, FIRST_EVENT, 360],
    ['/events/month/', DESKTOP, FIRST_ROW.desktop, 360],
  ] as const)('at %s in a window of %o', async (path, viewport, selector, most) => {
    await withPage({ viewport }, async (page) => {
      await page.goto(path);
      expect(await page.evaluate(topOf(selector))).toBeLessThanOrEqual(most);
    });
  });

  it('on a phone, right below the days of a month', async () => {
    await withPage({ viewport: PHONE }, async (page) => {
      await page.goto('/events/month/2026-12/');
      const gap = `(() => {
  const days = document.querySelector('.small-month').getBoundingClientRect();
  const agenda = [...document.querySelectorAll('.month-day')].find((day) => day.checkVisibility());
  return agenda.getBoundingClientRect().top - days.bottom;
})()`;
      expect(await page.evaluate(gap)).toBeLessThanOrEqual(48);
    });
  });

  it.each([
    ['/events/', 'Upcoming events'],
    ['/events/month/2026-12/', 'December 2026'],
    ['/events/2026-12-12/', 'Saturday 12 December'],
    ['/events/photo/', 'Events in pictures'],
    ['/events/places/', 'Venues'],
    ['/events/?search=quay', 'Search: quay'],
    ['/venue/harbour-hall/', 'Harbour Hall'],
    ['/venue/harbour-hall/month/2026-12/', 'Harbour Hall · December 2026'],
  ])('under a heading that names the view: %s', async (path, heading) => {
    await withPage({ viewport: DESKTOP }, async (page) => {
      await page.goto(path);
      const [part, ...rest] = heading.split(' · ');
      expect(await page.locator('h1').innerText()).toContain(part);
      for (const one of rest) expect(await page.locator('h1').innerText()).toContain(one);
      expect(await page.title()).toContain(rest[0] ?? part);
    });
  });

  it('with a calendar to subscribe to at the top, and menus that close', async () => {
    await withPage({ viewport: PHONE }, async (page) => {
      await page.goto('/events/');
      const menu = page.locator('.view-head details.menu');
      await menu.locator('summary').click();
      expect(await menu.locator('a[href^="webcal:"]').isVisible()).toBe(true);
      await page.keyboard.press('Escape');
      expect(await menu.locator('a[href^="webcal:"]').isVisible()).toBe(false);
      await menu.locator('summary').click();
      await page.locator('h1').click();
      expect(await menu.locator('a[href^="webcal:"]').isVisible()).toBe(false);
    });
  });
});

describe('the first screen of an event', () => {
  const PARTS = ['.event-top > .picture', 'h1', '.event-when', '.event-place', '.event-price', '.way-in .button'];

  it.each([
    ['a phone', PHONE],
    ['a desktop', DESKTOP],
  ])('has picture, title, date, place, price and one button, on %s', async (_name, viewport) => {
    await withPage({ viewport }, async (page) => {
      await page.goto(`/event/${SLUGS.plain}/`);
      for (const part of PARTS) {
        const box = await page.locator(part).boundingBox();
        expect([part, (box?.y ?? Infinity) + (box?.height ?? 0) <= viewport.height]).toEqual([part, true]);
      }
      const [picture, title] = await Promise.all([
        page.locator('.picture').boundingBox(),
        page.locator('h1').boundingBox(),
      ]);
      if (!picture || !title) throw new Error('nothing is shown');
      expect(picture.width / picture.height).toBeCloseTo(800 / 600, 1);
      const isBeside = title.x >= picture.x + picture.width;
      expect(isBeside).toBe(viewport === DESKTOP);
      await page.locator('.way-in .button').click();
      expect(await page.locator('#tickets').boundingBox()).toMatchObject({ y: expect.closeTo(0, -2) });
    });
  });

  it('has no empty half without a picture', async () => {
    await withPage({ viewport: DESKTOP }, async (page) => {
      await page.goto(`/event/${SLUGS.soldOut}/`);
      const [top, title] = await Promise.all([
        page.locator('.event-top').boundingBox(),
        page.locator('.event-lead').boundingBox(),
      ]);
      expect((title?.width ?? 0) / (top?.width ?? 1)).toBeGreaterThan(0.85);
    });
  });
});

describe('the head of a page', () => {
  it('has the name of the site on one line of a phone, beside a cart with places', async () => {
    await server().make('PATCH admin:/site', { name: 'Ville des Marées' });
    await withPage({ viewport: PHONE }, async (page) => {
      await page.goto('/fr/events/');
      const url = new URL(page.url()).origin;
      await page.context().addCookies([{ name: 'marquee-cart-count', value: '12', url }]);
      await page.reload();
      await page.getByText('Panier (12)').waitFor();
      const rows = `new Set([...document.querySelectorAll('.sign .bulbs')].map((word) => Math.round(word.getBoundingClientRect().bottom))).size`;
      expect(await page.evaluate(rows)).toBe(1);
      const room = `document.querySelector('.sign').getBoundingClientRect().bottom - document.querySelector('.sign-words').getBoundingClientRect().bottom`;
      expect(await page.evaluate(room)).toBeGreaterThanOrEqual(8);
    });
    await server().make('PATCH admin:/site', { name: '' });
  });

  it('is reached by the Tab key in the order in which it is seen', async () => {
    await withPage({ viewport: DESKTOP }, async (page) => {
      await page.goto('/events/');
      const names: string[] = [];
      for (let stop = 0; stop < 6; stop += 1) {
        await page.keyboard.press('Tab');
        names.push(await page.evaluate<string>('document.activeElement.textContent.trim()'));
      }
      expect(names.slice(2)).toEqual(['Events', 'Month', 'Venues', 'Cart']);
    });
  });
});
