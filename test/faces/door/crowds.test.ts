import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { insertRows } from '../../../bench/bulk.ts';
import { newRecordIds } from '../../../src/db/record-ids.ts';
import type { TestServer } from '../../server.ts';
import { effort } from '../../thoroughness.ts';
import { type DoorDevice, makeEvening, openDoor, useDoor } from './door.ts';

const { server, start, cut, mend } = useDoor();

/** Processor time of a poor phone, against the one of this machine. */
const SLOWER = 6;
const BATCH = 500;

/** Copies an attendee, with names of their own. */
async function crowd({ context }: TestServer, of: number, people: number): Promise<void> {
  const row = await context.db.query.selectFrom('attendees').selectAll().where('id', '=', of).executeTakeFirstOrThrow();
  for (let made = 0; made < people; made += BATCH) {
    await context.db.transaction(async (db) => {
      const kinds = Array.from({ length: Math.min(BATCH, people - made) - 1 }, () => 'attendee' as const);
      const ids = await newRecordIds(db, ['attendee', ...kinds]);
      const rows = ids.map((id) => {
        const full_name = `Guest ${String.fromCharCode(65 + (id % 26))}${id} Family${id % 700}`;
        return { ...row, id, full_name, name_key: full_name.toLowerCase(), slug: `guest-${id}` };
      });
      await insertRows(db, 'attendees', rows);
    });
  }
}

const slow = async ({ page }: DoorDevice, rate: number): Promise<void> => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate });
};

/** Does something in the page, and waits for an element: milliseconds between both, which thorough runs print. */
const doneWith = (page: Page, act: string, selector: string): Promise<number> =>
  page.evaluate<number>(`new Promise((done) => {
  const begun = performance.now();
  const look = () => document.querySelector(${JSON.stringify(selector)})
    ? requestAnimationFrame(() => done(performance.now() - begun)) : requestAnimationFrame(look);
  ${act};
  look();
})`);

const keys = (list: string): string => `for (const key of ${list})
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`;

/** Types as a hand scanner. */
const typed = (text: string): string => keys(`[...${JSON.stringify(text)}, 'Enter']`);

const search = (text: string): string => `{ const field = document.querySelector('#search');
  field.value = ${JSON.stringify(text)}; field.dispatchEvent(new Event('input', { bubbles: true })) }`;

it.each(effort([3000, 20_000], [3000]))(
  'a phone six times slower knows each of %i people without a network',
  async (people) => {
    const { gate, guests } = await makeEvening(server(), ['Ada Lovelace', 'Bo Reed', 'Cy Young']);
    await crowd(server(), guests[0]!.id, people - guests.length);
    const device = await start();
    await openDoor(device, server(), { gate });
    await device.page.getByText(`0 of ${people.toLocaleString('en')} in`).waitFor();
    await cut();
    await device.restart();
    const { page } = device;
    await slow(device, SLOWER);
    const begun = performance.now();
    await page.goto('/door/');
    await page.getByRole('button', { name: 'Open the door' }).waitFor();
    const started = performance.now() - begun;
    await page.getByRole('button', { name: 'Open the door' }).click();
    await page.getByText(/no network/).waitFor();
    const verdicts: number[] = [];
    for (const { text } of guests) {
      verdicts.push(await doneWith(page, typed(text), '.verdict'));
      await page.locator('.verdict').waitFor({ state: 'detached' });
    }
    await page.getByText(`3 of ${people.toLocaleString('en')} in`).waitFor();
    await page.getByRole('button', { name: 'Search' }).click();
    const searches: number[] = [];
    for (const [name, found] of [
      ['ada lo', 'Ada Lovelace'],
      ['bo re', 'Bo Reed'],
    ] as const) {
      await page.locator('#search').fill('');
      await page.locator('.found button').first().waitFor({ state: 'detached' });
      searches.push(await doneWith(page, search(name), '.found button'));
      expect(await page.locator('.found button').first().textContent()).toContain(found);
    }
    await mend();
    if (effort(true, false)) console.log(people, JSON.stringify({ started, verdicts, searches }));
  },
);
