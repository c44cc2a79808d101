import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addProgramme, SLUGS } from './programme.ts';
import { DESKTOP, PHONE, useSite } from './site.ts';

const { server, origin, withPage } = useSite();

/** The page of a town, on a site of its own: for browsers `localhost` is another one than 127.0.0.1. */
let town: Server;
let townAddress = '';
let townPage = '';

beforeAll(async () => {
  await addProgramme(server());
  town = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>Town</title>${townPage}`,
    );
  }).listen(0, 'localhost');
  await once(town, 'listening');
  // A server that listens on a port has such an address.
  townAddress = `http://localhost:${(town.address() as AddressInfo).port}/`;
});
afterAll(() => void town?.close());

/**
 * Shows a page of the town in a browser whose frames get and keep no cookies.
 * @returns what the console said, and requests to other hosts than the two
 */
async function withTown(body: string, visit: (page: Page) => Promise<void>): Promise<string[]> {
  townPage = body;
  const complaints = await withPage({ viewport: DESKTOP }, async (page) => {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCookieControls', { enableThirdPartyCookieRestriction: true });
    await page.goto(townAddress);
    await visit(page);
    expect(await page.context().cookies()).toEqual([]);
  });
  return complaints.filter((one) => !one.startsWith(townAddress));
}

/** The height of the frame, once it is that of its content at this width of the window. */
async function settledHeight(page: Page, width: number): Promise<number> {
  const fits = `innerWidth === ${width} && innerHeight === Math.ceil(document.documentElement.getBoundingClientRect().height)`;
  await expect.poll(() => page.frames()[1]?.evaluate(fits)).toBe(true);
  return (await page.locator('iframe').boundingBox())?.height ?? 0;
}

const script = () => `<script src="${origin()}/embed.js" async></script>`;

describe('events on the page of another site', () => {
  it('have the height of their content at their width', async () => {
    const element = `<body style="margin: 0"><marquee-events category="music" limit="3"></marquee-events>`;
    const complaints = await withTown(`${script()}${element}`, async (page) => {
      await page.frameLocator('iframe').locator('.card').nth(2).waitFor();
      expect(await page.frameLocator('iframe').locator('.card').count()).toBe(3);
      const heights: number[] = [];
      for (const viewport of [DESKTOP, PHONE, DESKTOP]) {
        await page.setViewportSize(viewport);
        heights.push(await settledHeight(page, viewport.width));
      }
      const [wide = 0, narrow, again] = heights;
      expect(narrow).toBeGreaterThan(wide);
      expect(again).toBe(wide);
    });
    expect(complaints).toEqual([]);
  });

  it('of a month lead to other months in the frame, in the scheme of the page around it', async () => {
    const element = `<marquee-events view="month" theme="dark"></marquee-events>`;
    const complaints = await withTown(`${script()}${element}`, async (page) => {
      const frame = page.frameLocator('iframe');
      await frame.locator('.month').waitFor();
      const paper = await page.frames()[1]?.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(paper).toBe('rgb(22, 18, 28)');
      await frame.locator('a[rel="next"]').click();
      await frame.getByText('Jazz on the quay').first().waitFor();
      expect(page.url()).toBe(townAddress);
      expect(await page.locator('iframe').getAttribute('title')).toContain('December 2026');
      expect(await page.frames()[1]?.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(paper);
    });
    expect(complaints).toEqual([]);
  });

  it('of a month lead to its days in the frame on a phone', async () => {
    const element = `<marquee-events view="month"></marquee-events>`;
    await withTown(`${script()}${element}`, async (page) => {
      await page.setViewportSize(PHONE);
      const frame = page.frameLocator('iframe');
      const day = frame.locator('.small-month a[href^="#"]').first();
      const href = await day.getAttribute('href');
      await day.click();
      await expect.poll(() => new URL(page.frames()[1]?.url() ?? '').hash).toBe(href);
      expect(page.url()).toBe(townAddress);
    });
  });

  it('are in the first language of the site too, where the page around them asks for it', async () => {
    const element = `<marquee-events search="cinema" language="en"></marquee-events>`;
    await withTown(`${script()}${element}`, async (page) => {
      await page.frameLocator('iframe').getByRole('link', { name: 'Open-air cinema' }).waitFor();
    });
  });

  it('that do not exist have a message in the frame, and its height', async () => {
    const element = `<body style="margin: 0"><marquee-events category="nope" theme="light"></marquee-events>`;
    await withTown(`${script()}${element}`, async (page) => {
      await page.frameLocator('iframe').getByText('There are no events here at the moment.').waitFor();
      expect(await settledHeight(page, DESKTOP.width)).toBeLessThan(200);
    });
  });

  it('open the page of the event at the top', async () => {
    const element = `<marquee-events event="${SLUGS.plain}" language="fr"></marquee-events>`;
    const complaints = await withTown(`${script()}${element}`, async (page) => {
      await page.frameLocator('iframe').getByRole('link', { name: 'Jazz sur le quai' }).first().click();
      await page.waitForURL(`${origin()}/fr/event/${SLUGS.plain}/`);
    });
    expect(complaints).toEqual([]);
  });

  it('are in a plain frame too, which can keep no cookies', async () => {
    const frame = `<iframe title="Events" src="${origin()}/embed/events/?search=cinema"></iframe>`;
    const complaints = await withTown(frame, async (page) => {
      await page.frameLocator('iframe').getByRole('link', { name: 'Open-air cinema' }).waitFor();
      const probe = `document.cookie = 'probe=1; SameSite=None; Secure', document.cookie`;
      expect(await page.frames()[1]?.evaluate(probe)).toBe('');
    });
    expect(complaints).toEqual([]);
  });

  it('are not whole pages, which no site may frame', async () => {
    await withTown('', async (page) => {
      const refusal = page.waitForEvent('console', (message) => message.text().includes("frame-ancestors 'none'"));
      await page.evaluate(
        `document.body.append(Object.assign(document.createElement('iframe'), { src: '${origin()}/events/' }))`,
      );
      await refusal;
    });
  });
});
