import { beforeAll, describe, expect, it } from 'vitest';
import { addProgramme, SLUGS } from './programme.ts';
import { DESKTOP, PHONE, useSite } from './site.ts';

const LANGUAGES = ['en', 'fr', 'de'];
const { server, origin, withPage } = useSite({ languages: LANGUAGES });

beforeAll(() => addProgramme(server()));

const PATHS = [
  ...['/', '/events/', '/events/past/', '/events/month/2026-12/', '/events/week/2026-11-23/', '/events/2026-12-12/'],
  ...['/events/photo/', '/events/places/', '/events/featured/', '/events/category/music/jazz/', '/tag/evening/'],
  ...['/venue/harbour-hall/', '/organizer/music-society/', `/event/${SLUGS.plain}/`, '/about/'],
];

interface Shown {
  language: string | undefined;
  canonical: string | undefined;
  /** Addresses by language, as search engines read them. */
  others: Record<string, string>;
}

async function read(address: string): Promise<Shown> {
  const response = await server().request(address, { headers: { accept: 'text/html', 'accept-language': 'de' } });
  expect([address, response.status]).toEqual([address, 200]);
  const text = await response.text();
  const links = [...text.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">/g)];
  return {
    language: /<html lang="([^"]+)">/.exec(text)?.[1],
    canonical: /<link rel="canonical" href="([^"]+)">/.exec(text)?.[1],
    others: Object.fromEntries(links.map(([, name = '', href = '']) => [name, href])),
  };
}

describe('the pages in three languages', () => {
  it.each(PATHS)('name each other: %s', async (path) => {
    const { others } = await read(path);
    expect(Object.keys(others)).toEqual([...LANGUAGES, 'x-default']);
    expect(others['x-default']).toBe(others.en);
    expect(new URL(others.en ?? '').pathname).toBe(path);
    for (const language of LANGUAGES)
      expect(await read(others[language] ?? '')).toEqual({ language, canonical: others[language], others });
  });

  it.each([
    [PHONE, true],
    [DESKTOP, false],
  ])(
    'are changed to and fro by a visitor who stays on the page (%j, scripts: %s)',
    async (viewport, javaScriptEnabled) => {
      const complaints = await withPage({ viewport, javaScriptEnabled }, async (page) => {
        const change = (name: string) => page.locator('.languages').getByRole('link', { name }).click();
        const heading = () => page.locator('h1').innerText();
        await page.goto(`/event/${SLUGS.plain}/`);
        await change('français');
        await page.waitForURL(`${origin()}/fr/event/${SLUGS.plain}/`);
        expect(await heading()).toBe('Jazz sur le quai');
        await change('Deutsch');
        await page.waitForURL(`${origin()}/de/event/${SLUGS.plain}/`);
        await page.goto('/de/events/month/2026-12/?search=jazz');
        await change('English');
        await page.waitForURL(`${origin()}/events/month/2026-12/?search=jazz`);
        expect(await page.locator('html').getAttribute('lang')).toBe('en');
      });
      expect(complaints).toEqual([]);
    },
  );
});
