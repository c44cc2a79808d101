import type { BrowserContextOptions, Locator, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import type { Config } from '../../../src/base/config.ts';
import type { Role } from '../../../src/http/core/auth.ts';
import type { TestServer } from '../../server.ts';
import { cookieFor } from '../../sessions.ts';
import { accessibilityProblems } from '../axe.ts';
import { DESKTOP, PHONE, useSite } from '../site.ts';
import { undocumentedIn } from './documented.ts';

interface Console {
  server(): TestServer;
  origin(): string;
  /**
   * Runs `visit` on a page without storage at a path below `/console`, signed in as a role or not at all, and
   * expects that the browser complains of nothing, that the OpenAPI document describes each request, and that none
   * asks for what the account may not have or what is not there, but for those that `refused` names.
   */
  open(as: Role | undefined, path: string, visit: (page: Page) => Promise<void>, options?: VisitOptions): Promise<void>;
}

interface VisitOptions extends BrowserContextOptions {
  /** Refusals that the visit provokes, such as `403 GET /calendar/admin/v1/audit`. */
  refused?: RegExp;
}

/** Refusals of rights, missing records and faults; other refusals are responses to input. */
const UNASKED = /^(403|404|5..)/;

/** Messages of the browser about responses that a test provokes. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4/;

/** The console of a site with its own server, for the tests of one file. */
export function useConsole(overrides: Partial<Config> = {}): Console {
  const { server, origin, withPage } = useSite(overrides);
  return {
    server,
    origin,
    async open(as, path, visit, { refused, ...options } = {}) {
      const undocumented: string[] = [];
      const refusals: string[] = [];
      const complaints = await withPage({ locale: 'en-US', ...options }, async (page) => {
        page.context().on('request', (request) => void undocumented.push(...undocumentedIn(request)));
        page.context().on('response', (response) => {
          const call = `${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`;
          if (UNASKED.test(call) && !refused?.test(call)) refusals.push(call);
        });
        if (as) {
          const [name = '', value = ''] = (await cookieFor(server(), as)).split('=');
          await page.context().addCookies([{ name, value, url: origin() }]);
        }
        await page.goto(`/console${path}`);
        await visit(page);
      });
      expect(complaints.filter((text) => !REFUSED.test(text))).toEqual([]);
      expect(undocumented).toEqual([]);
      expect(refusals).toEqual([]);
    },
  };
}

/** Expects that axe and the audit of the house find nothing wrong in a page as it is shown, in its full height. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.locator('.rows-loading').first().waitFor({ state: 'detached' });
  const { width = 0, height: before = 0 } = page.viewportSize() ?? {};
  // Content that the tabs of a phone cover at the moment can be scrolled to. A page may grow while it is made higher.
  for (let height = before, needed = await heightOf(page); needed > height; needed = await heightOf(page)) {
    height = needed + 1;
    await page.setViewportSize({ width, height });
  }
  expect(await accessibilityProblems(page)).toEqual([]);
}

/** Expects the same on a desktop in light colours and on a phone in dark ones, where the page is afterwards. */
export async function expectAccessibleOnBoth(page: Page): Promise<void> {
  // Not above something that the other width has there.
  await page.mouse.move(0, 0);
  for (const [viewport, colorScheme] of [
    [DESKTOP, 'light'],
    [PHONE, 'dark'],
  ] as const) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
    await page.setViewportSize(viewport);
  }
}

const TWO_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

/** Waits after an action until all requests of the page have responses, and none follows from those. */
export async function untilSettled(page: Page, act: () => Promise<unknown>): Promise<void> {
  const pending = new Set<Request>();
  const begin = (request: Request) => void pending.add(request);
  const end = (request: Request) => void pending.delete(request);
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
  await act();
  for (let quiet = 0; quiet < 2; quiet = pending.size === 0 ? quiet + 1 : 0) await page.evaluate(TWO_FRAMES);
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end);
}

