import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { orderNumber } from '../../../src/lib/order-number.ts';
import { createRefusalCounter } from '../../../src/platform/limits/refusals.ts';
import { buy } from '../../buyers.ts';
import { ADA } from '../../shopper.ts';
import { makeTicket } from '../../tickets.ts';
import { houseAudit } from '../axe.ts';
import { makeShow } from '../sale.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, follow, keyboardOf, tick, useConsole } from './console.ts';

const { server, open } = useConsole();

let show = { id: 0, path: '' };
let adults = 0;
let child = 0;
let first = 0;
beforeAll(async () => {
  show = await makeShow(server(), { title: 'Lantern Night' });
  const shared = { event_capacity: 80 };
  adults = (await makeTicket(server(), show.id, { name: 'Adults', price: '20', ticket: { mode: 'global', ...shared } }))
    .id;
  child = (
    await makeTicket(server(), show.id, {
      name: 'Children',
      price: '8',
      ticket: { mode: 'capped', capacity: 2, ...shared },
    })
  ).id;
  const people = ['Ada Lovelace', 'Grace Hopper', 'Alan Turing'];
  for (const full_name of people) {
    const email = `${full_name.split(' ')[0]?.toLowerCase()}@example.com`;
    const { id } = await server().make('POST tickets:/attendees', { ticket_id: adults, full_name, email });
    first ||= id;
  }
});

const pathsOf = () => [
  '/attendees',
  ...['tickets', 'capacity', 'attendees'].map((name) => `/events/${show.id}/${name}`),
  `/events/${show.id}/tickets?open=${child}`,
  `/attendees?open=${first}`,
];

it.each([
  { viewport: DESKTOP, colorScheme: 'light', locale: 'fr-FR' },
  { viewport: PHONE, colorScheme: 'dark', locale: 'de-DE' },
] as const)('every screen is accessible, at %j', async (options) => {
  await open(
    'editor',
    '/attendees',
    async (page) => {
      for (const path of pathsOf()) {
        await follow(page, path);
        // Both schemes have the same elements; axe takes seconds for each of them.
        if (options.colorScheme === 'dark') await expectAccessible(page);
        else expect(await page.evaluate(houseAudit)).toEqual([]);
        await page.setViewportSize(options.viewport);
      }
    },
    options,
  );
});

const select = (page: Page, name: string) => tick(page.getByRole('row', { name }).getByRole('checkbox'));

it('Home says how many requests for free places were refused today', async () => {
  const count = createRefusalCounter(server().context);
  await Promise.all([count('free-places'), count('free-places')]);
  await open('editor', '/', async (page) => {
    await page.getByText('2 requests for free places were refused today').waitFor();
  });
});

