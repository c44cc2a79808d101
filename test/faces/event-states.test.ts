import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { translatorFor } from '../../src/lib/i18n.ts';
import { accessibilityProblems } from './axe.ts';
import { addProgramme, PASSWORD, SLUGS } from './programme.ts';
import { DESKTOP, PHONE, useSite } from './site.ts';

const { server, withPage } = useSite();

/** Browsers mention the status of a page that was refused or not found. */
const EXPECTED = /the server responded with a status of 4\d\d/;

beforeAll(() => addProgramme(server()));

describe.each([
  ['a phone', 'en', PHONE, true],
  ['a desktop without scripts', 'fr', DESKTOP, false],
] as const)('on %s, in %s,', (_name, language, viewport, javaScriptEnabled) => {
  const t = translatorFor(language);
  const root = language === 'en' ? '' : `/${language}`;

  const open = async (slug: string, status: number, look: (page: Page) => Promise<void>) => {
    const complaints = await withPage({ viewport, javaScriptEnabled }, async (page) => {
      expect((await page.goto(`${root}/event/${slug}/`))?.status()).toBe(status);
      await look(page);
    });
    expect(complaints.filter((one) => !EXPECTED.test(one))).toEqual([]);
  };
  const offers = (page: Page) => page.locator('main form');

  it.each([
    [SLUGS.cancelled, t('status.cancelled'), 'The trumpet is ill.'],
    [SLUGS.past, t('event.over'), ''],
  ])('an event that does not take place or is over says so, and sells nothing: %s', (slug, words, reason) =>
    open(slug, 200, async (page) => {
      const notice = page.locator('.notice').first();
      expect(await notice.innerText()).toContain(words);
      expect(await notice.innerText()).toContain(reason);
      expect(await offers(page).count()).toBe(0);
    }),
  );

  it.each([
    [SLUGS.postponed, t('status.postponed')],
    [SLUGS.online, t('status.moved_online')],
  ])('an event that has changed says so: %s', (slug, words) =>
    open(slug, 200, async (page) => {
      expect(await page.locator('.notice').first().innerText()).toContain(words);
    }),
  );

  it('the list strikes out what is cancelled, and says the others’ states in words', async () => {
    await withPage({ viewport, javaScriptEnabled }, async (page) => {
      await page.goto(`${root}/events/`);
      const card = (slug: string) => page.locator('.card', { has: page.locator(`a[href$="/event/${slug}/"]`) });
      const struck = 'getComputedStyle(document.querySelector(".is-cancelled .p-name")).textDecorationLine';
      expect(await page.evaluate(struck)).toBe('line-through');
      expect(await page.locator('.is-cancelled').count()).toBe(1);
      for (const [slug, words] of [
        [SLUGS.cancelled, t('badge.cancelled')],
        [SLUGS.postponed, t('badge.postponed')],
        [SLUGS.online, t('badge.moved_online')],
        [SLUGS.soldOut, t('badge.sold_out')],
        [SLUGS.plain, t('badge.few_left')],
      ] as const)
        expect(await card(slug).locator('.badges').innerText()).toBe(words);
    });
  });

  it('a password opens its event, and only that', () =>
    open(SLUGS.protected, 200, async (page) => {
      expect(await page.locator('main').innerText()).not.toContain('The code is 7.');
      await page.getByLabel(t('password.label')).fill(PASSWORD);
      await page.getByRole('button', { name: t('password.act') }).click();
      await page.getByText('The code is 7.').waitFor();
      await page.reload();
      await page.getByText('The code is 7.').waitFor();
    }));

  it('a wrong password is refused beside its field', () =>
    open(SLUGS.protected, 200, async (page) => {
      await page.getByLabel(t('password.label')).fill('open pepper');
      await page.getByRole('button', { name: t('password.act') }).click();
      await page.getByRole('alert').getByText(t('password.wrong')).waitFor();
      if (javaScriptEnabled) expect(await accessibilityProblems(page)).toEqual([]);
    }));

  it('a draft is not there', () =>
    open(SLUGS.draft, 404, async (page) => {
      expect(await page.locator('h1').innerText()).toBe(t('not_found.heading'));
      await page
        .getByRole('main')
        .getByRole('link', { name: t('not_found.events') })
        .click();
      await page.waitForURL(`**${root}/events/`);
    }));

  it('an event in the trash is no longer there, and the page leads on', () =>
    open(SLUGS.trashed, 410, async (page) => {
      expect(await page.locator('h1').innerText()).toBe(t('gone.heading'));
      await page.getByRole('main').getByRole('searchbox').fill('jazz');
      await page.getByRole('button', { name: t('filter.find') }).click();
      await page.waitForURL(`**${root}/events/?search=jazz`);
      expect(await page.locator('.card').count()).toBe(1);
    }));
});
