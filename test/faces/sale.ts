import type { Page } from 'playwright-core';
import { NOON, type TestServer } from '../server.ts';
import { makeTicket } from '../tickets.ts';

/**
 * Events for the customers in tests of the pages, and their steps there: alike in every language, with and without
 * scripts.
 */

let events = 0;

/** An event with a name of its own, two weeks after the present of the server. */
export async function makeShow(server: TestServer, more: object = {}): Promise<{ id: number; path: string }> {
  server.clock.now = NOON;
  events += 1;
  const made = await server.make('POST /events', {
    ...{ title: `Lantern walk ${events}`, slug: `walk-${events}`, timezone: 'America/New_York' },
    ...{ start_date: '2026-12-06 18:30:00', end_date: '2026-12-06 21:00:00', venue: { venue: 'Harbour Hall' } },
    ...more,
  });
  return { id: made.id, path: `/event/${made.slug}/` };
}

/** Tickets of an event for a price, and so many places. */
export const sell = (
  server: TestServer,
  event: { id: number },
  price: string,
  capacity: number,
): Promise<{ id: number }> =>
  makeTicket(server, event.id, { name: `For $${price}`, price, ticket: { mode: 'own', capacity } });

export const invite = (server: TestServer, event: { id: number }): Promise<{ id: number }> =>
  makeTicket(server, event.id, {
    ...{ provider: 'rsvp', name: 'Guests', price: '', ticket: { capacity: 5, not_going: 'yes' } },
  });

/** Minutes for which a cart holds its places. */
export const HOLD = 15;

export const pass = (server: TestServer, minutes: number): void => {
  server.clock.now = new Date(server.clock.now.getTime() + minutes * 60_000);
};

/** Each as `[ticket, places]`. */
export async function choose(page: Page, path: string, ...choice: [ticket: { id: number }, places: number][]) {
  await page.goto(path);
  for (const [{ id }, places] of choice) await page.fill(`#ticket-${id}`, String(places));
  await page.click('.tickets form > button');
  await page.waitForURL('**/checkout/');
}

export const ORDER_BUTTON = 'form.checkout button:not([name])';

export async function introduce(page: Page, name = 'Ada Lovelace'): Promise<void> {
  await page.fill('#name', name);
  await page.fill('#email', 'ada@example.test');
}

/** Buys places of a ticket; afterwards the page shows the order. */
export async function buy(page: Page, path: string, ...choice: [ticket: { id: number }, places: number][]) {
  await choose(page, path, ...choice);
  await introduce(page);
  await page.click(ORDER_BUTTON);
  await page.waitForURL('**/order/*/*/');
  return new URL(page.url()).pathname;
}

/** Opens the first ticket of an order that is shown. */
export async function openTicket(page: Page): Promise<string> {
  await page.locator('.ticket-held .button').first().click();
  await page.waitForURL('**/ticket/*/*/');
  return new URL(page.url()).pathname;
}

export async function reply(page: Page, path: string, { id }: { id: number }, answer: 'yes' | 'no' = 'yes') {
  await page.goto(path);
  await page.fill(`#reply-${id}-name`, 'Ada Lovelace');
  await page.fill(`#reply-${id}-email`, 'ada@example.test');
  await page.check(`[name="reply-${id}-answer"][value="${answer}"]`);
}

/** Opens what is folded, if it is. */
export const unfold = (page: Page, summary: string): Promise<void> =>
  page.locator('details:not([open]) > summary', { hasText: summary }).click();
