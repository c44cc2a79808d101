import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { runJobs } from '../../jobs.ts';
import { makeTicket } from '../../tickets.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, useConsole } from './console.ts';

const { server, open } = useConsole();

const listed = async (search: string) =>
  (
    await server().ask('GET /events', {
      as: 'editor',
      query: { search, status: 'any', end_date: '2999-12-31', per_page: 100 },
    })
  ).body.events as { id: number }[];

const date = (page: Page, name: string | RegExp) =>
  page.getByRole('table', { name: 'Dates' }).getByRole('button', { name });

const DATES = { start_date: '2027-03-06 18:30', end_date: '2027-03-06 20:00' };

/** Response for an event that went to the trash while its page is shown. */
const GONE = /^403 GET \/calendar\/events\/v1\/events\/\d+$/;

/** A published series of five weekly events, of which the first has a ticket. */
async function makeSeries(title: string) {
  const { id } = await server().make('POST /events', { title, status: 'publish', ...DATES });
  const ticket = await makeTicket(server(), id, { name: 'Adults', price: '20', ticket: { mode: 'own', capacity: 9 } });
  const { id: series } = await server().make('POST /series', {
    event_id: id,
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5' },
  });
  return { id, ticket, series };
}

const eventsOf = async (series: number) =>
  (await server().ask('GET /events', { as: 'editor', query: { series, end_date: '2999-12-31', status: 'any' } })).body
    .events as { id: number; title: string; start_date: string; event_status?: string }[];

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
const isSaved = (page: Page) => page.getByLabel('Unsaved changes').waitFor({ state: 'detached' });

