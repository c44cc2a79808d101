import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { makeSeason } from '../../season.ts';
import { makeTicket } from '../../tickets.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, focusByTab, follow, useConsole } from './console.ts';

/** Passes for all dates of a series, where the console shows them. */

const { server, open } = useConsole();

/** A series of three weekly events, without tickets or with one that has the places of each event. */
async function makeSeries(title: string, hasHall: boolean) {
  const event = { title, start_date: '2027-03-06 19:00', end_date: '2027-03-06 21:00' };
  const { id } = await server().make('POST /events', event);
  const hall = { name: 'Single', price: '10', ticket: { mode: 'global', event_capacity: 8 } };
  if (hasHall) await makeTicket(server(), id, hall);
  const { id: series } = await server().make('POST /series', {
    event_id: id,
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' },
  });
  const { body } = await server().ask(`GET /series/${series}/occurrences`, { as: 'editor' });
  return body.occurrences.map((one: { id: number }) => one.id) as number[];
}

interface Shown {
  id: number;
  title: string;
  capacity: number;
  cost: string;
  pass?: { id: number; dates: number };
}

const ticketsOf = async (event: number | undefined) =>
  (await server().ask('GET tickets:/tickets', { as: 'editor', query: { include_post: event ?? 0 } })).body
    .tickets as Shown[];
const passOf = async (event: number | undefined) => (await ticketsOf(event)).find(({ pass }) => pass);

/** Opens the form of new tickets, and chooses all coming dates. */
async function beginPass(page: Page) {
  await page.getByRole('button', { name: 'New tickets' }).first().click();
  const form = page.getByRole('dialog', { name: 'New tickets' });
  await form.getByText('A ticket for this event alone.').waitFor();
  await form.getByLabel('Valid for').selectOption('All coming dates');
  await form.getByText('A pass: one code, and a place at every date of the series.').waitFor();
  return form;
}

it.each([
  ['desktop', DESKTOP, 'light'],
  ['phone', PHONE, 'dark'],
] as const)(
  'is made, sold, changed and deleted for all dates at once, on a %s',
  async (name, viewport, colorScheme) => {
    const events = await makeSeries(`Weaving on a ${name}`, true);
    const [first, second, third] = events;
    const body = async (page: Page) => {
      const form = await beginPass(page);
      await form.getByText('Passes share the places of each date with the other tickets.').waitFor();
      await form.getByLabel('Name', { exact: true }).fill('All evenings');
      await form.getByLabel('Price', { exact: true }).fill('24');
      await expectAccessible(page);
      await form.getByRole('button', { name: 'Create the tickets' }).click();
      await page.getByText('Pass, 3 dates').waitFor();
      expect(await Promise.all(events.map(async (id) => (await passOf(id))?.pass?.dates))).toEqual([3, 3, 3]);

      const items = [{ ticket_id: (await passOf(third))?.id, quantity: 2 }];
      const purchaser = { name: 'Grace Hopper', email: 'grace@party.test' };
      const sold = await server().make('POST admin:/orders', { items, payment: 'cash', purchaser }, 'administrator');
      await follow(page, `/orders/${sold.id}`);
      await page.getByText('Pass for 3 dates').waitFor();
      await expectAccessible(page);
      await follow(page, `/events/${first}/attendees`);
      await page.getByText('Pass', { exact: true }).first().waitFor();

      await follow(page, `/events/${second}/tickets`);
      await page.getByText('All evenings').first().click();
      const panel = page.getByRole('dialog').first();
      await panel.getByText('A pass for 3 coming dates of the series. Changes apply to all of them.').waitFor();
      await panel.getByLabel('Price', { exact: true }).fill('30');
      await panel.getByRole('button', { name: 'Save', exact: true }).click();
      await expect.poll(async () => (await passOf(first))?.cost).toBe('$30.00');
      await panel.getByRole('button', { name: 'Delete the ticket' }).click();
      const question = page.getByRole('alertdialog');
      await question.getByText('The pass is withdrawn from sale for all dates.').waitFor();
      await expectAccessible(page);
      await question.getByRole('button', { name: 'Delete the ticket' }).click();
      await page.getByText('The ticket is deleted.').waitFor();
    };
    await open('administrator', `/events/${second}/tickets`, body, { viewport, colorScheme });
    expect(await Promise.all(events.map(passOf))).toEqual([undefined, undefined, undefined]);
    expect((await ticketsOf(third)).map(({ title }) => title)).toEqual(['Single']);
  },
);

it('is made by keyboard alone, with a number of passes where no places are shared', async () => {
  const events = await makeSeries('Basketry', false);
  await open('editor', `/events/${events[0]}/tickets`, async (page) => {
    const begin = page.getByRole('button', { name: 'New tickets' }).first();
    await focusByTab(page, begin);
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog', { name: 'New tickets' });
    await focusByTab(page, form.getByLabel('Valid for'));
    await page.keyboard.type('All');
    await form.getByText('A pass: one code').waitFor();
    await focusByTab(page, form.getByLabel('Price', { exact: true }));
    await page.keyboard.type('40');
    await focusByTab(page, form.getByLabel('Passes in all'));
    await page.keyboard.type('12');
    await focusByTab(page, form.getByRole('button', { name: 'Create the tickets' }));
    await page.keyboard.press('Enter');
    await page.getByText('Pass, 3 dates').waitFor();
  });
  for (const event of events) expect(await passOf(event)).toMatchObject({ capacity: 12, cost: '$40.00' });
});

it('is marked on the guest list, and has the number of its dates and the places that holders lack', async () => {
  const { series, events, dates } = await makeSeason(server(), {}, 2);
  const purchaser = { name: 'Grace Pass', email: 'pass@party.test' };
  await server().make('POST admin:/orders', {
    items: [{ ticket_id: dates[0], quantity: 1 }],
    payment: 'cash',
    purchaser,
  });
  // No job gives the place at the third date here.
  await server().make(`PATCH /series/${series}`, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } }, 'administrator');
  await open('administrator', `/events/${events[1]}/tickets`, async (page) => {
    await page.getByText('Twenty nights').first().click();
    await page.getByText('A pass for 3 coming dates of the series.').waitFor();
    await page.getByText('One place is missing at a date that was added later').click();
    await page.getByRole('listitem').filter({ hasText: 'Grace Pass Mon, Mar 15' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await follow(page, `/events/${events[1]}/attendees/print`);
    const grace = page.getByRole('row', { name: 'Grace Pass' });
    expect(await grace.getByRole('rowheader').innerText()).toBe('Grace Pass Pass');
    await expectAccessible(page);
  });
});
