import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { editTicket, makeEvent, makeTicket } from '../../tickets.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, expectAccessibleOnBoth, follow, tick, useConsole } from './console.ts';

const { server, open } = useConsole();

const named = async (title: string) =>
  (
    await server().ask('GET /events', {
      as: 'editor',
      query: { search: title, status: 'any', start_date: '1971-01-01', end_date: '2999-12-31' },
    })
  ).body.events;

const saleEnds = async (event: number) =>
  (
    await server().ask('GET tickets:/tickets', { as: 'editor', query: { include_post: event, post_status: 'any' } })
  ).body.tickets.map((ticket: { available_until: string }) => ticket.available_until.slice(0, 10));

const dialog = (page: Page) => page.getByRole('dialog');

it('asks for the days of copies, and marks them as copies, on a phone as on a desktop', async () => {
  const title = 'Yearly fair';
  const id = await makeEvent(server(), { title, status: 'publish' });
  await makeTicket(server(), id, { end_date: '2027-03-05' });
  const body = async (page: Page) => {
    await page.getByRole('button', { name: 'Duplicate' }).click();
    // Without a day there is no copy.
    await page.keyboard.press('Enter');
    await dialog(page).getByLabel('New day').fill('2028-03-04');
    await dialog(page).getByRole('button', { name: 'Add another day' }).click();
    expect(await dialog(page).getByLabel('Day 2', { exact: true }).inputValue()).toBe('2028-03-11');
    await expectAccessibleOnBoth(page);
    await dialog(page).getByRole('button', { name: 'Create 2 copies' }).click();
    await page.getByText('2 copies are saved as drafts.').waitFor();
    await page.getByText('Draft copy').first().waitFor();
    await page.getByText(title).first().click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByText('Copy of').waitFor();
    await page.getByRole('link', { name: `${title}, Sat, Mar 6, 2027` }).waitFor();
  };
  await open('editor', `/events/${id}`, body, { viewport: PHONE, colorScheme: 'dark' });
  const copies = (await named(title)).filter((event: { id: number }) => event.id !== id);
  expect(copies).toMatchObject([
    { status: 'draft', start_date: '2028-03-04 18:30:00', end_date: '2028-03-04 21:00:00' },
    { status: 'draft', start_date: '2028-03-11 18:30:00' },
  ]);
  expect(await saleEnds(copies[0].id)).toEqual(['2028-03-03']);
});

it('makes copies of many events at the same distance', async () => {
  const id = await makeEvent(server(), { title: 'Season opening', status: 'publish' });
  await open('editor', '/events?search=Season', async (page) => {
    await tick(page.getByRole('grid').getByRole('checkbox').last());
    await page.getByRole('button', { name: 'Duplicate' }).click();
    await dialog(page).getByLabel('Unit').selectOption('years');
    await dialog(page).getByText('“Season opening” will be on Mon, Mar 6, 2028.').waitFor();
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Create the copy' }).click();
    await page.getByText('One copy is saved as a draft.').waitFor();
  });
  const copies = (await named('Season opening')).filter((event: { id: number }) => event.id !== id);
  expect(copies).toMatchObject([{ status: 'draft', start_date: '2028-03-06 18:30:00' }]);
});

it('moves the end with the start, and the sale of the tickets unless told not to', async () => {
  const id = await makeEvent(server(), { title: 'Outdoor concert', status: 'publish' });
  await makeTicket(server(), id, { end_date: '2027-03-05' });
  const move = async (day: string, keepsSales: boolean) =>
    open('editor', `/events/${id}`, async (page) => {
      await page.getByLabel('From', { exact: true }).fill(`${day}T19:30`);
      expect(await page.getByLabel('Until', { exact: true }).inputValue()).toBe(`${day}T22:00`);
      const sales = page.getByText('Move the sale periods of the tickets too');
      await sales.waitFor();
      if (keepsSales) await sales.click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Saved.').waitFor();
    });
  await move('2027-05-06', false);
  expect(await named('Outdoor concert')).toMatchObject([{ start_date: '2027-05-06 19:30:00' }]);
  expect(await saleEnds(id)).toEqual(['2027-05-05']);
  await move('2027-06-06', true);
  expect(await named('Outdoor concert')).toMatchObject([{ end_date: '2027-06-06 22:00:00' }]);
  expect(await saleEnds(id)).toEqual(['2027-05-05']);
});

it('warns before an event is published of which no ticket is on sale', async () => {
  const id = await makeEvent(server(), { title: 'Forgotten sale', status: 'draft' });
  await makeTicket(server(), id, { start_date: '2020-01-01', end_date: '2020-02-01' });
  await open('editor', `/events/${id}`, async (page) => {
    await page.getByRole('button', { name: 'Publish' }).click();
    await dialog(page).getByText('the sale has ended.').waitFor();
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Not yet' }).click();
    expect(await named('Forgotten sale')).toMatchObject([{ status: 'draft' }]);
    await page.getByRole('button', { name: 'Publish' }).click();
    await dialog(page).getByRole('button', { name: 'Publish anyway' }).click();
    await page.getByRole('heading', { name: 'The event is published.' }).waitFor();
  });
  expect(await named('Forgotten sale')).toMatchObject([{ status: 'publish' }]);
});

