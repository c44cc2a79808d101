import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { launchBrowser } from '../browser.ts';
import { useTestServer } from '../server.ts';
import { accessibilityProblems } from './axe.ts';

const server = useTestServer('sqlite', { languages: ['en', 'fr', 'de'] });
let browser: Browser;
let site: ServerType;
let tiles: Server;
let origin: string;
let tileOrigin: string;
/** What the tile server was asked, by path. */
const asked = new Map<string, IncomingHttpHeaders>();

// A server that listens on a port has such an address.
const originOf = (listening: ServerType | Server) => `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;

beforeAll(async () => {
  const tile = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#cfdccb' } })
    .png()
    .toBuffer();
  tiles = createServer((request, response) => {
    asked.set(request.url ?? '', request.headers);
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(tile);
  }).listen(0, '127.0.0.1');
  await once(tiles, 'listening');
  tileOrigin = originOf(tiles);
  const attribution = { text: '© Surveyors <of> Boston', url: 'https://maps.example/terms' };
  const mapTiles = { template: `${tileOrigin}/{z}/{x}/{y}.png`, origin: tileOrigin, attribution };
  const { context } = server();
  site = createAdaptorServer({ fetch: createApp({ ...context, config: { ...context.config, mapTiles } }).fetch });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  origin = originOf(site);
  for (const [title, venue] of [
    [
      'Lantern walk',
      { venue: 'Harbour "Hall" & Co', address: '1 Quay', city: 'Boston', geo_lat: 42.36, geo_lng: -71.05 },
    ],
    ['Talk', { venue: 'Old Mill', city: 'Salem', geo_lat: 42.52, geo_lng: -70.89 }],
    ['Dance', { venue: 'Barn', city: 'Salem' }],
    ['Play', { venue: 'Cellar', city: 'Lynn', geo_lat: 42.46, geo_lng: -70.94, show_map: false }],
  ] as const)
    await server().make('POST /events', {
      title,
      start_date: '2026-12-06 18:30:00',
      end_date: '2026-12-06 20:00:00',
      venue,
    });
  browser = await launchBrowser();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  tiles?.close();
  site?.close();
  if ('closeAllConnections' in site) site.closeAllConnections();
});

/** Runs `visit` on a page; returns what the browser complains about and which hosts it asked. */
async function withPage(
  options: BrowserContextOptions,
  visit: (page: Page, requested: readonly string[]) => Promise<void>,
) {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  const addresses: string[] = [];
  page.on('console', (message) => void complaints.push(message.text()));
  page.on('pageerror', ({ message }) => void complaints.push(message));
  page.on('request', (request) => void addresses.push(request.url()));
  try {
    await visit(page, addresses);
  } finally {
    await context.close();
  }
  return { complaints, addresses };
}

const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.getAttribute("aria-label") || document.activeElement.textContent');

describe('a map', () => {
  it.each([
    ['/events/places/', 360, 'light', 2],
    ['/venue/harbour-hall-co/', 1280, 'dark', 1],
    ['/de/event/lantern-walk/', 360, 'dark', 1],
  ] as const)(
    'of %s is shown on a click, at %i px, in %s colours, without complaints',
    async (path, width, colorScheme, pins) => {
      asked.clear();
      const { complaints, addresses } = await withPage(
        { viewport: { width, height: 800 }, colorScheme },
        async (page, requested) => {
          await page.goto(`${origin}${path}`);
          const button = page.getByRole('button', { name: path.startsWith('/de') ? 'Karte anzeigen' : 'Show the map' });
          await button.waitFor();
          expect([...asked.keys(), ...requested.filter((address) => /leaflet|map/.test(address))]).toEqual([]);
          await button.click();
          await page.locator('.leaflet-tile-loaded').first().waitFor();
          expect(await page.locator('.map-pin').count()).toBe(pins);
          expect(await page.locator('.map-credit').innerHTML()).toContain('© Surveyors &lt;of&gt; Boston</a>');
          expect(await accessibilityProblems(page)).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
        },
      );
      expect(complaints).toEqual([]);
      expect(asked.size).toBeGreaterThan(0);
      const headers = [...asked.values()].map(({ referer }) => referer);
      expect(new Set(headers)).toEqual(new Set([`${origin}/`]));
      expect(addresses.filter((address) => !address.startsWith(origin) && !address.startsWith(tileOrigin))).toEqual([]);
    },
  );

  it('can be used by keyboard, and is hidden by Escape', async () => {
    const { complaints } = await withPage({ viewport: { width: 800, height: 800 } }, async (page) => {
      await page.goto(`${origin}/events/places/`);
      await page.locator('.place-map > button').press('Enter');
      await page.locator('.map-pin').first().waitFor();
      expect(await focused(page)).toBe('Map of the places');
      const reached: string[] = [];
      for (let step = 0; step < 4; step++) {
        await page.keyboard.press('Tab');
        reached.push(await focused(page));
      }
      expect(reached.sort()).toEqual(['Harbour "Hall" & Co', 'Old Mill', 'Zoom in', 'Zoom out'].sort());
      await page.getByRole('button', { name: 'Harbour "Hall" & Co' }).press('Enter');
      const popup = page.locator('.leaflet-popup');
      expect(await popup.innerText()).toContain('1 Quay, Boston');
      expect(await focused(page)).toBe('Harbour "Hall" & Co');
      expect(await page.evaluate('document.activeElement.pathname')).toBe('/venue/harbour-hall-co/');
      await page.keyboard.press('Escape');
      expect(await popup.count()).toBe(0);
      expect(await focused(page)).toBe('Harbour "Hall" & Co');
      await page.keyboard.press('Escape');
      expect(await focused(page)).toBe('Show the map');
      expect(await page.locator('.map').isVisible()).toBe(false);
      await page.keyboard.press('Enter');
      expect(await page.locator('.map').isVisible()).toBe(true);
    });
    expect(complaints).toEqual([]);
  });

  it('leaves nothing behind without scripts', async () => {
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(`${origin}/events/places/`);
      expect(await page.locator('.place-map').isVisible()).toBe(false);
      expect(await page.locator('[data-near]').isVisible()).toBe(false);
      await page.getByLabel('City').fill('salem');
      await page.getByRole('button', { name: 'Show places' }).click();
      expect(await page.locator('.place h3').allInnerTexts()).toEqual(['Barn', 'Old Mill']);
    });
  });

  it('is not asked for where the nearest places come first: the position stays in the browser', async () => {
    const geolocation = { latitude: 42.5, longitude: -70.9 };
    const { complaints, addresses } = await withPage({ permissions: ['geolocation'], geolocation }, async (page) => {
      await page.goto(`${origin}/fr/events/places/`);
      expect(await page.locator('.city h2').allInnerTexts()).toEqual(['Boston', 'Lynn', 'Salem']);
      await page.getByRole('button', { name: 'Les plus proches' }).click();
      await page.getByText('Les lieux les plus proches sont en tête.').waitFor();
      expect(await page.locator('.city h2').allInnerTexts()).toEqual(['Salem', 'Lynn', 'Boston']);
      expect(await page.locator('.place h3').allInnerTexts()).toEqual([
        'Old Mill',
        'Barn',
        'Cellar',
        'Harbour "Hall" & Co',
      ]);
      expect(await page.locator('.place-far').allInnerTexts()).toEqual(['2,4\u202fkm', '5,5\u202fkm', '20\u202fkm']);
    });
    expect(complaints).toEqual([]);
    expect(addresses.filter((address) => address.includes('42.') || address.includes('leaflet'))).toEqual([]);
  });

  it('is followed by a sentence where the position is not known', async () => {
    await withPage({ permissions: [] }, async (page) => {
      await page.goto(`${origin}/events/places/`);
      await page.getByRole('button', { name: 'Nearest first' }).click();
      await page.getByText('Your device did not say where you are.').waitFor();
    });
  });
});

describe('the tiles of maps', () => {
  const policyOf = async (path: string) => {
    const response = await fetch(`${origin}${path}`, { headers: { accept: 'text/html' } });
    return { text: await response.text(), policy: response.headers.get('content-security-policy') };
  };

  it.each(['/events/places/', '/event/lantern-walk/', '/venue/harbour-hall-co/'])(
    'may be loaded by %s',
    async (path) => {
      const { policy } = await policyOf(path);
      expect(policy).toContain(`img-src 'self' data: ${tileOrigin};`);
      expect(policy).not.toContain('unsafe');
    },
  );

  it.each([
    '/',
    '/events/',
    '/event/dance/',
    '/venue/barn/',
    '/event/play/',
    '/venue/cellar/',
    '/embed/events/',
    '/cart/',
    '/nope/',
  ])('may not be loaded by %s, which has no map', async (path) => {
    const { policy, text } = await policyOf(path);
    expect(policy).toContain("img-src 'self' data:;");
    expect(text).not.toContain('data-map');
  });

  it('are nowhere on a site without them', async () => {
    for (const path of ['/events/places/', '/event/lantern-walk/', '/venue/harbour-hall-co/']) {
      const response = await server().request(path);
      expect(response.headers.get('content-security-policy')).toContain("img-src 'self' data:;");
      expect(await response.text()).not.toMatch(/data-map|leaflet|place-map/);
    }
  });

  it.each(['leaflet.js', 'map.js', 'map.css', 'near-me.js'])('come with %s, which browsers keep', async (name) => {
    const { text } = await policyOf('/events/places/');
    const address = new RegExp(`/assets/${name.replace('.', '\\.')}\\?v=[\\w-]{10}`).exec(text)?.[0];
    const response = await fetch(`${origin}${address}`);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-type')).toMatch(/^text\/(javascript|css); charset=UTF-8$/);
    if (name === 'leaflet.js') expect(response.headers.get('content-encoding')).toBe('gzip');
  });
});
