import { glob, readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Role } from '../../../src/http/core/auth.ts';
import { makeSeat } from '../../attendees.ts';
import { pairDevice } from '../../door.ts';
import { png, upload } from '../../fixtures.ts';
import { addImport } from '../../imports.ts';
import { makeShow } from '../sale.ts';
import { follow, tick, untilKept, useConsole } from './console.ts';

const { server, open } = useConsole();

/** Markup, a sign that turns the direction, Arabic, a picture of several signs, and signs without a width. */
const HOSTILE =
  '<img src=x onerror=alert(1)>\u202e\u0645\u0647\u0631\u062c\u0627\u0646\ud83d\udc69\u200d\ud83d\udc67\u200b\u2060';

/** A name as long as the server takes it, without a place to break it, that begins with what is hostile. */
const nameOf = (length: number) => `${HOSTILE}${'Donaudampfschifffahrt'.repeat(100)}`.slice(0, length);

const paths: string[] = [];
let [showId, orderId] = [0, 0];
beforeAll(async () => {
  const make = (call: string, body: object, as: Role = 'administrator') => server().make(call, body, as);
  const venue = await make('POST /venues', { venue: nameOf(500), address: nameOf(500), city: nameOf(200) });
  const organizer = await make('POST /organizers', { organizer: nameOf(500), email: 'club@example.com' });
  const category = await make('POST /categories', { name: nameOf(200) });
  const tag = await make('POST /tags', { name: nameOf(200) });
  const linked = { venue: venue.id, organizer: organizer.id, categories: [category.id], tags: [tag.id] };
  const show = await makeShow(server(), { title: nameOf(2000), ...linked });
  const ticket = await makeSeat(server(), show.id, 40, { name: nameOf(250) });
  const items = [{ ticket_id: ticket, quantity: 2 }];
  const purchaser = { name: nameOf(200), email: `${'a'.repeat(60)}@example.com` };
  const order = await make('POST admin:/orders', { items, payment: 'cash', purchaser });
  [showId, orderId] = [show.id, order.id];
  const form = upload(await png(40, 30), `${nameOf(180)}.png`);
  const picture = (await server().ask('POST admin:/media', { as: 'editor', form })).body;
  await make(`PATCH admin:/media/${picture.id}`, { title: nameOf(400), alt: nameOf(1900) });
  const account = { username: 'x'.repeat(60), display_name: nameOf(200), email: `${'b'.repeat(60)}@example.com` };
  const user = await make('POST admin:/users', { ...account, role: 'author', password: 'long-enough-pass' });
  await make('POST admin:/check-in-keys', { name: nameOf(100) });
  const gate = await make('POST admin:/door/gates', { name: nameOf(100), event_ids: [show.id], may_sell: true });
  const phone = await pairDevice(server(), gate.id, nameOf(100));
  const sold = { id: 'sale-0001', items: [{ ticket_id: ticket, quantity: 1 }], payment: 'cash' };
  await phone.ask('POST admin:/door/sales', { body: sold });
  await make('POST admin:/tokens', { name: nameOf(100), scopes: ['read'] });
  const imports = await Promise.all(
    (['mapping', 'finished'] as const).map((state) => addImport(server().context, state)),
  );
  const { query } = server().context.db;
  const columns = JSON.stringify([{ heading: nameOf(100), field: 'title', samples: [nameOf(100), nameOf(100)] }]);
  await query
    .updateTable('import_runs')
    .set({ file_name: `${nameOf(190)}.csv`, columns })
    .execute();
  const notes = JSON.stringify([{ code: 'no-start', detail: nameOf(500) }]);
  await query
    .updateTable('import_plans')
    .set({ title: nameOf(200), notes })
    .execute();
  await query
    .updateTable('import_findings')
    .set({ detail: nameOf(500) })
    .execute();
  await make('POST admin:/imports/subscriptions', { address: `https://calendar.example/${'a'.repeat(900)}` });
  paths.push(
    ...['/imports', ...imports.map((id) => `/imports/${id}`)],
    ...['/', `/calendar?month=2026-12`, '/events', '/events/new', `/events/${show.id}`],
    ...[
      'overview',
      'tickets',
      'capacity',
      'attendees',
      'attendees/print',
      'door',
      'orders',
      'announcements',
      'mails',
      'translations',
      'history',
    ].map((tab) => `/events/${show.id}/${tab}`),
    ...[
      '/attendees',
      '/orders',
      '/orders/findings',
      '/mails',
      '/invoices',
      `/orders/${order.id}`,
      '/counter',
      `/counter?event=${show.id}`,
      '/reports?by=event',
    ],
    ...[`/events/${show.id}/attendees/print?sheet=badges`, `/reports/compare?events=${show.id}`],
    ...['/media', '/translations', `/translations/event/${show.id}?language=fr`, '/venues', `/venues/${venue.id}`],
    ...['/organizers', `/organizers/${organizer.id}`, '/categories', '/tags', '/users', `/users/${user.id}`],
    ...['/door', '/keys', '/log', `/history/venue/${venue.id}`, '/account', '/set-up', '/settings'],
    ...['site', 'calendar', 'sale', 'prices', 'sign-in', 'languages', 'look', 'embeds', 'mails', 'jobs', 'system'].map(
      (form) => `/settings/${form}`,
    ),
  );
});