it('postpones an event by a dialog that asks whether its sale stays open', async () => {
  const id = await makeEvent(server(), { title: 'Rained off', status: 'publish' });
  await makeTicket(server(), id);
  const shown = async () => (await server().ask(`GET /events/${id}`, { as: 'editor' })).body;
  await open('editor', `/events/${id}`, async (page) => {
    await page.getByRole('button', { name: 'Postpone event' }).click();
    await dialog(page).getByLabel('Note for visitors').fill('It rains.');
    await dialog(page).getByText('Keep selling tickets').click();
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Postpone event' }).click();
    await page.getByText('The event is postponed.').waitFor();
    const open = { event_status: 'postponed', event_status_reason: 'It rains.', sale_stays_open: true };
    expect(await shown()).toMatchObject(open);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(async () => (await shown()).event_status ?? 'scheduled').toBe('scheduled');
    // By the form, which asks the same, once it shows the event as it is now.
    await expect.poll(() => page.getByLabel('Takes place').inputValue()).toBe('scheduled');
    await page.getByLabel('Takes place').selectOption('Postponed');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Postpone event' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await shown()).toMatchObject({ event_status: 'postponed' });
    expect((await shown()).sale_stays_open ?? false).toBe(false);
  });
});

it('publishes by its button only, and creates no venue of a half-typed name', async () => {
  await server().make('POST /venues', { venue: 'Kulturhalle Aare', address: 'Quay 3', city: 'Bern' });
  const place = (page: Page) => page.getByRole('combobox', { name: 'Venue', exact: true });
  const venues = async () => (await server().ask('GET /venues', { as: 'editor', query: { status: 'any' } })).body.total;
  await open('editor', '/events/new?day=2027-09-04', async (page) => {
    // The only venue of a site is proposed.
    await place(page).waitFor();
    await expect.poll(() => place(page).inputValue()).toBe('Kulturhalle Aare');
    await page.getByLabel('Title').fill('Autumn fair');
    await page.getByLabel('Title').press('Enter');
    await page.getByLabel('Until').press('Enter');
    await place(page).fill('Kul');
    await page.getByRole('option', { name: 'Kulturhalle Aare Quay 3, Bern' }).waitFor();
    await place(page).press('Enter');
    await page.getByLabel('Until').focus();
    await page.getByText('“Kul” is not chosen yet').waitFor();
    await page.getByRole('button', { name: 'Publish event' }).click();
    await page.getByText('There is no venue “Kul”.').waitFor();
    await expectAccessible(page);
    expect([(await named('Autumn fair')).length, await venues()]).toEqual([0, 1]);
    await place(page).fill('kulturhalle aare');
    await place(page).press('Tab');
    await page.getByRole('button', { name: 'Publish event' }).click();
    await page.getByText('What can still be added').waitFor();
  });
  expect(await named('Autumn fair')).toMatchObject([{ status: 'publish', venue: { venue: 'Kulturhalle Aare' } }]);
  expect(await venues()).toBe(1);
});

it.each([
  ['desktop', DESKTOP, 'dark'],
  ['phone', PHONE, 'light'],
] as const)(
  'shows the address of a published event and the possible next steps, on a %s',
  async (name, viewport, colorScheme) => {
    const id = await makeEvent(server(), { title: `Announced on a ${name}`, status: 'draft' });
    await open(
      'editor',
      `/events/${id}`,
      async (page) => {
        await page.getByRole('button', { name: 'Publish' }).click();
        const notice = page.getByRole('region', { name: 'The event is published.' });
        await notice.getByRole('link', { name: `/event/announced-on-a-${name}/` }).waitFor();
        for (const label of ['Copy the address', 'A picture', 'A description', 'A category', 'Add tickets'])
          await notice.getByRole('button', { name: label }).waitFor();
        expect(await page.getByRole('link', { name: 'Edit', exact: true }).getAttribute('aria-current')).toBe('page');
        await expectAccessible(page);
        await notice.getByRole('button', { name: 'A picture' }).click();
        await page.locator('#picture:focus').waitFor();
        await notice.getByRole('button', { name: 'Close this note' }).click();
        await notice.waitFor({ state: 'detached' });
      },
      { viewport, colorScheme },
    );
  },
);

