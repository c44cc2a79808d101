import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { orderNumber } from '../../../src/lib/order-number.ts';
import { makeRsvp, makeSeat } from '../../attendees.ts';
import { buy } from '../../buyers.ts';
import { makeEvent } from '../../tickets.ts';
import { expectAccessible, follow, useConsole } from './console.ts';

const { server, open } = useConsole();
const NIGHT = { title: 'Lantern Night', start_date: '2027-03-06 18:30:00', end_date: '2027-03-06 21:00:00' };
let [event, open_order, other] = [0, 0, 0];

beforeAll(async () => {
  event = await makeEvent(server(), { ...NIGHT, author: server().userId('author') });
  const seat = await makeSeat(server(), event, 80, { name: 'Adults', price: '20' });
  const paid = await buy(server(), [seat, seat, seat]);
  await server().ask(`PATCH admin:/orders/${paid.id}`, { as: 'editor', body: { status: 'completed' } });
  open_order = (await buy(server(), [seat], { purchaser: { name: 'Zoe Late', email: 'zoe@party.test' } })).id;
  other = await makeEvent(server(), { ...NIGHT, title: 'Brass at dusk' });
  await buy(server(), [await makeSeat(server(), other)], { purchaser: { name: 'Quentin', email: 'q@party.test' } });
});

const VIEWPORTS = [
  { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const;

it.each(VIEWPORTS)('shows the sales of an event to its author, at $viewport.width', async (options) => {
  await open(
    'author',
    '/events',
    async (page) => {
      const row = page.getByRole('row', { name: 'Lantern Night' });
      await row.getByText('4 of 80').waitFor();
      await row.click();
      const main = page.locator('main');
      await main.getByText('$60.00').first().waitFor();
      await main.getByText('$20.00 not paid yet').waitFor();
      await main.getByText('Zoe Late').waitFor();
      await main.getByText('/event/lantern-night/', { exact: false }).waitFor();
      await expectAccessible(page);
      await main.getByRole('link', { name: 'Show them' }).click();
      await page.getByRole('row', { name: orderNumber(open_order) }).waitFor();
      const tabs = page.getByRole('navigation', { name: 'Screens of the event' });
      expect((await tabs.boundingBox())?.height).toBeLessThan(60);
      const current = await tabs.getByRole('link', { name: 'Orders' }).boundingBox();
      expect((current?.x ?? 0) + (current?.width ?? 0)).toBeLessThan(options.viewport.width - 20);
      expect(await page.getByRole('row').count()).toBe(2);
      await expectAccessible(page);
    },
    options,
  );
});

it('tells on Home how many places of the next events are taken', async () => {
  const tomorrow = { title: 'Tomorrow', start_date: '2026-11-22 20:00', end_date: '2026-11-22 22:00' };
  const next = await makeEvent(server(), tomorrow);
  const seat = await makeSeat(server(), next, 12);
  const open_reply = await makeEvent(server(), { ...tomorrow, title: 'Open house' });
  await server().make('POST tickets:/attendees', {
    ...{ ticket_id: await makeRsvp(server(), open_reply), full_name: 'Ada', email: 'ada@example.com' },
  });
  const figure = (page: Page, title: string) =>
    page.locator('.card', { hasText: title }).locator('.figure').innerText();
  await open('editor', '/', async (page) => {
    await page.getByText('Tomorrow').waitFor();
    expect(await figure(page, 'Tomorrow')).toMatch(/^0\s+of 12 places$/);
    expect(await figure(page, 'Open house')).toMatch(/^1\s+expected$/);
    await buy(server(), [seat, seat]);
    await page.reload();
    await page.getByText('Tomorrow').waitFor();
    expect(await figure(page, 'Tomorrow')).toMatch(/^2\s+of 12 places$/);
    await expectAccessible(page);
  });
});

it('reads the sales again after a failure, for the days of the site whatever the zone of the browser', async () => {
  const asked: URLSearchParams[] = [];
  await open(
    'author',
    '/',
    async (page) => {
      // The 26th in New York, and the 27th in the browser.
      await page.clock.setFixedTime(new Date('2026-11-26T12:00:00Z'));
      let isBroken = true;
      await page.route('**/admin/v1/reports/sales?**', (route) => {
        asked.push(new URL(route.request().url()).searchParams);
        if (isBroken)
          return route.fulfill({ status: 400, json: { code: 'x', message: 'Broken', data: { status: 400 } } });
        return route.fallback();
      });
      await page.goto(`/console/events/${event}/overview`);
      await page.getByText('Broken').waitFor();
      isBroken = false;
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'Sales of the last 14 days' }).waitFor();
      await page.locator('.overview-days li').first().waitFor();
      const [from] = asked.filter((one) => one.get('by') === 'day').map((one) => one.get('from'));
      expect(from).toBe('2026-11-13');
    },
    { timezoneId: 'Pacific/Kiritimati' },
  );
});

it('filters events by venue, days and status', async () => {
  const venue = await server().make('POST /venues', { venue: 'Harbour Hall' });
  const there = { title: 'At the harbour', start_date: '2027-05-01 20:00', end_date: '2027-05-01 22:00' };
  await makeEvent(server(), { ...there, venue: venue.id, event_status: 'postponed' });
  await open('editor', '/events', async (page) => {
    for (const [query, expected] of [
      [`venue=${venue.id}`, 'At the harbour'],
      ['search=brass', 'Brass at dusk'],
      ['status=postponed', 'At the harbour'],
      ['from=2027-03-01&to=2027-03-31&search=brass', 'Brass at dusk'],
      ['from=2027-04-01&to=2027-05-01', 'At the harbour'],
    ]) {
      await follow(page, `/events?${query}`);
      await page.getByRole('row', { name: expected }).waitFor();
      // The former list is shown until the new one has been read.
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
    }
  });
});

it('lets the box office take the money, and shows no link of the order', async () => {
  await open('box_office', `/events/${event}/overview`, async (page) => {
    await page.getByRole('link', { name: 'Sell at the counter' }).waitFor();
    await page.getByRole('link', { name: 'Zoe Late' }).click();
    await page.getByRole('button', { name: 'Mark as paid' }).waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    expect(await page.locator('main a[target=_blank]').count()).toBe(0);
    await expectAccessible(page);
  });
});