describe('a change of an event of a series', () => {
  it.each([
    ['desktop', DESKTOP, 'light'],
    ['phone', PHONE, 'dark'],
  ] as const)(
    'concerns it alone, later ones or all, and marks its own fields, on a %s',
    async (name, viewport, colorScheme) => {
      const { series } = await makeSeries(`Class on a ${name}`);
      const third = (await eventsOf(series))[2];
      const title = (page: Page) => page.getByRole('textbox', { name: 'Title' });
      const body = async (page: Page) => {
        await page.getByText('Event 3 of 5').waitFor();
        await page.getByText('every Saturday, 5 times').waitFor();
        await title(page).fill('Guest class');
        await save(page).click();
        const dialog = page.getByRole('dialog', { name: 'Which events change?' });
        await dialog.getByText('This event', { exact: true }).waitFor();
        await expectAccessible(page);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await isSaved(page);
        await page.getByText('Changes of the series do not affect these fields:').waitFor();
        await page.locator('.own-fields li', { hasText: 'Title' }).waitFor();
        await expectAccessible(page);
        await page.getByRole('button', { name: 'Reset to the series: Title' }).click();
        await page.getByText('Reset to the series: Title.').waitFor();
        await expect.poll(() => title(page).inputValue()).toBe(`Class on a ${name}`);
        await page.locator('.own-fields').waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'Undo', exact: true }).click();
        await expect.poll(() => title(page).inputValue()).toBe('Guest class');
        await page.getByRole('switch', { name: 'Pinned: first in the calendar' }).focus();
        await page.keyboard.press('Space');
        await page.getByLabel('Doors open').fill('18:00');
        await save(page).click();
        await page.getByText('All upcoming events').click();
        await dialog.getByText('5 events are upcoming.').waitFor();
        await dialog.getByRole('button', { name: 'Save' }).click();
        await isSaved(page);
      };
      await open('editor', `/events/${third?.id}`, body, { viewport, colorScheme });
      const titles = (await eventsOf(series)).map((event) => event.title);
      expect(titles.filter((one) => one === 'Guest class')).toHaveLength(1);
      for (const { id } of await eventsOf(series))
        expect((await server().ask(`GET /events/${id}`, { as: 'editor' })).body).toMatchObject({
          door_time: '18:00',
          sticky: true,
        });
    },
  );

  it('asks again where people hold tickets, and cancels following events with a note', async () => {
    const { series } = await makeSeries('Opera');
    const events = await eventsOf(series);
    const [, second, third] = events;
    const { body } = await server().ask('GET tickets:/tickets', {
      as: 'editor',
      query: { include_post: third?.id ?? 0 },
    });
    const [ticket] = body.tickets;
    await server().make('POST tickets:/attendees', {
      ticket_id: ticket.id,
      full_name: 'Ada Lovelace',
      email: 'ada@b.example',
    });
    await open('editor', `/events/${second?.id}`, async (page) => {
      await page.getByRole('button', { name: 'Cancel event' }).click();
      const dialog = page.getByRole('dialog', { name: 'Cancel this event?' });
      await dialog.getByLabel('Note for visitors').fill('The stage is flooded.');
      await dialog.getByText('This and following events').click();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Cancel event' }).click();
      const question = page.getByRole('alertdialog', { name: 'People hold tickets' });
      await question.getByText('One person holds a ticket for them.').waitFor();
      await expectAccessible(page);
      await question.getByRole('button', { name: 'Not yet' }).click();
      expect((await eventsOf(series)).some(({ event_status }) => event_status === 'cancelled')).toBe(false);
      await page.getByRole('button', { name: 'Cancel event' }).click();
      await dialog.getByText('This and following events').click();
      await dialog.getByRole('button', { name: 'Cancel event' }).click();
      await question.getByRole('button', { name: 'Change anyway' }).click();
      await page.getByText('The event is cancelled.').waitFor();
    });
    const states = await Promise.all(
      events.map(async ({ id }) => (await server().ask(`GET /events/${id}`, { as: 'editor' })).body.event_status),
    );
    expect(states).toEqual(['scheduled', 'cancelled', 'cancelled', 'cancelled', 'cancelled']);
  });

  it('moves later events only after their holders were considered, and another day is for one alone', async () => {
    const { id, ticket, series } = await makeSeries('Ballet');
    await server().make('POST tickets:/attendees', {
      ticket_id: ticket.id,
      full_name: 'Ada Lovelace',
      email: 'ada@b.example',
    });
    const [, second] = await eventsOf(series);
    await open('editor', `/events/${second?.id}`, async (page) => {
      const from = page.getByRole('textbox', { name: 'From' });
      const dialog = page.getByRole('dialog', { name: 'Add a note for ticket holders?' });
      await from.fill('2027-03-14T18:30');
      await save(page).click();
      await dialog.getByText('Its day changes').waitFor();
      await page.keyboard.press('Escape');
      await from.fill('2027-03-13T19:30');
      const saveAll = async () => {
        await save(page).click();
        await dialog.getByText('All upcoming events').click();
        await dialog.getByRole('button', { name: 'Save with the note' }).click();
        await page.getByRole('alertdialog').getByRole('button', { name: 'Change anyway' }).click();
      };
      // A confirmed save that fails is no confirmation of the next one.
      const isConfirmed = (route: Route) => route.request().postDataJSON()?.confirm_holders === true;
      await page.route(`**/events/v1/events/${second?.id}*`, (route) =>
        isConfirmed(route)
          ? route.fulfill({ status: 400, json: { code: 'x', message: 'Refused for now', data: { status: 400 } } })
          : route.fallback(),
      );
      await saveAll();
      await page.getByText('Refused for now').waitFor();
      await page.unrouteAll();
      await saveAll();
      await isSaved(page);
    });
    const starts = (await eventsOf(series)).map((event) => event.start_date.slice(11));
    expect(starts).toEqual(Array.from({ length: 5 }, () => '19:30:00'));
    expect((await server().ask(`GET /events/${id}`, { as: 'editor' })).body.start_date).toBe('2027-03-06 19:30:00');
  });

  it('moves this and following events to the trash', async () => {
    const { series } = await makeSeries('Jazz');
    const [first, second] = await eventsOf(series);
    await open('editor', `/events/${second?.id}`, async (page) => {
      await page.getByRole('button', { name: 'Move to the trash' }).click();
      const dialog = page.getByRole('dialog', { name: 'Which events go to the trash?' });
      await dialog.getByText('This and following events').click();
      await dialog.getByRole('button', { name: 'Move to the trash' }).click();
      await page.getByText('This event and the following ones are in the trash.').waitFor();
      expect((await listed('Jazz')).map(({ id }) => id)).toEqual([first?.id]);
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await expect.poll(async () => (await listed('Jazz')).length).toBe(5);
      await page.goto(`/console/events/${second?.id}`);
      await page.getByRole('button', { name: 'Move to the trash' }).click();
      await page.getByText('All upcoming events').click();
      await dialog.getByRole('button', { name: 'Move to the trash' }).click();
      await page.getByText('The upcoming events of the series are in the trash.').waitFor();
      expect(await listed('Jazz')).toEqual([]);
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await expect.poll(async () => (await listed('Jazz')).length).toBe(5);
    });
  });
});

const changeDates = (page: Page) => page.getByRole('button', { name: 'Change dates' }).click();

/** Start days of the events of a series that are not in the trash. */
const daysOf = async (series: number) => (await eventsOf(series)).map(({ start_date }) => start_date.slice(0, 10));

