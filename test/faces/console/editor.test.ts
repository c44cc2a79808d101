import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Role } from '../../../src/http/core/auth.ts';
import { makeTicket } from '../../tickets.ts';
import { tabTo } from '../keyboard.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, untilKept, useConsole } from './console.ts';

const { server, open } = useConsole();

const DATES = { start_date: '2027-03-06 18:30', end_date: '2027-03-06 21:00' };
let count = 0;

/** An event with a title of its own. */
async function makeEvent(fields: object = {}, as: Role = 'editor'): Promise<number> {
  count += 1;
  const event = { title: `Evening ${count}`, status: 'publish', ...DATES, ...fields };
  return (await server().make('POST /events', event, as)).id;
}

const stored = async (id: number) => (await server().ask(`GET /events/${id}`, { as: 'editor' })).body;
const text = (page: Page) => page.getByRole('textbox', { name: 'Description' });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
/** Until nothing is left to be saved. */
const isSaved = (page: Page) => page.getByLabel('Unsaved changes').waitFor({ state: 'detached' });

describe('the editor of an event', () => {
  it('asks for a note before it moves an event with ticket holders, and creates new venues and tags', async () => {
    const id = await makeEvent();
    const ticket = await makeTicket(server(), id, {
      name: 'Adults',
      price: '20',
      ticket: { mode: 'own', capacity: 10 },
    });
    for (const full_name of ['Ada Lovelace', 'Alan Turing'])
      await server().make('POST tickets:/attendees', { ticket_id: ticket.id, full_name, email: 'a@b.example' });
    await open(
      'editor',
      `/events/${id}`,
      async (page) => {
        await text(page).waitFor();
        await expectAccessible(page);
        await page.setViewportSize(DESKTOP);
        await page.getByRole('combobox', { name: 'Venue', exact: true }).pressSequentially('Lantern Hall');
        await page.getByRole('option', { name: 'Create “Lantern Hall”' }).click();
        await page.getByRole('combobox', { name: 'Tags' }).pressSequentially('outdoors');
        await page.keyboard.press('Enter');
        await page.getByRole('row', { name: 'outdoors' }).waitFor();
        await page.getByRole('textbox', { name: 'From' }).fill('2027-03-06T19:00');
        await save(page).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText('2 people hold a ticket.').waitFor();
        await page.keyboard.press('Escape');
        expect(await stored(id)).toMatchObject({ start_date: '2027-03-06 18:30:00', tags: [] });
        await save(page).click();
        await dialog.getByLabel('Note for visitors').fill('The hall was double-booked.');
        await dialog.getByRole('button', { name: 'Save with the note' }).click();
        await isSaved(page);
      },
      { viewport: DESKTOP },
    );
    expect(await stored(id)).toMatchObject({
      ...{ start_date: '2027-03-06 19:00:00', venue: { venue: 'Lantern Hall' }, tags: [{ name: 'outdoors' }] },
      ...{ event_status: 'rescheduled', event_status_reason: 'The hall was double-booked.' },
      previous_start_date: '2027-03-06 18:30:00',
    });
  });

  it('writes a text by keyboard only, on a phone', async () => {
    const id = await makeEvent();
    const write = async (page: Page) => {
      const { keyboard } = page;
      await text(page).waitFor();
      await page.getByLabel('Summary').focus();
      await tabTo(page, /^Bold$/);
      await keyboard.press('Tab');
      await keyboard.type('It turns.');
      await keyboard.press('Enter');
      await keyboard.type('Bring ');
      await keyboard.press('Control+b');
      await keyboard.type('warm');
      await keyboard.press('Control+b');
      await keyboard.type(' shoes. ');
      await keyboard.press('Control+k');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Address').waitFor();
      await keyboard.type('javascript:alert(1)');
      await keyboard.press('Enter');
      await dialog.getByText('This is not the address').waitFor();
      await keyboard.press('Control+a');
      await keyboard.type('map.example');
      await keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.locator('.rich-text-content:focus').waitFor();
      // Back to the buttons, and with the arrows from bold to the list.
      await keyboard.press('Shift+Tab');
      for (let step = 0; step < 5; step++) await keyboard.press('ArrowRight');
      await page.getByRole('button', { name: 'List', exact: true, pressed: false }).waitFor();
      await keyboard.press('Enter');
      await page.getByRole('button', { name: 'List', exact: true, pressed: true }).waitFor();
      await expectAccessible(page);
      await page.setViewportSize({ ...PHONE, width: 320 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      await keyboard.press('Control+s');
      await isSaved(page);
    };
    await open('editor', `/events/${id}`, write, { viewport: PHONE, colorScheme: 'dark' });
    expect((await stored(id)).description).toBe(
      '<p>It turns.</p><ul><li>Bring <strong>warm</strong> shoes. <a href="https://map.example">map.example</a></li></ul>',
    );
  });

  it('shows the HTML of a text that it cannot edit without losses', async () => {
    const table = '<p>Stages</p><table><tbody><tr><td>North</td></tr></tbody></table>';
    const id = await makeEvent({ description: table });
    await open('editor', `/events/${id}`, async (page) => {
      await page.getByText('would lose some of it: <table>').waitFor();
      expect(await text(page).inputValue()).toBe(table);
      await text(page).fill('<p>Stages: <strong>North</strong></p>');
      await page.getByRole('button', { name: 'Continue in the editor' }).click();
      await page.locator('.rich-text-content strong').waitFor();
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByText('would lose some of it').waitFor();
    });
    expect((await stored(id)).description).toBe(table);
  });

  it('names the user who changed it a moment ago', async () => {
    const id = await makeEvent({}, 'author');
    const now = server().context.now().getTime();
    await open('editor', '/', async (page) => {
      await page.clock.setFixedTime(now + 30_000);
      await page.goto(`/console/events/${id}`);
      await page.getByText('author changed this event 30 seconds ago and may still be editing it.').waitFor();
      await page.clock.setFixedTime(now + 90_000);
      await page.reload();
      await text(page).waitFor();
      expect(await page.getByText('author changed this event').count()).toBe(0);
    });
  });
});

describe('an action that a role may not take on an event', () => {
  const buttons = ['Publish', 'Submit for review', 'Cancel event', 'Move to the trash', 'Duplicate'];
  it.each<[Role, string, string, string[]]>([
    ['contributor', 'their own', 'draft', ['Submit for review', 'Move to the trash', 'Duplicate']],
    ['contributor', 'their own', 'publish', []],
    ['author', "somebody else's", 'publish', []],
    ['author', 'their own', 'publish', ['Cancel event', 'Move to the trash', 'Duplicate']],
    ['author', 'their own', 'pending', ['Publish', 'Move to the trash', 'Duplicate']],
  ])('is not shown to the %s of %s, which is %s', async (as, whose, status, shown) => {
    const author = whose === 'their own' ? server().userId(as) : server().userId('editor');
    const id = await makeEvent({ status, author });
    await open(as, `/events/${id}`, async (page) => {
      await page.getByText(/^Saved|^Your role/).waitFor();
      const there = await page.getByRole('button').allInnerTexts();
      expect(buttons.filter((name) => there.includes(name))).toEqual(
        shown.toSorted((one, other) => buttons.indexOf(one) - buttons.indexOf(other)),
      );
    });
  });
});

describe('unsaved input', () => {
  /** Ends the process of a page as a fault of the browser would. */
  async function crash(page: Page): Promise<Page> {
    const crashed = page.waitForEvent('crash');
    await Promise.all([crashed, page.goto('chrome://crash').catch(() => undefined)]);
    return page.context().newPage();
  }

  it('in a published event survives a crash of the tab', async () => {
    const id = await makeEvent();
    await open('editor', `/events/${id}`, async (page) => {
      await page.getByLabel('Title').fill('Typed before the crash');
      await untilKept(page);
      const next = await crash(page);
      await next.goto(`/console/events/${id}`);
      await next.getByText('Your unsaved changes are back.').waitFor();
      expect(await next.getByLabel('Title').inputValue()).toBe('Typed before the crash');
    });
  });

  it('in a new event survives a crash of the tab, and makes one event after the server refused its ticket', async () => {
    const title = 'Half an event';
    await open('editor', '/events/new?day=2027-03-06', async (page) => {
      await page.getByLabel('Title').fill(title);
      const next = await crash(page);
      await next.goto('/console/events/new');
      expect(await next.getByLabel('Title').inputValue()).toBe(title);
      await next.getByText('Tickets with a price').click();
      await next.getByLabel('Price in $').fill('twelve');
      await next.getByRole('button', { name: 'Publish event' }).dblclick();
      await next.getByRole('alert').getByText('The price must be a number').waitFor();
      const drafts = await found(title);
      expect(drafts).toMatchObject([{ status: 'draft' }]);
      await next.reload();
      await next.getByLabel('Price in $').fill('12');
      await next.getByRole('button', { name: 'Publish event' }).click();
      await next.getByText('The event is published.').waitFor();
      expect(await found(title)).toMatchObject([{ id: drafts[0].id, status: 'publish', ticketed: ['tc'] }]);
    });
  });
});

const found = async (search: string) =>
  (await server().ask('GET /events', { as: 'editor', query: { search, status: 'any', end_date: '2999-12-31' } })).body
    .events;
