import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Config } from '../../../src/config.ts';
import type { Role } from '../../../src/http/auth.ts';
import type { TestServer } from '../../server.ts';
import { cookieFor } from '../../sessions.ts';
import { accessibilityProblems } from '../axe.ts';
import { useSite } from '../site.ts';
import { undocumentedIn } from './documented.ts';

interface Console {
  server(): TestServer;
  origin(): string;
  /**
   * Runs `visit` on a page of a new browser context at a path below `/console`, signed in as a role or not at all, and
   * expects that the browser complains of nothing and that the OpenAPI document describes each request.
   */
  open(
    as: Role | undefined,
    path: string,
    visit: (page: Page) => Promise<void>,
    options?: BrowserContextOptions,
  ): Promise<void>;
}

/** What browsers say of answers that a test provokes. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4/;

/** The console of a site with its own server and browser, for the tests of one file. */
export function useConsole(overrides: Partial<Config> = {}): Console {
  const { server, origin, withPage } = useSite(overrides);
  return {
    server,
    origin,
    async open(as, path, visit, options = {}) {
      const undocumented: string[] = [];
      const complaints = await withPage({ locale: 'en-US', ...options }, async (page) => {
        page.context().on('request', (request) => void undocumented.push(...undocumentedIn(request)));
        if (as) {
          const [name = '', value = ''] = (await cookieFor(server(), as)).split('=');
          await page.context().addCookies([{ name, value, url: origin() }]);
        }
        await page.goto(`/console${path}`);
        await visit(page);
      });
      expect(complaints.filter((text) => !REFUSED.test(text))).toEqual([]);
      expect(undocumented).toEqual([]);
    },
  };
}

/** Expects that axe and the audit of the house find nothing wrong in a page as it is shown, in its full height. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.locator('.rows-loading').first().waitFor({ state: 'detached' });
  const { width = 0, height: before = 0 } = page.viewportSize() ?? {};
  // What the tabs of a phone cover at the moment can be scrolled to. A page may grow while it is made higher.
  for (let height = before, needed = await heightOf(page); needed > height; needed = await heightOf(page)) {
    height = needed + 1;
    await page.setViewportSize({ width, height });
  }
  expect(await accessibilityProblems(page)).toEqual([]);
}

/** Moves the focus to an element by Tab alone. */
export async function focusByTab(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < MOST_TABS; presses++) {
    if (await target.evaluate((element) => element.matches(':focus'))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target} is not reached by Tab`);
}

const MOST_TABS = 150;

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