describe('attendees', () => {
  it('are found, checked in together with a report of failures, and checked out again', async () => {
    await open('editor', '/attendees', async (page) => {
      await page.getByRole('searchbox').fill('ada@example');
      await page.getByText('Grace Hopper').waitFor({ state: 'detached' });
      await select(page, 'Ada Lovelace');
      await page.getByRole('button', { name: 'Check in' }).click();
      await page.getByText('One person is checked in.').waitFor();
      await page.getByRole('searchbox').fill('');
      await page.getByText('Grace Hopper').waitFor();
      for (const name of ['Ada Lovelace', 'Grace Hopper', 'Alan Turing']) await select(page, name);
      await page.getByRole('button', { name: 'Check in' }).click();
      await page.getByText('2 of 3 done.').waitFor();
      await page.getByRole('dialog').getByText('Ada Lovelace').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await page.getByText('2 people are checked in.').locator('..').getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone.').waitFor();
    });
    const { attendees } = (await server().ask('GET admin:/attendees', { as: 'editor' })).body;
    expect(attendees.map(({ checked_in }: { checked_in: boolean }) => checked_in)).toEqual([true, false, false]);
  });

  it('lose their seats together, but checked-in attendees keep them', async () => {
    const fair = await makeShow(server(), { title: 'Fair' });
    const { id } = await makeTicket(server(), fair.id, { price: '20', ticket: { mode: 'own', capacity: 9 } });
    const add = (full_name: string) =>
      server().make('POST tickets:/attendees', { ticket_id: id, full_name, email: 'one@example.com' });
    const inside = await add('Edsger Dijkstra');
    await add('Barbara Liskov');
    await server().make(`PATCH tickets:/attendees/${inside.id}`, { check_in: true });
    await open('editor', `/events/${fair.id}/attendees`, async (page) => {
      for (const name of ['Edsger Dijkstra', 'Barbara Liskov']) await select(page, name);
      const open = page.getByRole('button', { name: 'Cancel places' });
      await open.click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('One person is checked in and keeps the place.').waitFor();
      for (const said of ['The place is free again', 'One order has no place left', '$20.00 was paid for them.'])
        await dialog.getByText(said).waitFor();
      await dialog.getByLabel('Reason').fill('Ill');
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Cancel 1 place' }).click();
      await page.getByText('1 place is cancelled.').waitFor();
      await page.getByText('Barbara Liskov').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Archived' }).click();
      await select(page, 'Barbara Liskov');
      await open.click();
      await dialog.getByText('One place was given back already.').waitFor();
      await dialog.getByText('None of these places can be cancelled.').waitFor();
      expect(await dialog.getByLabel('Reason').count()).toBe(0);
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await dialog.waitFor({ state: 'detached' });
      await open.waitFor();
    });
    const { attendees } = (await server().ask(`GET admin:/attendees?event=${fair.id}`, { as: 'editor' })).body;
    expect(attendees).toMatchObject([{ full_name: 'Edsger Dijkstra', checked_in: true }]);
  });

  it('lose some places of an order by keyboard only, on a phone', async () => {
    const gala = await makeShow(server(), { title: 'Gala' });
    const { id } = await makeTicket(server(), gala.id, { price: '15', ticket: { mode: 'own', capacity: 9 } });
    const purchaser = { name: 'Mary Keller', email: 'mary@example.com' };
    const sale = { items: [{ ticket_id: id, quantity: 3 }], payment: 'cash', purchaser };
    const order = await server().make('POST admin:/orders', sale, 'editor');
    const flow = async (page: Page) => {
      const hand = keyboardOf(page);
      for (const place of [0, 2]) await hand.check(page.locator('tbody').getByRole('checkbox').nth(place));
      await hand.press(page.getByRole('button', { name: 'Cancel places' }));
      const dialog = page.getByRole('dialog');
      await dialog.getByText('$30.00 was paid for them.').waitFor();
      expect(await dialog.getByText(/no place left/).count()).toBe(0);
      await expectAccessible(page);
      await hand.press(dialog.getByRole('button', { name: 'Cancel 2 places' }));
      await page.getByText('2 places are cancelled.').waitFor();
      await page.locator('tr:focus, tr :focus').waitFor({ state: 'attached' });
    };
    await open('editor', `/events/${gala.id}/attendees`, flow, { viewport: PHONE, colorScheme: 'dark' });
    const { body } = await server().ask(`GET admin:/orders/${order.id}`, { as: 'editor' });
    expect(body).toMatchObject({ status: 'completed', total: { minor: 1500 } });
    expect(body.log.filter(({ action }: { action?: string }) => action === 'places').length).toBe(1);
  });

  it('move to a ticket of another event after a preview, and back', async () => {
    const [rain, sun] = [
      await makeShow(server(), { title: 'Rained off' }),
      await makeShow(server(), { title: 'Sunny', start_date: '2027-04-03 18:30', end_date: '2027-04-03 21:00' }),
    ];
    const { id: from } = await makeTicket(server(), rain.id, { price: '20', ticket: { mode: 'own', capacity: 9 } });
    const { id: to } = await makeTicket(server(), sun.id, { name: 'Lawn', ticket: { mode: 'own', capacity: 3 } });
    for (const full_name of ['Radia Perlman', 'Joan Clarke'])
      await server().make('POST tickets:/attendees', { ticket_id: from, full_name, email: 'one@example.com' });
    const ticketsOf = async (event: number) =>
      (await server().ask(`GET admin:/attendees?event=${event}`, { as: 'editor' })).body.attendees.map(
        ({ ticket_id }: { ticket_id: number }) => ticket_id,
      );
    await open('editor', `/events/${rain.id}/attendees`, async (page) => {
      for (const name of ['Radia Perlman', 'Joan Clarke']) await select(page, name);
      await page.getByRole('button', { name: 'Move', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Move 2 people' });
      await dialog.getByRole('button', { name: 'Rained off' }).click();
      await page.getByRole('searchbox', { name: 'Event' }).fill('Sunny');
      await page
        .getByRole('option', { name: 'Sunny' })
        .or(page.getByRole('menuitem', { name: 'Sunny' }))
        .click();
      expect(await dialog.getByRole('button', { name: 'Move', exact: true }).count()).toBe(0);
      await dialog.getByLabel('Ticket').selectOption('Lawn (3 places left)');
      await dialog.getByText(/2 people move to Lawn, Sunny, .*Apr 3, 2027/).waitFor();
      await dialog.getByText('One place is left there afterwards.').waitFor();
      await dialog.getByText('Printed tickets still show the former event', { exact: false }).waitFor();
      await expectAccessible(page);
      expect(await ticketsOf(sun.id)).toEqual([]);
      await dialog.getByRole('button', { name: 'Move', exact: true }).click();
      await page.getByText('2 people are moved.').waitFor();
      expect([await ticketsOf(rain.id), await ticketsOf(sun.id)]).toEqual([[], [to, to]]);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => ticketsOf(rain.id)).toEqual([from, from]);
    });
  });

  it('can be renamed by keyboard only', async () => {
    await open('editor', `/events/${show.id}/attendees`, async (page) => {
      await page.getByRole('row', { name: 'Alan Turing' }).focus();
      await page.keyboard.press('Enter');
      const name = page.getByRole('dialog').getByLabel('Name', { exact: true });
      await name.focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('Alan M. Turing');
      await page.keyboard.press('Control+s');
      await page.getByRole('row', { name: 'Alan M. Turing', includeHidden: true }).waitFor({ state: 'attached' });
    });
  });

  it('are shown to the role door without actions that it may not take', async () => {
    await open('door', `/events/${show.id}/attendees`, async (page) => {
      await select(page, 'Ada Lovelace');
      await page.getByRole('button', { name: 'Check in' }).waitFor();
      expect(await page.getByRole('button', { name: 'Move', exact: true }).count()).toBe(0);
      expect(await page.getByRole('link', { name: 'Capacity' }).count()).toBe(0);
    });
  });
});

describe('tickets', () => {
  it('swap with their neighbours, as customers see them', async () => {
    await open('editor', `/events/${show.id}/tickets`, async (page) => {
      // The table shows the new order before the move has ended.
      await page.route('**/tickets/v1/tickets?*', async (route) => {
        await delay(300);
        await route.continue();
      });
      await page.getByRole('button', { name: 'Move Children up' }).click();
      await page.getByText('The order of the tickets is saved.').waitFor();
      await page.getByRole('row').nth(1).filter({ hasText: 'Children' }).waitFor();
      const order = async () => {
        const { body } = await server().ask(`GET admin:/events/${show.id}/stock`, { as: 'editor' });
        return body.tickets.map(({ title }: { title: string }) => title);
      };
      expect(await order()).toEqual(['Children', 'Adults']);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone.').waitFor();
      expect(await order()).toEqual(['Adults', 'Children']);
    });
  });

  it('limit the places of one order, as the page says, until the field is emptied', async () => {
    const limit = async () => (await server().ask(`GET tickets:/tickets/${child}`)).body.max_per_order;
    const save = async (page: Page, text: string) => {
      const field = page.getByRole('textbox', { name: 'Maximum places per order', exact: true });
      await field.fill(text);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' });
      return field.inputValue();
    };
    await open('editor', `/events/${show.id}/tickets?open=${child}`, async (page) => {
      expect(await save(page, 'at most 1')).toBe('1');
      expect(await limit()).toBe(1);
      await page.goto(show.path);
      await page.getByText('At most one per order').waitFor();
      expect(await page.locator(`#ticket-${child}`).getAttribute('max')).toBe('1');
      await page.goto(`/console/events/${show.id}/tickets?open=${child}`);
      expect(await save(page, '')).toBe('20');
      expect(await limit()).toBeUndefined();
    });
  });

  it('are made by a preset, and sell on the public page', async () => {
    const other = await makeShow(server());
    await open('editor', `/events/${other.id}/tickets`, async (page) => {
      await page.getByRole('button', { name: 'New tickets' }).click();
      await page.getByRole('button', { name: 'Adults and children' }).click();
      await page.getByLabel('Price', { exact: true }).fill('20');
      await page.getByLabel('Price of the second ticket').fill('8');
      await page.getByLabel('Places in all').fill('80');
      await page.getByRole('button', { name: 'Create the tickets' }).click();
      await page.getByText('2 tickets are created.').waitFor();
      await page.goto(other.path);
      await page.locator('.tickets').getByText('Children').waitFor();
    });
  });

  it('have their capacity in sentences, and more places by one step', async () => {
    await open('editor', `/events/${show.id}/capacity`, async (page) => {
      await page
        .getByText(/3 sold · 77 left/)
        .first()
        .waitFor();
      await page.getByRole('button', { name: 'Change the places' }).first().click();
      await page.getByRole('textbox', { name: 'Places' }).fill('90');
      await page.getByRole('button', { name: 'Save the places' }).click();
      await page
        .getByText(/3 sold · 87 left/)
        .first()
        .waitFor();
    });
  });
});

it('gives a ticket a new code after a question, which ends the former code and link', async () => {
  const gala = await makeShow(server(), { title: 'Code gala' });
  const seat = (await makeTicket(server(), gala.id, { price: '', ticket: { mode: 'own', capacity: 9 } })).id;
  const [former] = (await buy(server(), [seat])).attendees;
  const id = former?.id ?? 0;
  const read = async () => (await server().ask(`GET admin:/attendees/${id}`, { as: 'editor' })).body;
  await open('editor', `/attendees?open=${id}`, async (page) => {
    const renew = page.getByRole('button', { name: 'Create a new code' });
    await renew.click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('stop working at once', { exact: false }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Keep the code' }).click();
    expect((await read()).security_code).toBe(former?.security_code);
    await renew.click();
    await dialog.getByRole('button', { name: 'Create a new code' }).click();
    await page.getByText('The ticket has a new code.').waitFor();
    const { security_code, url } = await read();
    expect([security_code === former?.security_code, url === former?.url]).toEqual([false, false]);
    await page.locator(`a[href$="${new URL(url).pathname}"]`).waitFor();
  });
});

it.each(['editor', 'box_office'] as const)(
  'lets the %s take the money of an order at the door, by the code on its ticket',
  async (role) => {
    const fair = await makeShow(server(), { title: 'Book fair' });
    const seat = (await makeTicket(server(), fair.id, { price: '20', ticket: { mode: 'own', capacity: 9 } })).id;
    const { id, attendees } = await buy(server(), [seat, seat]);
    const [{ security_code: code } = { security_code: '' }] = attendees;
    await open(role, `/attendees?search=${code}`, async (page) => {
      await page.getByRole('rowheader', { name: ADA.name }).click();
      const panel = page.getByRole('dialog');
      await panel.getByRole('heading', { name: 'Unpaid: $40.00' }).waitFor();
      await panel.getByText(`Order ${orderNumber(id)}, ${ADA.name}`).waitFor();
      await panel.getByRole('button', { name: 'Take $40.00' }).click();
      await page.getByRole('button', { name: 'Payment received' }).click();
      await page.getByText('The order is paid.').waitFor();
      await panel.getByRole('heading', { name: 'Unpaid: $40.00' }).waitFor({ state: 'detached' });
    });
    const order = await server().ask(`GET admin:/orders/${id}`, { as: 'editor' });
    expect(order.body.status).toBe('completed');
  },
);
