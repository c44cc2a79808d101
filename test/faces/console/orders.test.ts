import { beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../../src/http/core/auth.ts';
import { toUtc } from '../../../src/lib/dates/dates.ts';
import { orderNumber } from '../../../src/lib/order-number.ts';
import { holdDueMails } from '../../../src/platform/mails/outbox.ts';
import { makeSeat, soldOf } from '../../attendees.ts';
import { buy } from '../../buyers.ts';
import { runJobs } from '../../jobs.ts';
import { makeFinding } from '../../samples.ts';
import { houseAudit } from '../axe.ts';
import { makeShow } from '../sale.ts';
import { DESKTOP, PHONE } from '../site.ts';
import {
  expectAccessible,
  expectAccessibleOnBoth,
  follow,
  keyboardOf,
  MOUSE,
  tick,
  untilSettled,
  useConsole,
} from './console.ts';

const { server, open } = useConsole({ invoices: 'paid' });

let show = 0;
let ticket = 0;
let order = 0;
let unpaid = 0;

/** Sells places at the counter; returns the order. */
async function sell(quantity: number): Promise<number> {
  const items = [{ ticket_id: ticket, quantity }];
  return (
    await server().make('POST admin:/orders', {
      items,
      payment: 'cash',
      purchaser: { name: 'Ada', email: 'ada@home.test' },
    })
  ).id;
}
const readOrder = async (id: number) => (await server().ask(`GET admin:/orders/${id}`, { as: 'editor' })).body;

beforeAll(async () => {
  ({ id: show } = await makeShow(server(), { title: 'Lantern night' }));
  ticket = await makeSeat(server(), show, 40, { name: 'Adults' });
  order = await sell(3);
  unpaid = await sell(1);
  await server().make(`PATCH admin:/orders/${unpaid}`, { status: 'pending' });
});

it('every screen is accessible, on a desktop and on a phone in the other scheme', async () => {
  const screens = [
    '/',
    '/orders',
    `/orders/${order}`,
    '/counter',
    `/counter?event=${show}`,
    '/reports?by=ticket',
    '/invoices',
    '/reports?kind=money',
  ];
  await open(
    'editor',
    '/orders',
    async (page) => {
      for (const path of screens) {
        await follow(page, path);
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
        await follow(page, path);
        expect([path, await page.evaluate(houseAudit)]).toEqual([path, []]);
        expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, PHONE.width]);
      }
    },
    { viewport: PHONE, colorScheme: 'dark', locale: 'de-DE' },
  );
});

describe('the event of an order', () => {
  const what = [/Lantern night/, /Dec 6, 2026/, /Harbour Hall/];
  const expectNamed = async (text: string) => {
    for (const part of what) expect(text).toMatch(part);
  };

  it('is in the list of orders, on the order, in the list of attendees and their panel, and in the palette', async () => {
    await open('editor', '/orders', async (page) => {
      const row = page.getByRole('row').filter({ hasText: orderNumber(order) });
      await row.getByText('Harbour Hall').waitFor();
      await expectNamed(await row.innerText());
      await follow(page, `/orders/${order}`);
      await page.getByRole('link', { name: /Lantern night.*Harbour Hall/ }).waitFor();
      await expectNamed(await page.getByRole('region', { name: 'Tickets' }).innerText());
      await follow(page, '/attendees');
      await page.getByRole('row').getByText('Harbour Hall').first().waitFor();
      await expectNamed(await page.getByRole('row').nth(1).innerText());
      await page.getByRole('row').nth(1).press('Enter');
      await page
        .getByRole('dialog')
        .getByRole('link', { name: /Lantern night.*Harbour Hall/ })
        .waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Screens, events').fill('Ada');
      const found = page
        .getByRole('option')
        .or(page.getByRole('menuitem'))
        .filter({ hasText: orderNumber(order) });
      await found.waitFor();
      await expectNamed(await found.innerText());
    });
  });
});

