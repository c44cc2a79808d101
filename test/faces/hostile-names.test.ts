import { beforeAll, describe, expect, it } from 'vitest';
import { makeTicket } from '../tickets.ts';
import { introduce, makeShow, ORDER_BUTTON, openTicket } from './sale.ts';
import { useSite } from './site.ts';

const { server, withPage } = useSite();

/** Reverses the letters after it, up to the end of the line. */
const REVERSED = 'Evening \u202ehw\u200f';
const MARKUP =
  'Evening </script></title><script>document.title = "ha" + "cked"</script><img src=x onerror=hacked> &lt;/script&gt;';
const LONG = 'W'.repeat(200);
const NAMES = { markup: MARKUP, reversed: REVERSED, long: LONG } as const;
const KINDS = Object.keys(NAMES) as (keyof typeof NAMES)[];

const shows = new Map<string, { path: string; venue: string; ticket: { id: number } }>();

beforeAll(async () => {
  const { make } = server();
  for (const kind of KINDS) {
    const name = NAMES[kind];
    const venue = await make('POST /venues', { venue: name, address: name, city: name });
    const show = await makeShow(server(), { title: name, venue: venue.id, organizer: { organizer: name } });
    const ticket = await makeTicket(server(), show.id, { name, price: '0', ticket: { mode: 'own', capacity: 9 } });
    shows.set(kind, { path: show.path, venue: venue.slug, ticket });
  }
});

/** Faults of a page that shows a name. */
const FAULTS = `[
  document.documentElement.scrollWidth > innerWidth && 'wider than the window',
  (document.querySelector('img[onerror]') || document.title.includes('hacked')) && 'injected',
  document.documentElement.innerHTML.includes('\u202e') && 'reversed',
].filter(Boolean)`;

describe.each(KINDS)('names that are %s', (kind) => {
  it('neither break pages nor the text beside them', { timeout: 60_000 }, async () => {
    const { path, venue, ticket } = shows.get(kind) ?? { path: '', venue: '', ticket: { id: 0 } };
    const faults: string[] = [];
    const complaints = await withPage({ viewport: { width: 390, height: 844 } }, async (page) => {
      const look = async () => {
        for (const media of ['screen', 'print'] as const) {
          await page.emulateMedia({ media });
          const where = new URL(page.url()).pathname;
          faults.push(...(await page.evaluate<string[]>(FAULTS)).map((fault) => `${where}, ${media}: ${fault}`));
        }
        await page.emulateMedia({ media: 'screen' });
      };
      const calendar = ['list/', 'month/2026-12/', 'week/2026-11-30/', '2026-12-06/', 'photo/', 'places/'];
      for (const at of [...calendar.map((view) => `/events/${view}`), `/venue/${venue}/`, path]) {
        await page.goto(at);
        await look();
      }
      await page.fill(`#ticket-${ticket.id}`, '2');
      await page.click('.tickets form > button');
      await page.waitForURL('**/checkout/');
      await look();
      await page.goto('/cart/');
      await look();
      await page.goto('/checkout/');
      await introduce(page, NAMES[kind]);
      await page.click(ORDER_BUTTON);
      await page.waitForURL('**/order/*/*/');
      await look();
      await openTicket(page);
      await look();
    });
    expect(faults).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
