import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityProblems } from './axe.ts';
import { useSite } from './site.ts';

/** Requests to the tile server, by path. */
const asked = new Map<string, IncomingHttpHeaders>();
const colour = { width: 256, height: 256, channels: 3, background: '#cfdccb' } as const;
const tile = await sharp({ create: colour }).png().toBuffer();
const tiles = createServer((request, response) => {
  asked.set(request.url ?? '', request.headers);
  response.writeHead(200, { 'Content-Type': 'image/png' }).end(tile);
}).listen(0, '127.0.0.1');
await once(tiles, 'listening');
// A server that listens on a port has such an address.
const tileOrigin = `http://127.0.0.1:${(tiles.address() as AddressInfo).port}`;
afterAll(() => void tiles.close());

const attribution = { text: '© Surveyors <of> Boston', url: 'https://maps.example/terms' };
const site = useSite({ mapTiles: { template: `${tileOrigin}/{z}/{x}/{y}.png`, origin: tileOrigin, attribution } });

const hall = { venue: 'Harbour "Hall" & Co', address: '1 Quay', city: 'Boston', geo_lat: 42.36, geo_lng: -71.05 };

beforeAll(async () => {
  for (const [title, venue] of [
    ['Lantern walk', hall],
    ['Talk', { venue: 'Old Mill', city: 'Salem', geo_lat: 42.52, geo_lng: -70.89 }],
    ['Dance', { venue: 'Barn', city: 'Salem' }],
    ['Play', { venue: 'Cellar', city: 'Lynn', geo_lat: 42.46, geo_lng: -70.94, show_map: false }],
  ] as const)
    await site.server().make('POST /events', {
      ...{ title, venue, start_date: '2026-12-06 18:30:00', end_date: '2026-12-06 20:00:00' },
    });
});

/** Runs `visit` on a page; returns what the browser complains about, and the addresses that it asked for. */
async function withPage(
  options: BrowserContextOptions,
  visit: (page: Page, requested: readonly string[]) => Promise<void>,
) {
  const requested: string[] = [];
  const complaints = await site.withPage(options, async (page) => {
    page.on('request', (request) => void requested.push(request.url()));
    await visit(page, requested);
  });
  return { complaints: complaints.filter((complaint) => !complaint.startsWith(tileOrigin)), requested };
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
      const { complaints } = await withPage(
        { viewport: { width, height: 800 }, colorScheme },
        async (page, requested) => {
          await page.goto(path);
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
      expect(new Set(headers)).toEqual(new Set([`${site.origin()}/`]));
    },
  );

  it('can be used by keyboard, and is hidden by Escape', async () => {
    const { complaints } = await withPage({ viewport: { width: 800, height: 800 } }, async (page) => {
      await page.goto('/events/places/');
      await page.locator('.place-map > button').press('Enter');
      await page.locator('.map-pin').first().waitFor();
      expect(await focused(page)).toBe('Map of the venues');
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
      await page.locator('.map').waitFor();
    });
    expect(complaints).toEqual([]);
  });

  it('leaves nothing behind without scripts', async () => {
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto('/events/places/');
      expect(await page.locator('.place-map').isVisible()).toBe(false);
      expect(await page.locator('[data-near]').isVisible()).toBe(false);
      await page.getByLabel('City').fill('salem');
      await page.getByRole('button', { name: 'Show venues' }).click();
      expect(await page.locator('.place h3').allInnerTexts()).toEqual(['Barn', 'Old Mill']);
    });
  });

  it('is not asked for where the nearest venues come first: the position stays in the browser', async () => {
    const geolocation = { latitude: 42.5, longitude: -70.9 };
    const { complaints, requested } = await withPage({ permissions: ['geolocation'], geolocation }, async (page) => {
      await page.goto('/fr/events/places/');
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
    expect(requested.filter((address) => address.includes('42.') || address.includes('leaflet'))).toEqual([]);
  });

  it('is followed by a sentence where the position is not known', async () => {
    await withPage({ permissions: [] }, async (page) => {
      await page.goto('/events/places/');
      await page.getByRole('button', { name: 'Nearest first' }).click();
      await page.getByText('Your device did not share its position.').waitFor();
    });
  });
});

describe('the tiles of maps', () => {
  const policyOf = async (path: string) => {
    const response = await fetch(`${site.origin()}${path}`, { headers: { accept: 'text/html' } });
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
    site.server().restart({ mapTiles: undefined });
    for (const path of ['/events/places/', '/event/lantern-walk/', '/venue/harbour-hall-co/']) {
      const response = await site.server().request(path);
      expect(response.headers.get('content-security-policy')).toContain("img-src 'self' data:;");
      expect(await response.text()).not.toMatch(/data-map|leaflet|place-map/);
    }
  });

  it.each(['leaflet.js', 'map.js', 'map.css', 'nearest.js'])('come with %s, which browsers keep', async (name) => {
    const { text } = await policyOf('/events/places/');
    const address = new RegExp(`/assets/${name.replace('.', '\\.')}\\?v=[\\w-]{10}`).exec(text)?.[0];
    const response = await fetch(`${site.origin()}${address}`);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-type')).toMatch(/^text\/(javascript|css); charset=UTF-8$/);
    if (name === 'leaflet.js') expect(response.headers.get('content-encoding')).toBe('gzip');
  });
});
