import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { translatorFor } from '../../src/lib/i18n.ts';
import { tabThrough, tabTo } from './keyboard.ts';
import { addProgramme, SLUGS } from './programme.ts';
import { DESKTOP, PHONE, useSite } from './site.ts';

const { server, withPage } = useSite();

beforeAll(() => addProgramme(server()));

describe.each([
  ['a phone without scripts', 'de', PHONE, false],
  ['a desktop', 'fr', DESKTOP, true],
] as const)('on %s, in %s,', (_name, language, viewport, javaScriptEnabled) => {
  const t = translatorFor(language);
  const root = `/${language}/`;
  const title = language === 'fr' ? 'Jazz sur le quai' : 'Jazz on the quay';

  const openEvent = (page: Page) => page.getByRole('main').getByRole('link', { name: title }).first().click();

  /** Goes each way from the front page, which must end on the page of the event. */
  async function find(...ways: ((page: Page) => Promise<void>)[]): Promise<void> {
    const complaints = await withPage({ viewport, javaScriptEnabled }, async (page) => {
      for (const way of ways) {
        await page.goto(root);
        await way(page);
        await openEvent(page);
        await page.waitForURL(`**${root}event/${SLUGS.plain}/`);
        expect(await page.locator('h1').innerText()).toBe(title);
      }
    });
    expect(complaints).toEqual([]);
  }

  async function openSection(page: Page, name: 'nav.month' | 'nav.places'): Promise<void> {
    const sections = page.getByRole('navigation', { name: t('nav.label') });
    if (viewport === PHONE) await sections.getByText(t('nav.menu')).click();
    await sections.getByRole('link', { name: t(name) }).click();
  }

  async function byWords(page: Page): Promise<void> {
    await page.getByLabel(t('filter.search')).fill('quartets');
    await page.getByRole('button', { name: t('filter.find') }).click();
    await page.waitForURL(`**${root}events/?search=quartets`);
    expect(await page.locator('h1').innerText()).toContain('quartets');
    expect(await page.locator('.card').count()).toBe(1);
  }

  async function byMonth(page: Page): Promise<void> {
    await openSection(page, 'nav.month');
    await page
      .getByRole('navigation', { name: t('period.label') })
      .locator('[rel=next]')
      .click();
    await page.waitForURL(`**${root}events/month/2026-12/`);
    if (viewport === PHONE)
      await page
        .getByRole('navigation', { name: t('month.days') })
        .locator('a[href="#d2026-12-12"]')
        .click();
  }

  async function byPlace(page: Page): Promise<void> {
    await openSection(page, 'nav.places');
    await page.getByRole('main').getByRole('link', { name: 'Harbour Hall' }).click();
    await page.waitForURL(`**${root}venue/harbour-hall/`);
  }

  async function byCategory(page: Page): Promise<void> {
    await page.getByRole('main').getByRole('link', { name: 'Jazz', exact: true }).click();
    await page.waitForURL(`**${root}events/category/music/jazz/`);
  }

  async function byFilters(page: Page): Promise<void> {
    const choice = (label: 'filter.venue' | 'filter.categories') =>
      page.getByRole('combobox', { name: new RegExp(`^${t(label)}`) });
    await page.goto(`${root}events/`);
    await page.getByLabel(t('filter.from')).fill('2026-12-01');
    await page.getByText(t('filter.more'), { exact: true }).click();
    await choice('filter.venue').selectOption('Harbour Hall');
    await choice('filter.categories').selectOption({ label: 'Walks' });
    await page.getByRole('button', { name: t('filter.apply') }).click();
    expect(await page.locator('.filter-toggle').innerText()).toBe(`${t('filter.more')} (2)`);
    await page.getByText(t('empty.filtered')).waitFor();
    await page.locator('.chips').getByRole('link', { name: 'Walks' }).click();
    await page.locator('.card').first().waitFor();
    expect(await page.locator('.chips .chip').count()).toBe(2);
  }

  it('an event is found by words, month, place and category', () => find(byWords, byMonth, byPlace, byCategory));

  it('an event is found by several filters, which can be taken back', () => find(byFilters));
});

describe.each([
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
])('with the keyboard alone, on %s,', (_name, viewport) => {
  it('an event is found, and the focus is always seen', async () => {
    const complaints = await withPage({ viewport }, async (page) => {
      const press = (key: string) => page.keyboard.press(key);
      await page.goto('/');
      await tabTo(page, /^Skip to the content$/);
      await press('Enter');
      await tabTo(page, /^Search for events$/);
      await page.keyboard.type('quay');
      await press('Enter');
      await page.waitForURL('**/events/?search=quay');
      await tabTo(page, /^Filters$/);
      await press('Enter');
      await tabTo(page, /^Venue$/);
      // In a closed list, each arrow key is a choice, which must not load a page.
      await press('ArrowDown');
      await tabTo(page, /^Show events$/);
      expect(page.url()).toMatch(/\/events\/\?search=quay$/);
      await press('Enter');
      await page.waitForURL('**/events/?search=quay&venue=*');
      await tabTo(page, / Jazz on the quay /);
      await press('Enter');
      await page.waitForURL(`**/event/${SLUGS.plain}/`);
    });
    expect(complaints).toEqual([]);
  });

  it('everything on a page can be reached', async () => {
    await withPage({ viewport }, async (page) => {
      for (const path of ['/events/', '/events/month/2026-12/', `/event/${SLUGS.plain}/`, '/events/places/']) {
        await page.goto(path);
        expect([path, await tabThrough(page)]).toEqual([path, []]);
      }
    });
  });
});
