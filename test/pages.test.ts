import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { documentedEndpoints as endpoints } from '../src/app.ts';
import { readConfig } from '../src/base/config.ts';
import { docsPage } from '../src/web/docs/docs.ts';
import { EXAMPLE_REQUESTS } from '../src/web/docs/docs-requests.ts';
import { pageLanguage } from '../src/web/frame/site-name.ts';
import { houseAudit } from './faces/axe.ts';
import { useSite } from './faces/site.ts';

const { server, origin, withPage } = useSite();
const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

describe('the pages', () => {
  it.each([
    ['/nope', asBrowser, 'text/html'],
    ['/events/lantern-walk/', asBrowser, 'text/html'],
    ['/nope', {}, 'application/json'],
    ['/nope', { method: 'POST', ...asBrowser }, 'application/json'],
    ['/calendar/nope', asBrowser, 'application/json'],
    ['/wp-json/tribe/events/v1/nope', asBrowser, 'application/json'],
  ])('respond to requests for missing pages in the requested format: %s %j', async (path, init, type) => {
    const response = await server().request(path, init);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain(type);
  });

  it('describe every endpoint', async () => {
    const text = await (await server().request('/docs')).text();
    const missing = endpoints.filter(({ name, methods }) => {
      const [, section = ''] = text.split(`<article class="endpoint" id="${name.replaceAll('.', '-')}"`);
      const [own = ''] = section.split('</article>');
      return !methods.every((method) => own.includes(`>${method}</span>`)) || !own.includes('curl ');
    });
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it('describe the interface for the host that was asked, in the look of the site', async () => {
    const at = async (origin: string) => (await server().request(`${origin}/docs`)).text();
    const [first, second, third] = [await at('http://a.test'), await at('http://[::1]:81'), await at('http://a.test')];
    expect(third).toBe(first);
    expect(first).toContain('curl http://a.test/calendar/events/v1/events/42');
    expect(second).toContain('curl &#39;http://[::1]:81/calendar/events/v1/events/42&#39;');
    expect(first + second).not.toMatch(/origin\.invalid|100::1/);
    expect(first).not.toContain('theme.css');
    const { revision } = await server().make('PATCH admin:/site', { colors: { accent: '#005f73' } });
    expect(await at('http://a.test')).toContain(`<link rel="stylesheet" href="/assets/theme.css?v=${revision}">`);
    const sheet = await (await server().request('/assets/pages.css')).text();
    expect(sheet.match(/--accent: #9c1140;/g)).toHaveLength(1);
    await server().make('PATCH admin:/site', { colors: { accent: null } });
  });

  it.each(Object.entries(EXAMPLE_REQUESTS))('show a valid request of %s', (name, { query, body }) => {
    const endpoint = endpoints.find((known) => known.name === name);
    expect(Object.keys(endpoint?.input ?? {})).toEqual(expect.arrayContaining(Object.keys({ ...query, ...body })));
  });

  it('may load only what this server sends, and are sent again only when they have changed', async () => {
    const first = await server().request('/docs');
    expect(first.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await first.text()).not.toMatch(/<style|<script(?! src="\/assets\/)| on\w+="| style="/);
    const etag = first.headers.get('etag') ?? '';
    const second = await server().request('/docs', { headers: { 'if-none-match': etag } });
    expect(second.status).toBe(304);
  });

  it.each([['/docs', 200, 'Too many failed attempts.', 'Trop de tentatives infructueuses.']])(
    'for developers are in the language of the visitor: %s',
    async (path, status, english, french) => {
      const tags = new Set<string | null>();
      for (const [asked, language, text] of [
        ['', 'en', english],
        ['ja, en;q=0.5', 'en', english],
        ['fr-CA, en;q=0.5', 'fr', french],
      ] as const) {
        const headers = { ...asBrowser.headers, 'accept-language': asked };
        const response = await server().request(path, { headers });
        expect([response.status, response.headers.get('content-language')]).toEqual([status, language]);
        expect(response.headers.get('vary')).toContain('Accept-Language');
        const page = await response.text();
        expect(page).toContain(`<html lang="${language}">`);
        expect(page).toContain(text);
        if (status === 200) tags.add(response.headers.get('etag'));
      }
      expect(tags.size).toBe(status === 200 ? 2 : 0);
    },
  );

  it('are in a language that has messages, although the site has others', () => {
    const pick = (languages: string[], header: string) =>
      pageLanguage({ languages }, new Request('http://x', { headers: { 'accept-language': header } }));
    expect(pick(['ja', 'fr', 'en'], 'ja, en;q=0.1')).toBe('en');
    expect(pick(['ja', 'fr', 'en'], 'ja')).toBe('fr');
    expect(pick(['ja'], 'ja')).toBe('en');
  });

  it('for developers are made while other requests get responses', async () => {
    const options = { endpoints, site: undefined, config: readConfig({}), now: new Date(), origin: 'http://x' };
    const page = docsPage({ ...options, siteName: 'Harbour', language: 'en' }).then(() => 'page');
    for (let turn = 0; turn < 20; turn += 1) expect(await Promise.race([page, nextTurn('another')])).toBe('another');
    expect(await page).toBe('page');
  });

  it('escape the name of the site', async () => {
    const siteName = `<b>"Bees" & 'Brass'</b>`;
    const text = await docsPage({
      endpoints,
      siteName,
      site: undefined,
      config: readConfig({}),
      now: new Date(),
      origin: 'http://x',
      language: 'fr',
    });
    expect(text).not.toContain('<b>');
    expect(text).toContain('&lt;b&gt;&quot;Bees&quot; &amp; &#39;Brass&#39;');
  });
});

describe('the pages in a browser', () => {
  it.each([
    ['light', 'en'],
    ['light', 'fr'],
    ['dark', 'de'],
  ] as const)(
    'for developers are legible, well formed and fit every width in %s colours, in %s',
    async (colorScheme, locale) => {
      const complaints = await withPage({ colorScheme, locale }, async (page) => {
        await page.goto('/docs');
        await page.evaluate('document.querySelectorAll("details").forEach((item) => { item.open = true; })');
        expect(await page.evaluate('document.documentElement.lang')).toBe(locale);
        expect(await page.evaluate(houseAudit)).toEqual([]);
        for (const width of [360, 390, 1280]) {
          await page.setViewportSize({ width, height: 800 });
          const room = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          expect(room, `at ${width}`).toBeLessThanOrEqual(0);
        }
      });
      expect(complaints).toEqual([]);
    },
  );

  it('are audited by a check that can fail', async () => {
    const broken = `<h1>One</h1><h3>Three</h3><a href="#gone" id="x"></a><p id="x" style="color:#999">pale</p>`;
    await withPage({ viewport: { width: 800, height: 600 } }, async (page) => {
      await page.setContent(broken);
      expect(await page.evaluate(houseAudit)).toEqual([
        expect.stringMatching(/^contrast 2\.8\d of "pale"$/),
        'id x occurs twice',
        '#gone leads nowhere',
        expect.stringContaining('has no name'),
        '"Three" is h3 below h1',
        'not exactly one main',
        'no language',
      ]);
    });
  });

  it('can be read without scripts', async () => {
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto('/docs');
      const section = page.locator('#events-create');
      expect(await section.locator('pre').innerText()).toContain(`curl ${origin()}/calendar/events/v1/events`);
      expect(await section.locator('tbody tr').count()).toBeGreaterThan(10);
      expect(await page.locator('button').count()).toBe(0);
    });
  });

  it('can copy an example, skip the contents by keyboard, and open the target of a link', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const complaints = await withPage({ permissions }, async (page) => {
      await page.goto('/docs');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('main');
      await page.locator('.copy').first().click();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        `curl '${origin()}/calendar/events/v1/events?per_page=3'`,
      );
      await page.evaluate('location.hash = "schema-Event"');
      await page.locator('#schema-Event[open]').waitFor();
    });
    expect(complaints).toEqual([]);
  });
});