describe('orders', () => {
  it('are found, filtered and marked as paid together, which can be undone', async () => {
    await open('editor', '/orders?view=open', async (page) => {
      await page.getByRole('rowheader', { name: orderNumber(unpaid) }).waitFor();
      expect(await page.getByRole('rowheader').count()).toBe(1);
      await tick(page.getByRole('checkbox').first());
      await page.getByRole('button', { name: 'Mark 1 as paid' }).click();
      await page.getByText('1 order is paid.').waitFor();
      expect((await readOrder(unpaid)).status).toBe('completed');
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('rowheader', { name: orderNumber(unpaid) }).waitFor();
      expect((await readOrder(unpaid)).status).toBe('pending');
    });
  });

  it.each([
    ['by mouse', DESKTOP],
    ['by keyboard only', PHONE],
  ])('give money back for single places and for everything, as their preview says, %s', async (means, viewport) => {
    const id = await sell(3);
    const before = await soldOf(server(), ticket);
    await open(
      'administrator',
      `/orders/${id}`,
      async (page) => {
        const dialog = page.getByRole('dialog');
        const hand = means === 'by mouse' ? MOUSE : keyboardOf(page);
        await hand.check(page.getByRole('checkbox').nth(1));
        await hand.press(page.getByRole('button', { name: 'Cancel 1 place' }));
        await dialog.getByText('Gives back 1 place.').waitFor();
        await dialog.getByText('$10.00 is recorded as refunded: hand it over or transfer it.').waitFor();
        await expectAccessible(page);
        expect(await soldOf(server(), ticket)).toBe(before);
        await hand.write(dialog.getByLabel('Reason'), 'Is ill');
        await hand.press(dialog.getByRole('button', { name: 'Refund', exact: true }));
        await page.getByText('The refund is recorded.').waitFor();
        // In the time zone of the site: the payment and its refund.
        await page
          .getByText(/Nov 21, 2026, 12:00\sPM/)
          .nth(1)
          .waitFor();
        expect(await soldOf(server(), ticket)).toBe(before - 1);
        await hand.press(page.getByRole('button', { name: 'Refund', exact: true }));
        await hand.write(dialog.getByLabel('Amount in USD'), '15.00');
        await dialog.getByText('$5.00 is kept.').waitFor();
        await dialog.getByText('2 attendees are no longer admitted.').waitFor();
        await hand.press(dialog.getByRole('button', { name: 'Refund', exact: true }));
        await dialog.waitFor({ state: 'detached' });
        const { status, attendees, paid, owed } = await readOrder(id);
        expect([status, paid.minor, owed.minor]).toEqual(['refunded', 500, 0]);
        expect(attendees.filter((one: { status: string }) => one.status === 'trash')).toHaveLength(3);
        expect(await soldOf(server(), ticket)).toBe(before - 3);
        await page.getByText('Is ill').first().waitFor();
      },
      { viewport },
    );
  });

  it('with money to give back are a task, a view and a mark, and are not called final', async () => {
    const id = await sell(1);
    await server().make(`PATCH admin:/orders/${id}`, { status: 'voided' });
    await open('administrator', '/', async (page) => {
      await page.getByRole('link', { name: '1 order with money to refund' }).click();
      await page.waitForURL(/view=owed/);
      await page.getByText('$10.00 to refund').waitFor();
      await expectAccessible(page);
      await page.getByRole('rowheader', { name: orderNumber(id) }).click();
      await page.getByText('Money to refund: $10.00').waitFor();
      expect(await page.getByText('This status is final.').count()).toBe(0);
      await server().make(`POST admin:/orders/${id}/refunds`, {});
      await page.reload();
      await page.getByText('This status is final.').waitFor();
    });
  });

  it('keep a note, another customer and the company of their invoice', async () => {
    await open('editor', `/orders/${order}`, async (page) => {
      await page.getByRole('button', { name: 'Issue the invoice' }).click();
      await page.getByRole('link', { name: 'Invoice 2026-0001' }).waitFor();
      await page.getByLabel('Company').fill('Park & Co');
      await page.getByLabel('Note').fill('Pays at the door');
      await page.getByLabel('E-mail').fill('ada@example.test');
      await page.keyboard.press('Control+s');
      await page.getByText('Saved.').waitFor();
      expect(await readOrder(order)).toMatchObject({
        note: 'Pays at the door',
        purchaser: { name: 'Ada', email: 'ada@example.test' },
        billing: { company: 'Park & Co', vat_number: '', address: '' },
      });
      await runJobs(server().context);
      await follow(page, '/invoices');
      await page.getByText('Credit notes').click();
      await page.getByText('Credit note 2026-0002').waitFor();
      await expectAccessibleOnBoth(page);
      expect(await page.getByText('Invoice 2026-0003').count()).toBe(0);
      await page.getByText('Invoices', { exact: true }).last().click();
      await page.getByText('Invoice 2026-0003').click();
      await page.getByRole('link', { name: 'Invoice 2026-0003' }).waitFor();
    });
  });
});

