import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { insertRows } from '../../../bench/bulk.ts';
import { newRecordIds } from '../../../src/db/record-ids.ts';
import type { TestServer } from '../../server.ts';
import { effort } from '../../thoroughness.ts';
import { type DoorDevice, handScan, makeEvening, openDoor, until, useDoor } from './door.ts';

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

/**
 * Types as a hand scanner. Its keys carry the time at which the system received them, which does not depend on how busy
 * the page is.
 */
const typed = (text: string): string => `const timeStamp = { value: performance.now() };
  for (const key of [...${JSON.stringify(text)}, 'Enter']) {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    document.body.dispatchEvent(Object.defineProperty(event, 'timeStamp', timeStamp));
  }`;

const search = (text: string): string => `{ const field = document.querySelector('#search');
  field.value = ${JSON.stringify(text)}; field.dispatchEvent(new Event('input', { bubbles: true })) }`;

/** Ids of the attendees of an event. */
const idsOf = async ({ context }: TestServer, event: number): Promise<number[]> => {
  const rows = context.db.query.selectFrom('attendees').select('id').where('event_id', '=', event).orderBy('id');
  return (await rows.execute()).map(({ id }) => id);
};

/** Scans that the server has kept. */
const kept = ({ context }: TestServer, event: number) =>
  context.db.query
    .selectFrom('door_scans')
    .select(['attendee_id', 'verdict'])
    .where('event_id', '=', event)
    .orderBy('attendee_id')
    .execute();

/** Scans without a network, before it is back. */
const SCANS = effort(200, 5);

it.each(effort([3000, 20_000], [3000]))(
  'a phone six times slower knows each of %i people without a network',
  async (people) => {
    const { event, gate, guests } = await makeEvening(server(), ['Ada Lovelace', 'Bo Reed', 'Cy Young']);
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
    // Many more, then the network is back: all are there once.
    await slow(device, 1);
    const more = (await idsOf(server(), event)).slice(guests.length, SCANS);
    for (const id of more) await handScan(page, guests[0]!.text.replace(`=${guests[0]!.id}&`, `=${id}&`), 'Welcome');
    const entered = [...guests.map(({ id }) => id), ...more];
    await slow(device, SLOWER);
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
    await slow(device, 1);
    await mend();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Synchronise now' }).click();
    await until(async () => (await kept(server(), event)).length === entered.length);
    const scans = await kept(server(), event);
    expect(scans.map(({ attendee_id }) => attendee_id)).toEqual(entered.sort((one, other) => one - other));
    expect(new Set(scans.map(({ verdict }) => verdict))).toEqual(new Set(['welcome']));
    expect(
      (await server().ask('GET admin:/door/clashes', { as: 'administrator', query: { event_id: event } })).body.total,
    ).toBe(0);
    if (effort(true, false)) console.log(people, JSON.stringify({ started, verdicts, searches }));
  },
);
