import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityProblems, houseAudit } from './axe.ts';
import { addProgramme, SLUGS } from './programme.ts';
import { DESKTOP, PHONE, useSite } from './site.ts';

const { server, origin, withPage } = useSite();

beforeAll(async () => {
  await addProgramme(server());
  const event = { title: 'Lantern class', start_date: '2027-01-04 19:00', end_date: '2027-01-04 21:00' };
  await server().make('POST /series', { event, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=12' } });
});

const EVENTS = ['plain', 'cancelled', 'soldOut', 'replies', 'past', 'protected', 'trashed'] as const;
/** Every kind of page that shows events, and the pages around them; the language changes from one to the next. */
const PATHS = [
  ...['/', '/events/', '/events/past/', '/events/month/2026-12/', '/events/week/2026-12-06/'],
  ...['/events/2026-12-12/', '/events/photo/', '/events/places/', '/events/featured/'],
  ...['/events/category/music/', '/tag/evening/', '/venue/harbour-hall/', '/organizer/music-society/'],
  ...['/events/?search=nothing', '/events/?search=jazz&venue=1&start_date=2026-12-01', '/events/2027-06-01/'],
  ...['/events/list/page/9/', '/events/?categories=unknown'],
  ...EVENTS.map((kind) => `/event/${SLUGS[kind]}/`),
  ...[
    '/nope/',
    '/about/',
    '/my-tickets/',
    '/organizers/',
    '/series/lantern-class/',
    '/event/lantern-class/',
    '/embed/events/',
    `/embed/event/${SLUGS.plain}/`,
  ],
];
const LANGUAGES = ['/fr', '', '/de'];
const AT = PATHS.map((path, index) => `${LANGUAGES[index % LANGUAGES.length]}${path}`);

/** An order made on this device. */
const REMEMBERED = `localStorage.setItem('marquee-orders', '[{"path": "/order/1/x/", "title": "Jazz", "gone": true}]')`;
const OPEN_ALL = 'document.querySelectorAll("details").forEach((item) => { item.open = true; })';
const OVERFLOW = 'document.documentElement.scrollWidth - innerWidth';

describe('the pages', () => {
  it.each(AT)('are accessible, legible and fit, narrow and wide, in light and dark colours: %s', async (path) => {
    const complaints = await withPage({ viewport: PHONE, colorScheme: 'light' }, async (page) => {
      const problems: Record<string, readonly string[]> = {};
      const look = async (how: string, check: () => Promise<readonly string[]>) => {
        const isWider = Number(await page.evaluate(OVERFLOW)) > 0;
        problems[how] = [...(await check()), ...(isWider ? ['is wider than its window'] : [])];
      };
      const house = () => page.evaluate<string[]>(houseAudit);
      await page.goto('/assets/icon.svg');
      await page.evaluate(REMEMBERED);
      await page.goto(path);
      // The rules of axe hardly depend on width and colours, and take ten times as long.
      await look('phone, light', () => accessibilityProblems(page));
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize(DESKTOP);
      await page.evaluate(OPEN_ALL);
      await look('desktop, dark', house);
      expect(problems).toEqual({ 'phone, light': [], 'desktop, dark': [] });
    });
    const EXPECTED = /server responded with a status of 4(04|10)/;
    expect(complaints.filter((one) => !EXPECTED.test(one))).toEqual([]);
  });

  it('are audited by checks that can fail', async () => {
    await withPage({ viewport: DESKTOP }, async (page) => {
      await page.goto(`${origin()}/embed/events/`);
      await page.setContent(`<!doctype html><html lang="en"><title>Broken</title><h1>One</h1><h3>Three</h3>
<input><p style="color:#999">pale</p><a href="#gone" style="display:inline-block;width:9px;height:9px"></a></html>`);
      const rules = (await accessibilityProblems(page)).map((problem) => problem.replace(/:.*/s, ''));
      expect([...new Set(rules)]).toEqual([
        ...['heading-order', 'label', 'landmark-one-main', 'link-name', 'region', '#gone leads nowhere'],
        ...[expect.stringContaining('<a href="#gone"'), '"Three" is h3 below h1', 'not exactly one main'],
      ]);
    });
  });
});