/** Leads to a screen as its link does, so that the console is not loaded again, and waits until it is complete. */
export const follow = (page: Page, path: string): Promise<void> =>
  untilSettled(page, () =>
    page.evaluate(`new Promise((done) => {
  const stop = __TSR_ROUTER__.subscribe('onRendered', () => done(stop()));
  __TSR_ROUTER__.history.push(${JSON.stringify(`/console${path}`)});
})`),
  );

/** Moves the focus to an element by Tab alone. */
export async function focusByTab(page: Page, target: Locator): Promise<void> {
  // To find an element by its name takes longer than to press a key.
  let element = await target.elementHandle();
  const isFocused = async (): Promise<boolean> => {
    const state = await element?.evaluate((one) => one.isConnected && [one.matches(':focus')]);
    if (state) return state[0] ?? false;
    element = await target.elementHandle();
    return isFocused();
  };
  await tabUntil(page, isFocused, `${target}`);
}

async function tabUntil(page: Page, isThere: () => Promise<boolean>, what = 'the table'): Promise<void> {
  for (let presses = 0; presses < MOST_TABS; presses++) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${what} is not reached by Tab`);
}

const MOST_TABS = 150;

/**
 * Clicks a checkbox or a radio button, once it has stopped moving. The box that is seen lies over the one of the
 * browser.
 */
export async function tick(box: Locator): Promise<void> {
  // Waits for the box to rest, as an unforced click does.
  await box.scrollIntoViewIfNeeded();
  await box.click({ force: true });
}

/** How a user operates a page. */
export interface Hand {
  press(target: Locator): Promise<void>;
  /** Chooses a checkbox or a radio button. */
  check(target: Locator): Promise<void>;
  /** Replaces the text of a field. */
  write(target: Locator, text: string): Promise<void>;
}

export const MOUSE: Hand = {
  press: (target) => target.click(),
  check: tick,
  write: (target, text) => target.fill(text),
};

/** A user without a pointer: Tab, the arrows, Space, Enter and letters. */
export const keyboardOf = (page: Page): Hand => ({
  async press(target) {
    await focusByTab(page, target);
    await page.keyboard.press('Enter');
  },
  async check(target) {
    const isFocused = () => target.evaluate((box) => box.closest('tr')?.matches(':focus, :focus-within'));
    if (await target.evaluate((box) => box.closest('[role=grid]') !== null)) {
      // Tab leads into a table, arrows to its rows.
      await tabUntil(page, () =>
        page.evaluate<boolean>("document.activeElement?.closest('[role=grid] tbody') !== null"),
      );
      for (let presses = 0; !(await isFocused()) && presses < MOST_TABS; presses++)
        await page.keyboard.press('ArrowDown');
      return page.keyboard.press('Space');
    }
    if ((await target.getAttribute('type')) !== 'radio') {
      await focusByTab(page, target);
      return page.keyboard.press('Space');
    }
    // Tab leads to the group, and arrows through it.
    const name = (await target.getAttribute('name')) ?? '';
    await focusByTab(page, page.locator(`input[type=radio][name="${name}"]:checked`));
    while (!(await target.isChecked())) await page.keyboard.press('ArrowDown');
  },
  async write(target, text) {
    await focusByTab(page, target);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(text);
  },
});

/** Once what was being rendered is there. */
const heightOf = (page: Page): Promise<number> =>
  page.evaluate<number>(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(document.documentElement.scrollHeight))))',
  );

/** Runs in the page: whether the browser has written what is not saved. */
const IS_KEPT = `new Promise((done) => {
  const opening = indexedDB.open('marquee-console');
  opening.onsuccess = () => {
    const reading = opening.result.transaction('patches').objectStore('patches').count();
    reading.onsuccess = () => {
      opening.result.close();
      done(reading.result > 0);
    };
  };
})`;

/** Waits until the browser has written what is not saved. */
export async function untilKept(page: Page): Promise<void> {
  let isKept = false;
  while (!isKept) isKept = await page.evaluate<boolean>(IS_KEPT);
}
