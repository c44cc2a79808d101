import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { translatorFor } from '../../src/lib/i18n.ts';
import { tabThrough, tabTo } from './keyboard.ts';
import { addProgramme, SLUGS } from './programme.ts';
import { DESKTOP, PHONE, useSite } from './site.ts';

const { server, withPage } = useSite();

beforeAll(() => addProgramme(server()));

describe.each([
  ['a phone', 'en', PHONE, true],
  ['a phone without scripts', 'de', PHONE, false],
  ['a desktop', 'fr', DESKTOP, true],
  ['a desktop without scripts', 'en', DESKTOP, false],
] as const)('an event can be found on %s, in %s', (_name, language, viewport, javaScriptEnabled) => {
  const t = translatorFor(language);
  const root = language === 'en' ? '/' : `/${language}/`;
  const title = language === 'fr' ? 'Jazz sur le quai' : 'Jazz on the quay';

  /** Begins on the front page, and must end on the page of the event. */
  const find = async (way: (page: Page) => Promise<void>) => {
    const complaints = await withPage({ viewport, javaScriptEnabled }, async (page) => {
      await page.goto(root);
      await way(page);
      await page.waitForURL(`**${root}event/${SLUGS.plain}/`);
      expect(await page.locator('h1').innerText()).toBe(title);
    });
    expect(complaints).toEqual([]);
  };

  const openEvent = (page: Page) => page.getByRole('main').getByRole('link', { name: title }).first().click();

  it('by words', () =>
    find(async (page) => {
      await page.getByLabel(t('filter.search')).fill('quartets');
      await page.getByRole('button', { name: t('filter.find') }).click();
      await page.waitForURL(`**${root}events/?search=quartets`);
      expect(await page.getByRole('status').innerText()).toContain('quartets');
      expect(await page.locator('.card').count()).toBe(1);
      await openEvent(page);
    }));

  it('by month', () =>
    find(async (page) => {
      await page
        .getByRole('navigation', { name: t('nav.label') })
        .getByRole('link', { name: t('nav.month') })
        .click();
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
      await openEvent(page);
    }));

  it('by place', () =>
    find(async (page) => {
      await page
        .getByRole('navigation', { name: t('nav.label') })
        .getByRole('link', { name: t('nav.places') })
        .click();
      await page.getByRole('main').getByRole('link', { name: 'Harbour Hall' }).click();
      await page.waitForURL(`**${root}venue/harbour-hall/`);
      await openEvent(page);
    }));

  it('by category', () =>
    find(async (page) => {
      await page.getByRole('main').getByRole('link', { name: 'Jazz', exact: true }).click();
      await page.waitForURL(`**${root}events/category/music/jazz/`);
      await openEvent(page);
    }));

  it('by several filters, which can be taken back', () =>
    find(async (page) => {
      const choice = (label: 'filter.venue' | 'filter.categories') =>
        page.getByRole('combobox', { name: new RegExp(`^${t(label)}`) });
      await page.goto(`${root}events/`);
      await page.getByLabel(t('filter.from')).fill('2026-12-01');
      if (viewport === PHONE) await page.getByText(t('filter.more')).click();
      await choice('filter.venue').selectOption('Harbour Hall');
      await choice('filter.categories').selectOption({ label: 'Walks' });
      await page.getByRole('button', { name: t('filter.find') }).click();
      await page.getByText(t('empty.filtered')).waitFor();
      await page.locator('.chips').getByRole('link', { name: 'Walks' }).click();
      expect(await page.locator('.chips .chip').count()).toBe(2);
      await openEvent(page);
    }));
});

describe.each([
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
])('with the keyboard alone, on %s,', (_name, viewport) => {
  it('an event can be found, and the focus is always seen', async () => {
    const complaints = await withPage({ viewport }, async (page) => {
      const press = (key: string) => page.keyboard.press(key);
      await page.goto('/');
      await tabTo(page, /^Skip to the content$/);
      await press('Enter');
      await tabTo(page, /^Search for events$/);
      await page.keyboard.type('quay');
      await press('Enter');
      await page.waitForURL('**/events/?search=quay');
      if (viewport === PHONE) {
        await tabTo(page, /^More filters$/);
        await press('Enter');
      }
      await tabTo(page, /^Place$/);
      await press('ArrowDown');
      await tabTo(page, /^Search$/);
      await press('Enter');
      await page.waitForURL('**/events/?search=quay&venue=*');
      await tabTo(page, / Jazz on the quay /);
      await press('Enter');
      await page.waitForURL(`**/event/${SLUGS.plain}/`);
    });
    expect(complaints).toEqual([]);
  });

  it.each(['/events/', '/events/month/2026-12/', `/event/${SLUGS.plain}/`, '/events/places/'])(
    'everything on a page can be reached: %s',
    async (path) => {
      await withPage({ viewport }, async (page) => {
        await page.goto(path);
        expect(await tabThrough(page)).toEqual([]);
      });
    },
  );
});
