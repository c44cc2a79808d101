import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { tabThrough, tabTo } from '../keyboard.ts';
import { isIn, makeEvening, PATIENT, typeFast, until, useDoor, verdictOn } from './door.ts';

const { server, start } = useDoor();

const GATE = 'North gate';

/** A small phone. */
const SMALL = { width: 360, height: 640 };

/** Runs in a page: its controls that are too small for a finger, or off the window at its sides. */
const SMALL_TARGETS = `[...document.querySelectorAll('button, input, a[href]')]
  .filter((one) => one.checkVisibility() && !one.closest('[inert]'))
  .map((one) => [one, (one.closest('label') ?? one).getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 44 || height < 44)
  .map(([one, { width, height }]) => one.outerHTML.slice(0, 80) + ' is ' + width + ' x ' + height)`;

/** Runs in a page: name of the element that has the focus, of a heading too. */
const FOCUS = `(document.activeElement.labels?.[0] ?? document.activeElement).innerText.trim()`;

const FROM_HEADING = `document.querySelector('h1').focus()`;

const focusOn = (page: Page, name: string): Promise<void> => expect.poll(() => page.evaluate(FOCUS)).toBe(name);

/** Walks to a control and presses it. */
async function press(page: Page, name: RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

/** Waits until an element of a screen has the focus, then walks through its controls. */
async function walk(page: Page, name: string): Promise<void> {
  await focusOn(page, name);
  await page.evaluate(FROM_HEADING);
  expect(await tabThrough(page)).toEqual([]);
  expect(await page.evaluate(SMALL_TARGETS)).toEqual([]);
  await page.evaluate(FROM_HEADING);
}

it('scans, searches, undoes, changes the mode and ends a shift by the keyboard alone', async () => {
  const { gate, guests } = await makeEvening(server(), ['Ada Lovelace', 'Bo Reed'], {
    name: GATE,
    reentry: 'after_out',
  });
  const [ada, bo] = guests;
  await server().make(`POST tickets:/attendees/${ada!.id}`, { door_note: 'Wheelchair, row 3' });
  const device = await start({ viewport: SMALL });
  const { page } = device;
  await page.addInitScript(PATIENT);
  const { code } = await server().make(`POST admin:/door/gates/${gate}/pairings`, { name: 'Laptop' });

  // A hand scanner reads the pairing code as well.
  await page.goto('/door/');
  await walk(page, 'Pair this device');
  await page.evaluate(typeFast(code));
  await press(page, /^Pair$/);
  await page.getByText('2 guests in the list').waitFor();
  await walk(page, GATE);
  await press(page, /^Open the door$/);
  await page.locator('.viewer .frame').waitFor();
  await walk(page, GATE);

  // The verdict and the note are said, and Enter or Escape goes on.
  await page.evaluate(typeFast(ada!.text));
  await verdictOn(page, 'Welcome');
  await focusOn(page, 'Next');
  const dialog = page.getByRole('alertdialog', { name: 'Welcome' });
  const described = await dialog.getAttribute('aria-describedby');
  expect(await page.locator(`#${described}`).innerText()).toMatch(/Ada Lovelace\s+Adult\s+Wheelchair, row 3/);
  expect(await page.evaluate(SMALL_TARGETS)).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await focusOn(page, 'Next');
  await page.keyboard.press('Enter');
  await focusOn(page, GATE);

  await tabTo(page, /^Undo$/);
  await page.keyboard.press('Enter');
  await verdictOn(page, 'Undone');
  await page.keyboard.press('Escape');
  await focusOn(page, GATE);

  await press(page, /^Search$/);
  await focusOn(page, 'Name');
  await page.keyboard.type('bo re');
  await press(page, /^Bo Reed/);
  await walk(page, 'Bo Reed\nAdult');
  await press(page, /^Let in$/);
  await verdictOn(page, 'Welcome');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate(FOCUS)).toMatch(/^Bo Reed\s+Adult · in since/);
  await page.keyboard.press('Escape');
  await focusOn(page, 'Search');

  // The mode stays where the focus is, and so does the focus after a scan.
  await page.evaluate(FROM_HEADING);
  await press(page, /^Out$/);
  await page.evaluate(typeFast(bo!.text));
  await verdictOn(page, 'Goodbye');
  await page.keyboard.press('Enter');
  await focusOn(page, 'Out');
  expect(await page.getByRole('button', { name: 'Out', pressed: true }).count()).toBe(1);

  await press(page, /^Menu$/);
  await walk(page, 'Menu');
  await press(page, /^Settings$/);
  await walk(page, 'Settings');
  await page.evaluate(typeFast('https://elsewhere.example/'));
  await verdictOn(page, 'Not known');
  await page.keyboard.press('Escape');
  await page.getByText('this is not the code of a ticket').waitFor();
  await page.keyboard.press('Escape');
  await focusOn(page, 'Menu');
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: GATE }).waitFor();
  await focusOn(page, 'Menu');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Menu' }).waitFor();
  await press(page, /^End the shift$/);
  await walk(page, 'End the shift');
  await press(page, /^Send and erase$/);
  await walk(page, 'The shift has ended');
  await until(async () => !(await isIn(server(), ada!.id)) && !(await isIn(server(), bo!.id)));
  expect(device.complaints).toEqual([]);
});

/** Highest edge that the thumb of the hand that holds a small phone reaches. */
const THUMB = SMALL.height / 3;

it('has the actions of a shift within reach of a thumb', async () => {
  const { gate, guests } = await makeEvening(server(), ['Ada Lovelace'], {
    name: 'Northern gate of the harbour hall, beside the old warehouse',
    may_override: true,
  });
  const device = await start({ viewport: SMALL });
  const { page } = device;
  await page.addInitScript(PATIENT);
  const { code } = await server().make(`POST admin:/door/gates/${gate}/pairings`, { name: 'Phone' });
  await page.goto(`/door/#pair=${code}`);
  const tap = async (button: string) => {
    const found = page.getByRole('button', { name: button, exact: true });
    const box = await found.boundingBox();
    const { y = 0, height = 0 } = box ?? {};
    expect([button, y >= THUMB, y + height <= SMALL.height, height >= 64]).toEqual([button, true, true, true]);
    await found.click();
  };
  await page.getByRole('button', { name: 'Pair', exact: true }).click();
  await page.getByText('1 guest in the list').waitFor();
  await page.getByRole('button', { name: 'Open the door' }).click();
  for (const verdict of ['Welcome', 'Already in']) {
    await page.evaluate(typeFast(guests[0]!.text));
    await verdictOn(page, verdict);
    await tap(verdict === 'Welcome' ? 'Next' : 'Let in again');
  }
  await verdictOn(page, 'Welcome');
  await tap('Next');
  await tap('Undo');
  await tap('Next');
  await tap('Search');
  await tap('‹ Back');
  await tap('Menu');
  await tap('‹ Back');
});