it('visits every screen', async () => {
  const routes = (await Array.fromAsync(glob('apps/console/features/*/routes.ts'))).map((file) =>
    readFile(file, 'utf8'),
  );
  const declared = (await Promise.all(routes)).flatMap((source) => [...source.matchAll(/^ +path: '(.+)'/gm)]);
  const patterns = declared.map(([, path = '']) => new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/?]+')}(\\?|$)`));
  expect(patterns.length).toBeGreaterThan(30);
  expect(patterns.filter((pattern) => !paths.some((path) => pattern.test(path)))).toEqual([]);
});

/** Elements outside of the page that nothing cuts there, or that make the page endless. */
const unfitIn = (root: string) => `(async () => {
  // Until what depends on the width is laid out.
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
  const width = document.documentElement.clientWidth;
  const isOut = (one) => one.getBoundingClientRect().right > width + 1 || one.getBoundingClientRect().left < -1;
  const isShown = (one) => one.checkVisibility() && one.closest('thead, .visually-hidden, .translations-scroll, .editor-index, .event-tabs') === null;
  const isCut = (one) => one.matches('span') && getComputedStyle(one.parentElement).overflowX !== 'visible';
  const nameOf = (one) => one.tagName + ' ' + (one.textContent ?? '').slice(0, 20);
  return [...document.querySelectorAll('${root} *')].filter(isShown).flatMap((one) => {
    if (isOut(one) && !isCut(one)) return [nameOf(one) + ' is not in the page'];
    const isText = one.children.length === 0 && !/TEXTAREA|IFRAME/.test(one.tagName);
    return isText && one.clientHeight > 600 ? [nameOf(one) + ' is too high'] : [];
  });
})()`;

it('shows names of hundreds of letters on every screen, on a desktop and on the narrowest phone', async () => {
  const unfit: string[] = [];
  const look = async (page: Page) => {
    for (const path of paths) {
      await follow(page, path);
      await page.locator('h1').waitFor();
      await page.locator('.rows-loading').first().waitFor({ state: 'detached' });
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 740 });
        for (const what of await page.evaluate<string[]>(unfitIn('main'))) unfit.push(`${path} at ${width}: ${what}`);
      }
    }
  };
  await open('administrator', '/account', look);
  expect(unfit).toEqual([]);
}, 150_000);

/** Dialogs about events, tickets, people and orders: their screen, whether rows are selected, and their button. */
const dialogs = (): [path: string, selects: boolean, button: string][] => [
  ...['Duplicate', 'Repeat', 'Postpone event', 'Cancel event'].map(
    (name) => [`/events/${showId}`, false, name] as [string, boolean, string],
  ),
  ...['Duplicate', 'Change a field', 'Change the tickets', 'Category'].map(
    (name) => ['/events', true, name] as [string, boolean, string],
  ),
  ...['Move', 'Cancel places'].map((name) => [`/events/${showId}/attendees`, true, name] as [string, boolean, string]),
  [`/orders/${orderId}`, false, 'Refund'],
];

it('shows them in every dialog, on a desktop and on the narrowest phone', async () => {
  const unfit: string[] = [];
  await open('administrator', '/account', async (page) => {
    for (const [path, selects, name] of dialogs()) {
      await page.setViewportSize({ width: 1280, height: 740 });
      await page.goto(`/console${path}`);
      if (selects) await tick(page.getByRole('row').getByRole('checkbox').last());
      await page.getByRole('button', { name, exact: true }).first().click();
      await page.locator('.modal').waitFor();
      await page.waitForLoadState('networkidle');
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 740 });
        for (const what of await page.evaluate<string[]>(unfitIn('.modal'))) unfit.push(`${name} at ${width}: ${what}`);
      }
      expect(await page.locator('.modal *').count()).toBeGreaterThan(5);
      expect(await page.locator('img[onerror]').count()).toBe(0);
    }
  });
  expect(unfit).toEqual([]);
}, 150_000);

/** Whether a press on the middle of a button hits the button. */
const isFree = (button: Locator): Promise<boolean> =>
  button.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return element.contains(element.ownerDocument.elementFromPoint((left + right) / 2, (top + bottom) / 2));
  });

it('shows messages beside the bar of unsaved changes, not on its buttons', async () => {
  const path = paths.find((one) => one.startsWith('/venues/')) ?? '';
  await open('administrator', path, async (page) => {
    await page.getByLabel('Phone').fill('1');
    await untilKept(page);
    for (const width of [1280, 700, 320]) {
      await page.setViewportSize({ width, height: 740 });
      await page.reload();
      await page.getByText('Your unsaved changes are back.').waitFor();
      for (const name of ['Save', 'Discard']) {
        const button = page.getByRole('button', { name, exact: true });
        expect(await isFree(button), `${name} at ${width}`).toBe(true);
      }
    }
  });
});
