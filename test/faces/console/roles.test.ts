import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Role } from '../../../src/http/core/auth.ts';
import { makeTicket } from '../../tickets.ts';
import { addProgramme } from '../programme.ts';
import { follow, untilSettled, useConsole } from './console.ts';

const { server, open } = useConsole();

beforeAll(() => addProgramme(server()));

/** The purpose of each screen of the rail, as a call: users who may not make it are not shown the screen. */
const CALLS: Readonly<Record<string, string>> = {
  '/console/': 'GET admin:/me',
  '/console/events': 'GET events:/events',
  '/console/calendar': 'GET events:/events',
  '/console/attendees': 'GET admin:/attendees',
  '/console/door': 'GET admin:/door/gates',
  '/console/orders': 'GET admin:/orders',
  '/console/mails': 'GET admin:/mails',
  '/console/counter': 'POST admin:/orders {"items":[{"ticket_id":1,"quantity":1}],"payment":"cash"}',
  '/console/reports': 'GET admin:/reports/attendance',
  '/console/venues': 'POST events:/venues {"venue":"Trial","status":"draft"}',
  '/console/organizers': 'POST events:/organizers {"organizer":"Trial","status":"draft"}',
  '/console/categories': 'POST events:/categories {"name":"Trial"}',
  '/console/tags': 'POST events:/tags {"name":"Trial"}',
  '/console/media': 'GET admin:/media',
  '/console/translations': 'GET admin:/translations/progress',
  '/console/users': 'GET admin:/users',
  '/console/keys': 'GET admin:/check-in-keys',
  '/console/imports': 'GET admin:/imports',
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

it.each<Role>(['administrator', 'editor', 'author', 'contributor', 'door', 'box_office', 'subscriber'])(
  'sees the screens that it may use, and no others, as %s',
  async (role) => {
    await open(
      role,
      '/',
      async (page) => {
        const refused: string[] = [];
        page.on('response', (answer) => {
          if ([400, 401, 403].includes(answer.status())) refused.push(`${answer.status()} ${answer.url()}`);
        });
        const rail = page.locator('.rail li');
        await rail.first().waitFor();
        const links = await rail
          .getByRole('link')
          .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
        for (const link of links) {
          await untilSettled(page, async () => {
            await rail.locator(`a[href="${link}"]`).click();
            await rail.locator(`a[href="${link}"][aria-current="page"]`).waitFor();
          });
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

it('tells users without the right that they cannot open the address of a screen', async () => {
  const refusal = (page: Page) =>
    page.getByText('Your account may not see this. Ask an administrator for the right.').waitFor();
  const look = async (page: Page) => {
    await refusal(page);
    for (const screen of ['/orders', '/settings', '/settings/look', '/log']) {
      await follow(page, screen);
      await refusal(page);
    }
  };
  await open('contributor', '/users', look, { refused: /^403 GET / });
  await open('door', '/events/new', refusal, { refused: /^403 GET / });
});

it('offers no action on an event of another user, and says why', async () => {
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
      // That another user's record is in the trash can be known, but not whose it is.
      const listed = page.waitForResponse((answer) => answer.url().includes(`include%5B%5D=${gone}`));
      await go(`/events/${gone}`);
      await listed;
      await page.getByText('This event is in the trash.').waitFor();
      expect(await main.getByRole('button').count()).toBe(0);
      await go(`/events/${ownGone}`);
      await page.getByRole('button', { name: 'Restore as draft' }).click();
      await page.getByRole('button', { name: 'Move to the trash' }).waitFor();
    },
    { refused: /^403 GET .*\/events\/\d+$/ },
  );
});
