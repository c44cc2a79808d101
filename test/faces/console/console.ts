import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Config } from '../../../src/config.ts';
import type { Role } from '../../../src/http/auth.ts';
import type { TestServer } from '../../server.ts';
import { accessibilityProblems } from '../axe.ts';
import { useSite } from '../site.ts';

interface Console {
  server(): TestServer;
  origin(): string;
  /**
   * Runs `visit` on a page of a new browser context that is signed in as a role, at a path below `/console`, and
   * expects that the browser complains of nothing.
   */
  open(as: Role, path: string, visit: (page: Page) => Promise<void>, options?: BrowserContextOptions): Promise<void>;
}

/** The console of a site with its own server and browser, for the tests of one file. */
export function useConsole(overrides: Partial<Config> = {}): Console {
  const { server, origin, withPage } = useSite(overrides);
  return {
    server,
    origin,
    async open(as, path, visit, options = {}) {
      const authorization = `Basic ${Buffer.from(`${as}:${as}-password`).toString('base64')}`;
      const complaints = await withPage(
        { locale: 'en-US', extraHTTPHeaders: { authorization }, ...options },
        async (page) => {
          await page.goto(`/console${path}`);
          await visit(page);
        },
      );
      expect(complaints).toEqual([]);
    },
  };
}

/** Expects that axe and the audit of the house find nothing wrong in a page as it is shown, in its full height. */
export async function expectAccessible(page: Page): Promise<void> {
  const { width = 0 } = page.viewportSize() ?? {};
  // What the tabs of a phone cover at the moment can be scrolled to.
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: height + 1 });
  expect(await accessibilityProblems(page)).toEqual([]);
}
