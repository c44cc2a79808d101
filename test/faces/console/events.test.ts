import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { makeSeat } from '../../attendees.ts';
import { runJobs } from '../../jobs.ts';
import { makeEvent } from '../../tickets.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, useConsole } from './console.ts';

const { server, open } = useConsole();

const stored = async (title: string) =>
  (await server().ask('GET /events', { as: 'editor', query: { search: title, status: 'any', end_date: '2999-12-31' } }))
    .body.events;

async function fill(page: Page, title: string) {
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Day').fill('2027-03-06');
  await page.getByLabel('From').fill('18:30');
  await page.waitForLoadState('networkidle');
  const place = page.getByRole('combobox', { name: 'Venue', exact: true });
  // The only venue of a site is proposed.
  if ((await place.inputValue()) === 'Lantern Hall') return;
  await place.fill('Lantern Hall');
  await page.getByRole('option', { name: 'Create “Lantern Hall”' }).click();
}

it.each([
  ['desktop', DESKTOP, 'light'],
  ['phone', PHONE, 'dark'],
] as const)('publishes a new event with its venue and tickets, on a %s', async (name, viewport, colorScheme) => {
  const title = `Evening on a ${name}`;
  const body = async (page: Page) => {
    await page.getByRole('button', { name: 'New event' }).click();
    await fill(page, title);
    expect(await page.getByLabel('Until').inputValue()).toBe('20:30');
    await page.getByText('Tickets with a price').click();
    await page.getByLabel('Price in $').fill('12.50');
    await page.getByLabel('Places').fill('80');
    if (name === 'phone') await expectAccessible(page);
    await page.getByRole('button', { name: 'Publish event' }).click();
    await page.getByRole('heading', { name: 'The event is published.' }).waitFor();
    await page.getByRole('button', { name: 'Cancel event' }).waitFor();
    if (name === 'desktop') await expectAccessible(page);
  };
  await open('editor', '/events', body, { viewport, colorScheme });
  expect(await stored(title)).toMatchObject([
    { status: 'publish', end_date: '2027-03-06 20:30:00', venue: { venue: 'Lantern Hall' }, ticketed: ['tc'] },
  ]);
});

it('keeps a new event that was not sent, and makes a venue of a name once', async () => {
  await open('editor', '/events/new?day=2027-03-06', async (page) => {
    await fill(page, 'Half typed');
    await page.close();
    const next = await page.context().newPage();
    await next.goto('/console/events/new');
    expect(await next.getByLabel('Title').inputValue()).toBe('Half typed');
    await next.keyboard.press('Control+s');
    await next.getByText('The draft is saved.').waitFor();
  });
  expect(await stored('Half typed')).toMatchObject([{ status: 'draft' }]);
  const { body } = await server().ask('GET /venues', { as: 'editor', query: { search: 'Lantern Hall' } });
  expect(body.total).toBe(1);
});

it('stores nothing of a new event while nothing is typed, though a venue is proposed', async () => {
  const { body } = await server().ask('GET /venues', { as: 'editor' });
  if (body.total === 0) await server().make('POST /venues', { venue: 'Lantern Hall' });
  await open('editor', '/events/new', async (page) => {
    const place = page.getByRole('combobox', { name: 'Venue', exact: true });
    await place.waitFor();
    await expect.poll(() => place.inputValue()).toBe('Lantern Hall');
    expect(await page.evaluate('Object.keys(localStorage).filter((key) => key.includes("new-event"))')).toEqual([]);
  });
});

it('writes a new event in the language of the content, whatever the language of the console', async () => {
  const body = async (page: Page) => {
    await page.getByLabel('Titre').fill('Soirée au phare');
    await page.getByText('Gratuit, avec inscription').click();
    await page.getByRole('button', { name: 'Enregistrer le brouillon' }).click();
    await page.getByText('Le brouillon est enregistré.').waitFor();
  };
  await open('editor', '/events/new?day=2027-03-06', body, { locale: 'fr-FR' });
  const [{ id }] = await stored('Soirée au phare');
  const { tickets } = (await server().ask('GET tickets:/tickets', { as: 'editor', query: { include_post: id } })).body;
  for (const address of [`/events/${id}`, `tickets:/tickets/${tickets[0].id}`]) {
    const { title, translations } = (await server().ask(`GET ${address}`, { as: 'editor' })).body;
    // All texts are in the first language of the site.
    expect([title, translations]).toEqual([expect.stringMatching(/^(Soirée au phare|RSVP)$/), undefined]);
  }
});

