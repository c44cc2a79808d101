import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { codeOf, makeSeat } from '../../attendees.ts';
import { buy } from '../../buyers.ts';
import { makeShow } from '../sale.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, expectAccessibleOnBoth, useConsole } from './console.ts';

const { server, open } = useConsole();
const LONG = 'Wolfeschlegelsteinhausenbergerdorff '.repeat(3).trim();
let show = 0;
let codeEnd = '';

beforeAll(async () => {
  ({ id: show } = await makeShow(server(), { title: 'Lantern night' }));
  const adults = await makeSeat(server(), show, 90, { name: 'Adults' });
  const children = await makeSeat(server(), show, 90, { name: 'Children' });
  const sell = (ticket_id: number, quantity: number, name: string) =>
    server().make('POST admin:/orders', {
      items: [{ ticket_id, quantity }],
      payment: 'cash',
      purchaser: { name, email: 'party@example.test' },
    });
  const { attendees } = await sell(adults, 1, 'Ada Keller');
  codeEnd = (await codeOf(server(), attendees[0].id)).slice(-4);
  await sell(children, 60, LONG);
  await buy(server(), [adults], { purchaser: { name: 'Zoe Late', email: 'zoe@party.test' } });
});

/** Number of pages, and width and height of the first one in points. */
async function printed(page: Page): Promise<[pages: number, width: number, height: number]> {
  const text = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  const [, width, height] = /MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/.exec(text)?.map(Number) ?? [];
  return [text.match(/\/Type\s*\/Page\b/g)?.length ?? 0, Math.round(width ?? 0), Math.round(height ?? 0)];
}

/** Looks at the screen on a desktop and on a phone. */
async function expectFit(page: Page): Promise<void> {
  await expectAccessibleOnBoth(page);
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
  }
}

it.each([
  { viewport: DESKTOP, colorScheme: 'light' },
  { viewport: PHONE, colorScheme: 'dark' },
] as const)('prints a guest list of A4 with unpaid places and ends of codes, at $viewport.width', async (options) => {
  await open(
    'editor',
    `/events/${show}/attendees`,
    async (page) => {
      await page.getByRole('link', { name: 'Guest list and badges' }).click();
      // The list of attendees, which is shown until then, has such a row too.
      await page.getByRole('heading', { name: 'Guest list and badges' }).waitFor();
      const ada = page.getByRole('row', { name: 'Ada Keller' });
      await ada.waitFor();
      expect(await ada.getByRole('cell').allInnerTexts()).toEqual(['', 'Adults', codeEnd]);
      const unpaid = page.getByRole('row').filter({ hasText: 'unpaid' });
      expect(await unpaid.getByRole('rowheader').allInnerTexts()).toEqual(['Zoe Late unpaid']);
      expect(await page.getByRole('rowheader').count()).toBe(62);
      await expectAccessible(page);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport.width);
      await page.getByText('By ticket').click();
      await page.getByRole('heading', { name: 'Children 60 attendees' }).waitFor();
      const [pages, ...size] = await printed(page);
      expect(size).toEqual([595, 842]);
      expect(pages).toBeGreaterThan(1);
      await page.emulateMedia({ media: 'print' });
      const first = page.locator('main > :visible');
      expect(await first.count()).toBe(1);
      expect(await first.innerText()).toMatch(/^Lantern night/);
    },
    options,
  );
});

it('prints badges on sheets of 3 by 8 labels', async () => {
  await open(
    'editor',
    `/events/${show}/attendees/print?sheet=badges`,
    async (page) => {
      await page.getByText('Ada Keller').waitFor();
      await expectFit(page);
      expect(await printed(page)).toEqual([3, 595, 842]);
      await page.getByLabel('Used labels on the first sheet').fill('15');
      await expect.poll(() => page.locator('.badge-used').count()).toBe(15);
      expect(await printed(page)).toEqual([4, 595, 842]);
      await page.emulateMedia({ media: 'print' });
      const box = await page.locator('.badge-sheet li').nth(15).boundingBox();
      const millimetre = 96 / 25.4;
      expect(box).toMatchObject({ x: 0, width: expect.closeTo(70 * millimetre, 0) });
      expect(box?.height).toBeCloseTo(37 * millimetre, 0);
    },
    { viewport: PHONE },
  );
});

it('shows no codes to accounts that may not see them', async () => {
  await open('door', `/events/${show}/attendees/print`, async (page) => {
    await page.getByRole('row', { name: 'Ada Keller' }).waitFor();
    expect(await page.getByText('Code ends in').count()).toBe(0);
  });
});
