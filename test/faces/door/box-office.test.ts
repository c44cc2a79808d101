import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { makeSeat, soldOf } from '../../attendees.ts';
import { buy } from '../../buyers.ts';
import { makeGate } from '../../door.ts';
import { makeEvent } from '../../tickets.ts';
import { accessibilityProblems } from '../axe.ts';
import { handScan, isIn, openDoor, typeFast, until, useDoor, verdictOn } from './door.ts';

const { server, start, cut, mend, origin } = useDoor();

/** Problems in light and in dark colours. */
async function problemsIn(page: Page): Promise<string[]> {
  const problems: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    problems.push(...(await accessibilityProblems(page)));
  }
  return problems;
}

it('sells places, takes the money of an unpaid order, and sums up the shift', async () => {
  const event = await makeEvent(server(), { title: 'Lantern Night' });
  const ticket = await makeSeat(server(), event, 5, { name: 'Adult' });
  const gate = await makeGate(server(), [event], { may_sell: true });
  await server().make('PATCH admin:/site', { payment_ways: [{ id: 'door', at_door: true, hold_hours: null }] });
  const { id: order } = await buy(server(), [ticket]);
  const { query } = server().context.db;
  const { id } = await query
    .selectFrom('attendees')
    .select('id')
    .where('order_id', '=', order)
    .executeTakeFirstOrThrow();
  const { content } = (await server().ask(`GET admin:/attendees/${id}`, { as: 'administrator' })).body;
  const device = await start();
  let { page } = device;
  await openDoor(device, server(), { gate });

  // The verdict says what is owed; a second tap after a lost response takes nothing twice.
  await page.evaluate(typeFast(content));
  expect(await verdictOn(page, 'Not paid')).toContain('Owed: $10.00');
  expect(await problemsIn(page)).toEqual([]);
  let lost = 0;
  await device.context.route(`${origin()}/calendar/admin/v1/door/payments`, async (route) => {
    lost += 1;
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: '$10.00 cash' }).click();
  await page.getByText('No response. Try again').waitFor();
  // The phone dies: the sale is asked for again, and not made again.
  await device.restart();
  ({ page } = device);
  await page.goto('/door/');
  await page.getByRole('button', { name: 'Open the door' }).click();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByText('A sale has no response yet').waitFor();
  await page.getByRole('button', { name: 'Sell places' }).click();
  await page.getByText('A sale of $10.00 has no response yet').waitFor();
  expect(await problemsIn(page)).toEqual([]);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('1 place, order').waitFor();
  for (const screen of ['Sold', 'Menu']) {
    await page.getByRole('heading', { name: screen }).waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
  }
  await handScan(page, content, 'Welcome');
  await until(() => isIn(server(), id));
  const paid = (await server().ask(`GET admin:/orders/${order}`, { as: 'administrator' })).body;
  expect([lost, paid.status, paid.payments.length]).toEqual([1, 'completed', 1]);

  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Sell places' }).click();
  await page.getByText('4 left').waitFor();
  for (let count = 0; count < 2; count += 1) await page.getByRole('button', { name: 'One more' }).click();
  await page.getByText('Total: $20.00').waitFor();
  expect(await problemsIn(page)).toEqual([]);
  await page.getByRole('button', { name: 'Card', exact: true }).click();
  await page.getByText('2 places, order').waitFor();
  expect(await problemsIn(page)).toEqual([]);
  expect(await soldOf(server(), ticket)).toBe(3);
  await page.getByRole('button', { name: 'Let 2 guests in' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByText('3 of 3 in').waitFor();

  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'End the shift' }).click();
  await page.getByText('Cash: $10.00 (1)').waitFor();
  await page.getByText('Card: $20.00 (1)').waitFor();
  expect(await problemsIn(page)).toEqual([]);
  await page.getByRole('button', { name: 'Back' }).click();
  await cut();
  await page.getByRole('button', { name: 'Sell places' }).click();
  await page.getByText('The box office needs the server').waitFor();
  await mend();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('2 left').waitFor();
  expect(device.complaints).toEqual([]);
});

it('sells nothing at a gate without the right', async () => {
  const event = await makeEvent(server());
  await makeSeat(server(), event, 5);
  const gate = await makeGate(server(), [event]);
  const device = await start();
  await openDoor(device, server(), { gate });
  await device.page.getByRole('button', { name: 'Menu' }).click();
  await device.page.getByRole('button', { name: 'End the shift' }).waitFor();
  expect(await device.page.getByRole('button', { name: 'Sell places' }).count()).toBe(0);
  await device.page.getByRole('button', { name: 'Back' }).click();
  expect(await handScan(device.page, 'https://elsewhere.example/', 'Not known')).toContain('not the code of a ticket');
});