it('cancels an event with a note, and undoes that', async () => {
  const dates = { start_date: '2027-04-03 18:30', end_date: '2027-04-03 21:00' };
  const { id } = await server().make('POST /events', { title: 'Rainy', status: 'publish', ...dates });
  await open('editor', `/events/${id}`, async (page) => {
    await page.getByRole('button', { name: 'Cancel event' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Note for visitors').fill('The roof leaks.');
    await dialog.getByRole('button', { name: 'Cancel event' }).click();
    await page.getByText('The event is cancelled.').waitFor();
    expect((await stored('Rainy'))[0]).toMatchObject({
      event_status: 'cancelled',
      event_status_reason: 'The roof leaks.',
    });
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('Undone.').waitFor();
    // Not lost with the message that had the button.
    await page.locator('main:focus').waitFor();
    expect((await stored('Rainy'))[0].event_status ?? 'scheduled').toBe('scheduled');
    await page.getByRole('button', { name: 'Cancel event' }).click();
    await dialog.getByRole('button', { name: 'Cancel event' }).click();
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Close' }).first().click();
    // Another user has decided otherwise meanwhile, and that stays.
    await server().make(`PATCH /events/${id}`, { event_status: 'postponed' });
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('has been changed since', { exact: false }).waitFor();
    expect(await page.getByText('Undone.').count()).toBe(0);
    expect((await stored('Rainy'))[0].event_status).toBe('postponed');
  });
});

it('refunds a cancelled event, and shows the outcome after a reload', async () => {
  const event = await makeEvent(server(), { title: 'Stormy' });
  const ticket = await makeSeat(server(), event, 9, { price: '20' });
  for (const quantity of [1, 2])
    await server().make('POST admin:/orders', { items: [{ ticket_id: ticket, quantity }], payment: 'cash' });
  await server().make(`PATCH /events/${event}`, { event_status: 'cancelled' });
  await open('editor', `/events/${event}`, async (page) => {
    await page.getByRole('heading', { name: 'Stormy' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('button', { name: 'Refund the orders' }).count()).toBe(0);
  });
  await open('administrator', `/events/${event}`, async (page) => {
    await page.getByText('2 orders have $60.00 to refund.').waitFor();
    await page.getByRole('button', { name: 'Refund the orders' }).click();
    const dialog = page.getByRole('dialog');
    for (const line of ['2 orders are refunded', '3 places are', '$60.00 was received offline'])
      await dialog.getByText(line, { exact: false }).waitFor();
    await dialog.getByLabel('Reason').fill('Storm');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Refund the orders' }).click();
    await page.getByText('one by one', { exact: false }).waitFor();
    await page.reload();
    await page.getByText('one by one', { exact: false }).waitFor();
    await runJobs(server().context);
    await page.getByText('2 orders: $60.00 refunded.').waitFor();
    await page.getByText('one by one', { exact: false }).waitFor({ state: 'detached' });
  });
});

it.each([
  ['desktop', DESKTOP, 'dark'],
  ['phone', PHONE, 'light'],
] as const)('moves an event in the calendar by keyboard only, on a %s', async (name, viewport, colorScheme) => {
  const title = `Moved on a ${name}`;
  const dates = { start_date: '2027-05-08 22:00', end_date: '2027-05-09 01:00' };
  const { id } = await server().make('POST /events', { title, status: 'publish', ...dates });
  for (const [event_status, end] of [
    ['cancelled', '12 21:00'],
    ['postponed', '14 21:00'],
  ])
    await server().make('POST /events', {
      ...{ title: `Off on a ${name}`, status: 'publish', event_status },
      ...{ start_date: '2027-05-12 19:00', end_date: `2027-05-${end}` },
    });
  const body = async (page: Page) => {
    await page.getByRole('button', { name: `7:00 PM Cancelled Off on a ${name}` }).waitFor();
    await page.getByRole('button', { name: `Postponed Off on a ${name}` }).waitFor();
    await page.getByRole('button', { name: title }).focus();
    if (name === 'desktop') await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Move to another day' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Day').fill('2027-05-20');
    await page.getByRole('button', { name: 'Move event' }).press('Enter');
    await page.getByText('The event is moved.').waitFor();
    expect(await stored(title)).toMatchObject([{ start_date: '2027-05-20 22:00:00', end_date: '2027-05-21 01:00:00' }]);
    if (name === 'phone') return;
    // Changes of another user meanwhile are not undone.
    await server().ask(`PATCH /events/${id}`, { as: 'administrator', body: { start_date: '2027-05-20 20:00' } });
    await page.getByRole('button', { name: 'Undo', exact: true }).press('Enter');
    await page.locator('.toast.bad').waitFor();
    expect(await stored(title)).toMatchObject([{ start_date: '2027-05-20 20:00:00' }]);
  };
  await open('editor', '/calendar?month=2027-05', body, { viewport, colorScheme });
});