describe('the dates of a series', () => {
  it('change with a preview, a question about holders and an undo', async () => {
    const { series, ticket } = await makeSeries('Rowing');
    await server().make('POST tickets:/attendees', {
      ticket_id: ticket.id,
      full_name: 'Ada Lovelace',
      email: 'ada@b.example',
    });
    const [, second] = await eventsOf(series);
    const before = await daysOf(series);
    const body = async (page: Page) => {
      await changeDates(page);
      const dialog = page.getByRole('dialog', { name: 'Change the dates of “Rowing”' });
      const act = dialog.getByRole('button', { name: 'Change the dates' });
      await dialog.getByText('The dates stay as they are.').waitFor();
      expect(await act.isDisabled()).toBe(true);
      await dialog.getByRole('button', { name: 'Saturday', exact: true }).click();
      await dialog.getByText('The dates stay').waitFor({ state: 'detached' });
      expect(await act.isDisabled()).toBe(true);
      await dialog.getByRole('button', { name: 'Sunday', exact: true }).click();
      await dialog.getByText('5 dates are added: Sun, Mar 7, 2027').waitFor();
      await dialog.getByText('5 dates are removed: Sat, Mar 6, 2027').waitFor();
      await dialog.getByText('One person holds a ticket for removed dates.').waitFor();
      await expectAccessible(page);
      await act.click();
      const question = page.getByRole('alertdialog', { name: 'People hold tickets' });
      await question.getByRole('button', { name: 'Not yet' }).click();
      expect(await daysOf(series)).toEqual(before);
      await act.click();
      await question.getByRole('button', { name: 'Change anyway' }).click();
      await page.getByText('Dates of the series: every Sunday, 5 times.').waitFor();
      await runJobs(server().context);
      expect(await daysOf(series)).toEqual(['2027-03-07', '2027-03-14', '2027-03-21', '2027-03-28', '2027-04-04']);
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      const restored = async () => {
        await runJobs(server().context);
        return daysOf(series);
      };
      await expect.poll(restored).toEqual(before);
    };
    await open('editor', `/events/${second?.id}`, body, { viewport: PHONE, refused: GONE });
  });

  it('changed by another user in the meantime need a decision, and a rule of other programs is kept', async () => {
    const { series } = await makeSeries('Sailing');
    const [first] = await eventsOf(series);
    const recurrence = { rrule: 'FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=1;COUNT=4' };
    await open('editor', `/events/${first?.id}`, async (page) => {
      await changeDates(page);
      const dialog = page.getByRole('dialog', { name: 'Change the dates of “Sailing”' });
      await dialog.getByText('The dates stay as they are.').waitFor();
      await date(page, 'Saturday, March 13, 2027').click();
      await dialog.getByText('One date is removed: Sat, Mar 13, 2027').waitFor();
      await server().ask(`PATCH /series/${series}`, { as: 'administrator', body: { recurrence } });
      await dialog.getByRole('button', { name: 'Change the dates' }).click();
      const conflict = page.getByRole('alertdialog');
      await conflict.getByText('every Saturday, 5 times; without Sat, Mar 13, 2027').waitFor();
      await conflict.getByText('on certain days, 4 times').click();
      expect(await conflict.innerText()).not.toContain('FREQ=');
      await expectAccessible(page);
      await conflict.getByRole('button').last().click();
      await conflict.waitFor({ state: 'detached' });
      await changeDates(page);
      await dialog.getByText('FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=1;COUNT=4').waitFor();
      await dialog.getByLabel('Next month of the dates').click();
      await date(page, 'Saturday, April 3, 2027').click();
      await dialog.getByText('One date is removed: Sat, Apr 3, 2027').waitFor();
      await dialog.getByRole('button', { name: 'Change the dates' }).click();
      // The message about the decision is still shown.
      await page.getByText('Dates of the series: on certain days, 4 times.').nth(1).waitFor();
    });
    const { body } = await server().ask(`GET /series/${series}`, { as: 'editor' });
    expect(body.recurrence).toMatchObject({ ...recurrence, exdates: ['2027-04-03'] });
  });
});

it('lists each series once, with its number of events, and the events of one', async () => {
  const { series } = await makeSeries('Fencing');
  await open('editor', '/events?search=Fencing', async (page) => {
    const rows = page.getByRole('row', { name: /Fencing/ });
    await rows.nth(4).waitFor();
    await page.getByText('Each series once').click();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByText('next of 5 · every Saturday, 5 times').waitFor();
    await expectAccessible(page);
    await page.goto(`/console/events?series=${series}`);
    await rows.nth(4).waitFor();
    await page.goto('/console/calendar?month=2027-03');
    const shown = page.getByRole('button', { name: /Fencing/ });
    // The first days of April are shown too.
    await expect.poll(() => shown.count()).toBe(5);
    await page.getByText('Each series once').click();
    await expect.poll(() => shown.count()).toBe(1);
    await expectAccessible(page);
    // After the last series is gone, the switch is left until it is off.
    await page.route('**/events/v1/series?**', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), series: [], total: 0, total_pages: 0 } });
    });
    for (const screen of ['events', 'calendar']) {
      await page.goto(`/console/${screen}?each=series`);
      await page.getByText('Each series once').click();
      await page.getByText('Each series once').waitFor({ state: 'detached' });
    }
  });
});