describe('the change of a field of many events', () => {
  const choose = async (page: Page, search: string, count: number) => {
    await follow(page, `/events?search=${search}&view=drafts`);
    await tick(page.getByRole('checkbox', { name: 'Select this page' }));
    await page.getByText(`${count} selected`).waitFor();
    await page.getByRole('button', { name: 'Change a field' }).click();
  };

  it('sets the venue after a preview, sends nothing else, and can be undone', async () => {
    const hall = await server().make('POST /venues', { venue: 'Bulk Hall' });
    const yard = await server().make('POST /venues', { venue: 'Bulk Yard' });
    for (const [index, { id: venue }] of [hall, yard, yard].entries())
      await makeEvent(server(), { title: `Moved ${index}`, status: 'draft', venue });
    const venues = async () => (await named('Moved')).map(({ venue }: { venue: { venue: string } }) => venue.venue);
    await open('editor', '/events', async (page) => {
      const sent: { body: unknown }[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/admin/v1/batch')) sent.push(...request.postDataJSON().calls);
      });
      await choose(page, 'Moved', 3);
      await dialog(page).getByRole('combobox', { name: 'Venue' }).fill('Bulk H');
      await page.getByRole('option', { name: 'Bulk Hall' }).click();
      await dialog(page).getByText('2 events change.').waitFor();
      await dialog(page).getByText('One has this already.').waitFor();
      await expectAccessible(page);
      await dialog(page).getByRole('button', { name: 'Change 2 events' }).click();
      await page.getByText('2 events are changed.').waitFor();
      expect(sent.map(({ body }) => body)).toEqual([{ venue: [hall.id] }, { venue: [hall.id] }]);
      expect(await venues()).toEqual(['Bulk Hall', 'Bulk Hall', 'Bulk Hall']);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(venues).toEqual(['Bulk Hall', 'Bulk Yard', 'Bulk Yard']);
    });
  });

  it('asks before it publishes events of which no ticket is on sale', async () => {
    const id = await makeEvent(server(), { title: 'Shelved piece', status: 'draft' });
    await makeTicket(server(), id, { start_date: '2020-01-01', end_date: '2020-02-01' });
    await open('editor', '/events', async (page) => {
      await choose(page, 'Shelved', 1);
      await dialog(page).getByLabel('Field').selectOption('Status');
      expect(await dialog(page).getByRole('button', { name: 'Change one event' }).count()).toBe(0);
      await dialog(page).getByLabel('Status').selectOption('Published');
      await dialog(page).getByRole('button', { name: 'Change one event' }).click();
      await page.getByText('the sale has ended.').waitFor();
      expect(await named('Shelved')).toMatchObject([{ status: 'draft' }]);
      await page.getByRole('button', { name: 'Publish anyway' }).click();
      await page.getByText('One event is changed.').waitFor();
      expect(await named('Shelved')).toMatchObject([{ status: 'publish' }]);
    });
  });

  it('sets the sale and the places of their tickets, one after the other, and can undo that', async () => {
    const events: number[] = [];
    for (const title of ['Ticketed one', 'Ticketed two'])
      events.push(await makeEvent(server(), { title, status: 'draft' }));
    for (const id of events)
      await makeTicket(server(), id, { end_date: '2027-03-05', ticket: { mode: 'own', capacity: 40 } });
    await makeTicket(server(), events[1] ?? 0, { name: 'Late', end_date: '2027-03-06', end_time: '18:30:00' });
    const tickets = async () =>
      (
        await server().ask('GET tickets:/tickets', {
          as: 'editor',
          query: { include_post: events.join(), post_status: 'any' },
        })
      ).body.tickets as { id: number; post_id: number; available_until: string; capacity_details: { max: number } }[];
    const ends = async () => (await tickets()).map((one) => one.available_until).sort();
    const places = async () => (await tickets()).map((one) => one.capacity_details.max);
    const start = async (page: Page) => {
      await page.goto('/console/events?search=Ticketed&view=drafts');
      await tick(page.getByRole('checkbox', { name: 'Select this page' }));
      await page.getByRole('button', { name: 'Change the tickets' }).click();
    };
    const before = await ends();
    await open('editor', '/events', async (page) => {
      await start(page);
      await dialog(page).getByLabel('Sale ends').selectOption('At the start of the event');
      await dialog(page).getByText('2 tickets change.').waitFor();
      await dialog(page).getByText('One stays as it is.').waitFor();
      await dialog(page)
        .getByText(/Ticketed one, .*: until Sat, Mar 6, 2027, 6:30/)
        .waitFor();
      await expectAccessible(page);
      await dialog(page).getByRole('button', { name: 'Change 2 tickets' }).click();
      await page.getByText('2 tickets are changed.').waitFor();
      expect(await ends()).toEqual(Array.from({ length: 3 }, () => '2027-03-06 18:30:00'));
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await expect.poll(ends).toEqual(before);
      await start(page);
      await dialog(page).getByLabel('Field').selectOption('Places');
      await dialog(page).getByLabel('Number of places').fill('60');
      await dialog(page)
        .getByText(/Ticketed one, .*: 40 → 60 places/)
        .waitFor();
      await dialog(page).getByRole('button', { name: 'Change 3 tickets' }).click();
      await page.getByText('3 tickets are changed.').waitFor();
      expect(await places()).toEqual([60, 60, 60]);
      const [first] = await tickets();
      const body = { post_id: first?.post_id, ticket: { mode: 'own', capacity: 70 } };
      expect((await editTicket(server(), first?.id ?? 0, body)).text).toContain('"max":70');
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await expect.poll(places).toEqual([70, 40, 40]);
      expect(await page.getByText('Undone.').count()).toBe(0);
    });
  });
});
