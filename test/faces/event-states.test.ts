import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { translatorFor } from '../../src/lib/i18n.ts';
import { accessibilityProblems } from './axe.ts';
import { addProgramme, PASSWORD, SLUGS } from './programme.ts';
import { DESKTOP, PHONE, useSite } from './site.ts';

const { server, withPage } = useSite();

/** Browsers mention the status of a page that was refused or not found. */
const EXPECTED = /the server responded with a status of 4\d\d/;

beforeAll(async () => {
  await addProgramme(server());
  // Two thirds of the places of the plain event.
  await server().context.db.query.updateTable('tickets').set({ sold: 16 }).where('title', '=', 'Adults').execute();
});

describe.each([
  ['a phone', 'en', PHONE, true],
  ['a desktop without scripts', 'fr', DESKTOP, false],
] as const)('on %s, in %s,', (_name, language, viewport, javaScriptEnabled) => {
  const t = translatorFor(language);
  const root = language === 'en' ? '' : `/${language}`;

  const visit = async (look: (page: Page) => Promise<void>) => {
    const complaints = await withPage({ viewport, javaScriptEnabled }, look);
    expect(complaints.filter((one) => !EXPECTED.test(one))).toEqual([]);
  };
  const open = async (page: Page, slug: string): Promise<number | undefined> =>
    (await page.goto(`${root}/event/${slug}/`))?.status();

  it('cancelled, changed and past events say so, and are sold only if they take place', () =>
    visit(async (page) => {
      for (const [slug, words, isSold] of [
        [SLUGS.cancelled, t('status.cancelled'), false],
        [SLUGS.past, t('event.over'), false],
        [SLUGS.postponed, t('status.postponed'), false],
        [SLUGS.online, t('status.moved_online'), true],
      ] as const) {
        expect([slug, await open(page, slug)]).toEqual([slug, 200]);
        const notice = await page.locator('.notice').first().innerText();
        expect(notice).toContain(words);
        if (slug === SLUGS.cancelled) expect(notice).toContain('The trumpet is ill.');
        if (slug === SLUGS.postponed) await page.getByText(t('event.date_open')).waitFor();
        expect([slug, await page.locator('main form[method=post]').count()]).toEqual([slug, isSold ? 1 : 0]);
      }
    }));

  it('the list strikes out cancelled events, and names every status in words', () =>
    visit(async (page) => {
      await page.goto(`${root}/events/`);
      const badgesOf = (slug: string) =>
        page.locator('.card', { has: page.locator(`a[href$="/event/${slug}/"]`) }).locator('.badges');
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
        expect(await badgesOf(slug).innerText()).toBe(words);
    }));

  it('a password opens its event, and a wrong one is refused', () =>
    visit(async (page) => {
      const secret = page.getByText('The code is 7.');
      const send = async (password: string) => {
        await page.getByLabel(t('password.label')).fill(password);
        await page.getByRole('button', { name: t('password.act') }).click();
      };
      expect(await open(page, SLUGS.protected)).toBe(200);
      expect(await secret.count()).toBe(0);
      await send('open pepper');
      await page.getByRole('alert').getByText(t('password.wrong')).waitFor();
      if (javaScriptEnabled) expect(await accessibilityProblems(page)).toEqual([]);
      await send(PASSWORD);
      await secret.waitFor();
      await page.reload();
      await secret.waitFor();
    }));

  it('a draft is not found, a trashed event is gone, and both pages lead on', () =>
    visit(async (page) => {
      expect(await open(page, SLUGS.draft)).toBe(404);
      expect(await page.locator('h1').innerText()).toBe(t('not_found.heading'));
      await page
        .getByRole('main')
        .getByRole('link', { name: t('not_found.events') })
        .click();
      await page.waitForURL(`**${root}/events/`);
      expect(await open(page, SLUGS.trashed)).toBe(410);
      expect(await page.locator('h1').innerText()).toBe(t('gone.heading'));
      await page.getByRole('main').getByRole('searchbox').fill('jazz');
      await page.getByRole('button', { name: t('filter.find') }).click();
      await page.waitForURL(`**${root}/events/?search=jazz`);
      expect(await page.locator('.card').count()).toBe(1);
    }));
});