it('differences from the payment service are a task of the home screen, and are closed with a note', async () => {
  const id = await makeFinding(server().context);
  await open('administrator', '/', async (page) => {
    await page.getByRole('link', { name: '1 difference from the payment service' }).click();
    await page.getByText('At the payment service: $1.00', { exact: false }).waitFor();
    await page.getByRole('button', { name: `Close the difference ${id}` }).click();
    await page.getByRole('dialog').getByLabel('Outcome').fill('Paid out in cash');
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByText('The payments agree', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Closed' }).click();
    await page.getByText('Paid out in cash').waitFor();
    await follow(page, '/');
    expect(await page.getByText('difference from the payment service').count()).toBe(0);
  });
});

describe('the counter', () => {
  it.each([DESKTOP, PHONE])('sells by keyboard alone, and once for two presses, at %j', async (viewport) => {
    const before = await soldOf(server(), ticket);
    await open(
      'editor',
      '/counter',
      async (page) => {
        await page.getByRole('searchbox', { name: 'Event' }).and(page.locator(':focus')).waitFor();
        await untilSettled(page, () => page.keyboard.type('Lantern'));
        await page.getByRole('menuitem', { name: 'Lantern night' }).waitFor();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await page.getByLabel('Places: Adults').and(page.locator(':focus')).waitFor();
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('ArrowUp');
        await page.getByRole('button', { name: 'Sell 2 for $20.00' }).waitFor();
        // Stop the clock of the page: a later second press would start the next sale.
        await page.evaluate('{ const at = performance.now(); performance.now = () => at; }');
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
        // Enter starts the next sale, once the codes have been seen: a second later.
        await page.evaluate('{ const at = performance.now() + 1001; performance.now = () => at; }');
        await page.keyboard.press('Enter');
        await page.getByLabel('Places: Adults').waitFor();
      },
      { viewport },
    );
  });

  it('calculates the change, marks drafts, and prints tickets and receipts with what they are for', async () => {
    const draft = await makeShow(server(), { title: 'Lantern draft', status: 'draft' });
    await makeSeat(server(), draft.id, 5);
    await open('editor', '/', async (page) => {
      await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Counter' }).click();
      await page.getByRole('searchbox', { name: 'Event' }).fill('Lantern');
      await page.getByRole('menuitem', { name: /Lantern draft Draft/ }).waitFor();
      const names = await page.getByRole('menuitem').allInnerTexts();
      expect(names.map((name) => name.includes('Draft'))).toEqual([false, true]);
      await page.getByRole('menuitem', { name: 'Lantern night' }).click();
      await page.getByRole('button', { name: 'One more: Adults' }).click();
      await page.getByLabel('Cash received').fill('50');
      await page.getByText('$40.00').waitFor();
      await page.getByText('change', { exact: true }).waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Sell 1 for $10.00' }).click();
      await page.getByRole('heading', { name: 'Sold for $10.00' }).waitFor();
      await page.locator('.codes').getByText('Lantern night').waitFor();
      await page.locator('.codes').getByText('Harbour Hall').waitFor();
      for (const [paper, width] of [
        ['a4', 595],
        ['roll', 227],
        ['label', 283],
      ] as const) {
        await page.getByLabel('Paper').selectOption(paper);
        const [, found] =
          /MediaBox ?\[ ?0 0 ([\d.]+)/.exec((await page.pdf({ preferCSSPageSize: true })).toString('latin1')) ?? [];
        expect([paper, Math.round(Number(found))]).toEqual([paper, width]);
      }
      await page.evaluate('window.print = () => undefined');
      await page.getByRole('button', { name: 'Print the receipt' }).click();
      await page.emulateMedia({ media: 'print' });
      await page.locator('.receipt').getByText('Lantern night', { exact: false }).waitFor();
      expect(await page.locator('.codes').isVisible()).toBe(false);
      expect(
        (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type \/Page\b(?!s)/g),
      ).toHaveLength(1);
    });
  });

  it('sells once when the response to a sale was lost', async () => {
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

it('the box office sells and takes money, and gets no links that act for customers', async () => {
  const purchaser = { name: 'Grace Door', email: 'grace@example.test' };
  const { attendees } = await server().make('POST admin:/orders', {
    ...{ items: [{ ticket_id: ticket, quantity: 1 }], payment: 'cash', purchaser },
  });
  const late = await buy(server(), [ticket], { purchaser: { name: 'Paul Late', email: 'paul@example.test' } });
  const panel = `/attendees?open=${attendees[0].id}`;
  await open('editor', panel, async (page) => {
    await page.getByRole('dialog').getByRole('link', { name: 'Open the ticket' }).waitFor();
  });
  await open('box_office', panel, async (page) => {
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: 'Code of the ticket' }).waitFor();
    expect(await dialog.locator('a[target=_blank]').count()).toBe(0);
    await follow(page, `/attendees?open=${late.attendees[0]?.id}`);
    await dialog.getByRole('button', { name: 'Take $10.00' }).click();
    await page.getByRole('button', { name: 'Payment received' }).click();
    await page.getByText('The order is paid.').waitFor();
    expect((await readOrder(late.id)).status).toBe('completed');
    await follow(page, `/counter?event=${show}`);
    await page.getByRole('button', { name: 'One more: Adults' }).click();
    await page.getByRole('button', { name: 'Sell 1 for $10.00' }).click();
    await page.getByRole('heading', { name: 'Sold for $10.00' }).waitFor();
    await page.locator('.codes img').first().waitFor();
    expect(await page.locator('main a[target=_blank]').count()).toBe(0);
  });
});

it('mails of an order show their status, and are sent again, also to another address', async () => {
  await holdDueMails(server().context.db, toUtc(new Date()));
  await open('editor', `/orders/${order}`, async (page) => {
    const mails = page.getByRole('region', { name: 'Mails' });
    await mails.getByText('Held back').waitFor();
    await page.getByText(/^The last mail to .* is held back/).waitFor();
    await mails.getByRole('button', { name: /^Open: Tickets/ }).click();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('textbox', { name: 'E-mail address' }).last().fill('ada@work.test');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('The mail is being sent.').waitFor();
    await page.keyboard.press('Escape');
    await mails.getByText('ada@work.test').waitFor();
    await mails.getByText('Being sent').waitFor();
    await follow(page, '/');
    await page.getByText('held back: set MARQUEE_SMTP_URL, restart').waitFor();
  });
});

it('lists that are empty say why, and offer to clear the filters', async () => {
  const { id: quiet } = await makeShow(server(), { title: 'Quiet night' });
  await makeSeat(server(), quiet, 5);
  await open('editor', `/events/${quiet}/orders`, async (page) => {
    await page.getByText('There are no orders yet.').waitFor();
    await follow(page, `/events/${quiet}/attendees?view=in`);
    await page.getByText('No attendee matches these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByText('No one has a ticket yet.').waitFor();
    await follow(page, '/orders?view=returned&search=nothing&after=2020-01-01');
    await page.getByText('No order matches these filters.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByRole('rowheader').first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    await follow(page, '/events?search=nothing&status=postponed');
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByRole('row', { name: 'Quiet night' }).waitFor();
  });
});

it('reports draw what was sold, with the same figures in a table and in files', async () => {
  await open('editor', `/reports?event=${show}`, async (page) => {
    await page.locator('.chart rect').last().waitFor();
    await page.getByText('The same as a table').click();
    expect(await page.locator('.report-scroll tbody tr').count()).toBe(30);
    const from = () => page.getByLabel('From').inputValue();
    expect([await page.getByLabel('Period').inputValue(), await from()]).toEqual([
      'month',
      expect.stringMatching(/^20/),
    ]);
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
    await page.getByText('Ticket', { exact: true }).click();
    await page.getByLabel('Period').selectOption({ label: 'All time' });
    await page.waitForURL(/from=2000-01-01/);
    expect(await from()).toBe('2000-01-01');
  });
});

it.each([
  ['light', DESKTOP],
  ['dark', PHONE],
] as const)(
  'reports compare events by sold places, money, check-ins and days before, in %s',
  async (colorScheme, viewport) => {
    const { id: other } = await makeShow(server(), { title: `Brass at dusk in ${colorScheme}` });
    await makeSeat(server(), other, 40);
    await open(
      'editor',
      `/reports?event=${show}`,
      async (page) => {
        await page.getByRole('link', { name: 'Compare events' }).click();
        const row = (name: RegExp) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
        await row(/Lantern night/)
          .getByText('of 40')
          .waitFor();
        await page.getByRole('button', { name: 'Events: Add an event' }).click();
        await page.getByRole('searchbox').fill(`Brass at dusk in ${colorScheme}`);
        await page.getByRole('menuitem', { name: `Brass at dusk in ${colorScheme}` }).click();
        await row(/Brass at dusk/)
          .getByText('0 of 40')
          .waitFor();
        expect(new URL(page.url()).searchParams.get('events')).toContain(String(other));
        await page.locator('.chart [aria-label=line]').nth(1).waitFor({ state: 'attached' });
        expect(
          await row(/Lantern night/)
            .getByRole('cell')
            .nth(1)
            .innerText(),
        ).toMatch(/^\$\d+\.00$/);
        await expectAccessible(page);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
        await page.getByRole('button', { name: 'Remove Lantern night' }).click();
        await row(/Lantern night/).waitFor({ state: 'detached' });
        await page.getByText('None of these events has sold places').waitFor();
      },
      { colorScheme, viewport },
    );
  },
);

it.each([
  ['contributor', false, true],
  ['subscriber', false, false],
] as const)('a %s sees only the screens that the account may use', async (role: Role, mayOrders, mayReports) => {
  await open(
    role,
    '/',
    async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      const rail = page.getByRole('navigation', { name: 'Screens' });
      expect(await rail.getByRole('link', { name: 'Orders' }).isVisible()).toBe(mayOrders);
      expect(await rail.getByRole('link', { name: 'Reports' }).isVisible()).toBe(mayReports);
      for (const path of ['/orders', `/orders/${order}`, '/counter']) {
        await follow(page, path);
        await page.getByText('Ask an administrator for the right.').waitFor();
      }
    },
    { refused: /^403 GET .*\/orders/ },
  );
});
