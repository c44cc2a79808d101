import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../../src/http/core/auth.ts';
import { makeSeat, soldOf } from '../../attendees.ts';
import { houseAudit } from '../axe.ts';
import { makeShow } from '../sale.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, keyboardOf, MOUSE, useConsole } from './console.ts';

const { server, open } = useConsole();

let show = 0;
let ticket = 0;
let order = 0;
let unpaid = 0;

/** Sells places at the counter; returns the order. */
async function sell(quantity: number): Promise<number> {
  const items = [{ ticket_id: ticket, quantity }];
  return (await server().make('POST admin:/orders', { items, payment: 'cash', purchaser: { name: 'Ada' } })).id;
}
const readOrder = async (id: number) => (await server().ask(`GET admin:/orders/${id}`, { as: 'editor' })).body;

beforeAll(async () => {
  ({ id: show } = await makeShow(server(), { title: 'Lantern night' }));
  ticket = await makeSeat(server(), show, 40, { name: 'Adults' });
  order = await sell(3);
  unpaid = await sell(1);
  await server().ask(`PATCH admin:/orders/${unpaid}`, { as: 'editor', body: { status: 'pending' } });
});

const goTo = async (page: Page, path: string) => {
  await page.goto(`/console${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
};

it('every screen is accessible, on a desktop and on a phone in the other scheme', async () => {
  const screens = ['/', '/orders', `/orders/${order}`, '/counter', `/counter?event=${show}`, '/reports?by=ticket'];
  await open(
    'editor',
    '/orders',
    async (page) => {
      for (const path of screens) {
        await goTo(page, path);
        await expectAccessible(page);
        await page.setViewportSize(DESKTOP);
      }
    },
    { viewport: DESKTOP, colorScheme: 'light' },
  );
  await open(
    'editor',
    '/orders',
    async (page) => {
      for (const path of screens) {
        await goTo(page, path);
        expect([path, await page.evaluate(houseAudit)]).toEqual([path, []]);
        expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, PHONE.width]);
      }
    },
    { viewport: PHONE, colorScheme: 'dark', locale: 'de-DE' },
  );
});

describe('orders', () => {
  it('are found, filtered and marked as paid together, which can be undone', async () => {
    await open('editor', '/orders?view=open', async (page) => {
      await page.getByRole('rowheader', { name: `#${unpaid}` }).waitFor();
      expect(await page.getByRole('rowheader').count()).toBe(1);
      await page.getByRole('checkbox').first().click({ force: true });
      await page.getByRole('button', { name: 'Mark 1 as paid' }).click();
      await page.getByText('1 order is paid.').waitFor();
      expect((await readOrder(unpaid)).status).toBe('completed');
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('rowheader', { name: `#${unpaid}` }).waitFor();
      expect((await readOrder(unpaid)).status).toBe('pending');
    });
  });

  it.each([
    ['by mouse', DESKTOP],
    ['by keyboard only', PHONE],
  ])('do what their preview says, and lose single places, %s', async (means, viewport) => {
    const id = await sell(3);
    const before = await soldOf(server(), ticket);
    await open(
      'editor',
      `/orders/${id}`,
      async (page) => {
        const dialog = page.getByRole('dialog');
        const hand = means === 'by mouse' ? MOUSE : keyboardOf(page);
        await hand.check(page.getByRole('checkbox').nth(1));
        await hand.press(page.getByRole('button', { name: 'Cancel 1 place' }));
        await dialog.getByText('Gives back 1 place.').waitFor();
        expect(await soldOf(server(), ticket)).toBe(before);
        await hand.write(dialog.getByLabel('Reason'), 'Is ill');
        await hand.press(dialog.getByRole('button', { name: 'Cancel 1 place' }));
        await page.getByText('1 place is cancelled.').waitFor();
        expect(await soldOf(server(), ticket)).toBe(before - 1);
        await hand.press(page.getByRole('button', { name: 'Refund' }));
        await dialog.getByText('Gives back 2 places.').waitFor();
        await dialog.getByText('2 attendees are no longer admitted.').waitFor();
        await hand.press(dialog.getByRole('button', { name: 'Refund' }));
        await page.getByText('The order is now: Refunded.').waitFor();
        const { status, attendees } = await readOrder(id);
        expect([status, attendees.filter((one: { status: string }) => one.status === 'trash')]).toMatchObject([
          'refunded',
          { length: 3 },
        ]);
        expect(await soldOf(server(), ticket)).toBe(before - 3);
        await page.getByText('Is ill').waitFor();
      },
      { viewport },
    );
  });

  it('keep a note and another buyer', async () => {
    await open('editor', `/orders/${order}`, async (page) => {
      await page.getByLabel('Note').fill('Pays at the door');
      await page.getByLabel('E-mail').fill('ada@example.test');
      await page.keyboard.press('Control+s');
      await page.getByText('Saved.').waitFor();
      expect(await readOrder(order)).toMatchObject({
        note: 'Pays at the door',
        purchaser: { name: 'Ada', email: 'ada@example.test' },
      });
    });
  });
});

