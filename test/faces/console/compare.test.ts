import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { makeSeat } from '../../attendees.ts';
import { makeEvent } from '../../tickets.ts';
import { useConsole } from './console.ts';

const { server, open } = useConsole();

const add = (page: Page) => page.getByRole('button', { name: 'Events: Add an event' });

async function makeShow(title: string): Promise<number> {
  const id = await makeEvent(server(), { title, status: 'publish' });
  await makeSeat(server(), id, 40);
  return id;
}

it('offers to add events when all that are compared are deleted', async () => {
  const ids = Array.from({ length: 8 }, (_, index) => 900_001 + index);
  const show = await makeShow('Brass at dawn');
  await open('editor', `/reports/compare?events=${ids.join()}`, async (page) => {
    await page.getByText('Choose up to eight').waitFor();
    await add(page).click();
    await page.getByRole('searchbox').fill('Brass at dawn');
    await page.getByRole('menuitem', { name: 'Brass at dawn' }).click();
    await page.getByRole('rowheader', { name: 'Brass at dawn' }).waitFor();
    expect(new URL(page.url()).searchParams.get('events')).toContain(String(show));
    expect(page.url()).not.toContain('900001');
  });
});

it('reads the events again after a failure', async () => {
  const show = await makeShow('Brass at noon');
  await open('editor', '/reports', async (page) => {
    await page.route('**/events/v1/events?**', (route) =>
      route.fulfill({ status: 400, json: { code: 'x', message: 'Broken', data: { status: 400 } } }),
    );
    await page.goto(`/console/reports/compare?events=${show}`);
    await page.getByText('Broken').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('rowheader', { name: 'Brass at noon' }).waitFor();
  });
});

it('keeps the table and the focus while an added event is read', async () => {
  const first = await makeShow('Brass at night');
  await makeShow('Brass at midnight');
  await open('editor', `/reports/compare?events=${first}`, async (page) => {
    const row = page.getByRole('rowheader', { name: 'Brass at night' });
    await row.getByText('Brass at night').waitFor();
    await row.evaluate((element) => Object.assign(element, { isFirst: true }));
    await add(page).click();
    await page.getByRole('searchbox').fill('Brass at midnight');
    await page.getByRole('menuitem', { name: 'Brass at midnight' }).click();
    await page.getByRole('rowheader', { name: 'Brass at midnight' }).waitFor();
    expect(await row.evaluate((element) => Reflect.get(element, 'isFirst'))).toBe(true);
    expect(await add(page).evaluate((element) => element.matches(':focus'))).toBe(true);
  });
});
