import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { createApp } from '../../src/app.ts';
import type { Config } from '../../src/base/config.ts';
import { sharedBrowser } from '../browser.ts';
import { type TestServer, useTestServer } from '../server.ts';
import { KeptPages } from './kept-pages.ts';

export const PHONE = { width: 360, height: 740 };
export const DESKTOP = { width: 1280, height: 800 };

interface Site {
  server(): TestServer;
  /** Scheme, host and port. */
  origin(): string;
  /**
   * Runs `visit` on a blank page without cookies and storage, in a context that it has for itself.
   * @returns what the console of the browser said, and its requests to other hosts
   */
  withPage(options: BrowserContextOptions, visit: (page: Page) => Promise<void>): Promise<string[]>;
}

/** A site with its own server for the tests of one file. Paths are enough in `page.goto`. */
export function useSite(overrides: Partial<Config> = {}): Site {
  const server = useTestServer('sqlite', { languages: ['en', 'fr', 'de'], ...overrides });
  let pages: KeptPages | undefined;
  let listening: Server | undefined;
  let origin = '';
  beforeAll(async () => {
    listening = createServer(createApp(server().context).receive);
    listening.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    // A server that listens on a port has such an address.
    origin = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
    pages = new KeptPages(await sharedBrowser(), origin);
  }, 120_000);
  afterAll(async () => {
    await pages?.close();
    listening?.close();
    listening?.closeAllConnections();
  });
  return {
    server,
    origin: () => origin,
    async withPage(options, visit) {
      if (!pages) throw new Error('the browser runs only during tests');
      const kept = await pages.take(options);
      const { page } = kept;
      const complaints: string[] = [];
      page.on('console', (message) => void complaints.push(message.text()));
      page.on('pageerror', ({ message }) => void complaints.push(message));
      page.on('request', (request) => void (request.url().startsWith(origin) || complaints.push(request.url())));
      try {
        await visit(page);
      } catch (error) {
        await pages.discard(kept);
        throw error;
      }
      await pages.giveBack(kept);
      return complaints;
    },
  };
}