describe('the counter', () => {
  it.each([DESKTOP, PHONE])('sells by keyboard alone, and once for two presses, at %j', async (viewport) => {
    const before = await soldOf(server(), ticket);
    await open(
      'editor',
      '/counter',
      async (page) => {
        await page.getByRole('searchbox', { name: 'Event' }).waitFor();
        await page.keyboard.type('Lantern');
        await page.getByRole('menuitem', { name: 'Lantern night' }).waitFor();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await page.getByLabel('Places: Adults').waitFor();
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('ArrowUp');
        await page.getByRole('button', { name: 'Sell 2 for $20.00' }).waitFor();
        await page.keyboard.press('Enter');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Sold for $20.00' }).waitFor();
        expect(await soldOf(server(), ticket)).toBe(before + 2);
        await expect
          .poll(() =>
            page.evaluate(`[...document.querySelectorAll('.codes img')].every((image) => image.naturalWidth > 0)`),
          )
          .toBe(true);
        expect(await page.getByRole('img', { name: /^Code/ }).count()).toBe(2);
        await page.keyboard.press('n');
        await page.getByLabel('Places: Adults').waitFor();
      },
      { viewport },
    );
  });

  it('sells once when the answer to a sale was lost', async () => {
    const before = await soldOf(server(), ticket);
    await open('editor', `/counter?event=${show}`, async (page) => {
      let isFirst = true;
      await page.route('**/admin/v1/orders', async (route) => {
        if (route.request().method() !== 'POST' || !isFirst) return route.fallback();
        isFirst = false;
        await route.fetch();
        return route.fulfill({ status: 503, json: { code: 'busy', message: 'Busy', data: { status: 503 } } });
      });
      await page.getByRole('button', { name: 'One more: Adults' }).click();
      await page.getByRole('button', { name: 'Sell 1 for $10.00' }).click();
      const again = page.getByRole('alert').or(page.getByRole('heading', { name: 'Sold for $10.00' }));
      await again.waitFor();
      if (await page.getByRole('alert').isVisible()) await page.keyboard.press('Control+Enter');
      await page.getByRole('heading', { name: 'Sold for $10.00' }).waitFor();
      expect(await soldOf(server(), ticket)).toBe(before + 1);
    });
  });
});

it('reports draw what was sold, with the same figures in a table and in files', async () => {
  await open('editor', `/reports?event=${show}`, async (page) => {
    await page.locator('.chart rect').last().waitFor();
    await page.getByText('The same as a table').click();
    expect(await page.locator('.report-scroll tbody tr').count()).toBe(30);
    for (const [button, ending] of [
      ['CSV', /\.csv$/],
      ['XLSX', /\.xlsx$/],
    ] as const) {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: button }).click(),
      ]);
      expect(file.suggestedFilename()).toMatch(ending);
    }
  });
});

it.each([
  ['author', false, true],
  ['subscriber', false, false],
] as const)('a %s sees only what the account may', async (role: Role, mayOrders, mayReports) => {
  await open(
    role,
    '/',
    async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      const rail = page.getByRole('navigation', { name: 'Screens' });
      expect(await rail.getByRole('link', { name: 'Orders' }).isVisible()).toBe(mayOrders);
      expect(await rail.getByRole('link', { name: 'Reports' }).isVisible()).toBe(mayReports);
      for (const path of ['/orders', `/orders/${order}`, '/counter']) {
        await page.goto(`/console${path}`);
        await page.getByText('Ask an administrator for the right.').waitFor();
      }
    },
    { refused: /^403 GET .*\/orders/ },
  );
});
