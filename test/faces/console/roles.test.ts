import type { Page, Request } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Role } from '../../../src/http/core/auth.ts';
import { makeTicket } from '../../tickets.ts';
import { addProgramme } from '../programme.ts';
import { useConsole } from './console.ts';

const { server, open } = useConsole();

beforeAll(() => addProgramme(server()));

/** What each screen of the rail is for, as a call: whoever may not make it is not shown the screen. */
const CALLS: Readonly<Record<string, string>> = {
  '/console/': 'GET admin:/me',
  '/console/events': 'GET events:/events',
  '/console/calendar': 'GET events:/events',
  '/console/attendees': 'GET admin:/attendees',
  '/console/orders': 'GET admin:/orders',
  '/console/reports': 'GET admin:/reports/attendance',
  '/console/venues': 'POST events:/venues {"venue":"Trial","status":"draft"}',
  '/console/organizers': 'POST events:/organizers {"organizer":"Trial","status":"draft"}',
  '/console/categories': 'POST events:/categories {"name":"Trial"}',
  '/console/tags': 'POST events:/tags {"name":"Trial"}',
  '/console/media': 'GET admin:/media',
  '/console/translations': 'GET admin:/translations/progress',
  '/console/users': 'GET admin:/users',
  '/console/keys': 'GET admin:/check-in-keys',
  '/console/settings': 'PATCH admin:/site {"name":"Trial"}',
  '/console/log': 'GET admin:/audit',
};

/** The status of a call by the session of the page, as a script of the console could send it. */
const callFrom = (page: Page, call: string): Promise<number> => {
  const [, method, namespace, path, body] = /^(\w+) (\w+):(\S+)(?: (.+))?$/.exec(call) ?? [];
  const json = body && { body, headers: { 'content-type': 'application/json' } };
  const sent = [`/calendar/${namespace}/v1${path}`, { method, ...json }] as const;
  return page.evaluate(async ([address, init]) => (await fetch(address, init)).status, sent);
};

const TWO_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

/** Waits until what a page has begun to ask is answered, and nothing follows from it. */
function untilSettled(page: Page): () => Promise<void> {
  const pending = new Set<Request>();
  page.on('request', (request) => void pending.add(request));
  page.on('requestfinished', (request) => void pending.delete(request));
  page.on('requestfailed', (request) => void pending.delete(request));
  return async () => {
    for (let quiet = 0; quiet < 2; quiet = pending.size === 0 ? quiet + 1 : 0) await page.evaluate(TWO_FRAMES);
  };
}

it.each<Role>(['administrator', 'editor', 'author', 'contributor', 'door', 'subscriber'])(
  'sees the screens that it may use, and no others, as %s',
  async (role) => {
    await open(
      role,
      '/',
      async (page) => {
        const refused: string[] = [];
        const settled = untilSettled(page);
        page.on('response', (answer) => {
          if ([400, 401, 403].includes(answer.status())) refused.push(`${answer.status()} ${answer.url()}`);
        });
        const rail = page.locator('.rail li');
        await rail.first().waitFor();
        const links = await rail
          .getByRole('link')
          .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
        for (const link of links) {
          await rail.locator(`a[href="${link}"]`).click();
          await rail.locator(`a[href="${link}"][aria-current="page"]`).waitFor();
          await settled();
        }
        expect(refused).toEqual([]);
        const allowed: string[] = [];
        for (const [screen, call] of Object.entries(CALLS))
          if (![401, 403].includes(await callFrom(page, call))) allowed.push(screen);
        expect(links).toEqual(allowed);
      },
      { refused: /^403/ },
    );
  },
);

it('says so to who opens the address of a screen without the right to it', async () => {
  const screens = ['/users', '/orders', '/settings', '/settings/look', '/log'].map((screen) => ['contributor', screen]);
  for (const [role, screen] of [...screens, ['door', '/events/new']] as [Role, string][])
    await open(
      role,
      screen,
      (page) => page.getByText('Your account may not see this. Ask an administrator for the right.').waitFor(),
      { refused: /^403 GET / },
    );
});

it('offers no act on an event of somebody else, and says why', async () => {
  const SPRING = { start_date: '2027-04-10 18:00', end_date: '2027-04-10 20:00' };
  const theirs = await server().make('POST /events', { ...SPRING, title: 'Their spring ball' });
  const ticket = await makeTicket(server(), theirs.id, { name: 'Dancer', price: '5' });
  const trashed = async (title: string, as: Role) => {
    const { id } = await server().make('POST /events', { ...SPRING, title, status: 'draft' }, as);
    await server().make(`DELETE /events/${id}`, undefined);
    return id;
  };
  const [gone, ownGone] = [await trashed('Their winter ball', 'editor'), await trashed('Own winter ball', 'author')];
  await open(
    'author',
    '/events?search=spring%20ball',
    async (page) => {
      const main = page.locator('main');
      const tabs = page.getByRole('navigation', { name: 'Screens of the event' });
      const go = (path: string) => page.goto(`/console${path}`);
      await page.getByRole('row', { name: 'Their spring ball' }).focus();
      await page.keyboard.press('#');
      await page.getByText('Your role may not change events of others. Ask an editor.').waitFor();
      await go(`/events/${theirs.id}`);
      await main.getByText('Your role may not change events of others.', { exact: false }).waitFor();
      expect(await tabs.getByRole('link').allInnerTexts()).toEqual(['Event']);
      await go(`/events/${theirs.id}/tickets`);
      await page.getByText('You can read these tickets, but your account may not change them.').waitFor();
      await page.getByRole('row', { name: 'Dancer' }).click();
      expect(await main.getByRole('button').count()).toBe(0);
      expect(await page.getByRole('dialog').count()).toBe(0);
      await go(`/translations/ticket/${ticket.id}?language=fr`);
      await page.getByText('your account may not change this record', { exact: false }).waitFor();
      expect(await main.getByRole('textbox').count()).toBe(0);
      // Whether somebody else's is in the trash can be known, but not whose it is.
      const listed = page.waitForResponse((answer) => answer.url().includes(`include%5B%5D=${gone}`));
      await go(`/events/${gone}`);
      await listed;
      await page.getByText('This event is in the trash.').waitFor();
      expect(await main.getByRole('button').count()).toBe(0);
      await go(`/events/${ownGone}`);
      await page.getByRole('button', { name: 'Restore as a draft' }).click();
      await page.getByRole('button', { name: 'Move to the trash' }).waitFor();
    },
    { refused: /^403 GET .*\/events\/\d+$/ },
  );
});
