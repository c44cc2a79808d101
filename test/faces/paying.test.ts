import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { makeSeat } from '../attendees.ts';
import { sharedBrowser } from '../browser.ts';
import { type Bought, buy } from '../buyers.ts';
import { type PayingServer, startPaying } from '../gateways/paying.ts';
import { NOON } from '../server.ts';
import { makeEvent } from '../tickets.ts';
import { accessibilityProblems, houseAudit } from './axe.ts';
import { introduce, ORDER_BUTTON } from './sale.ts';
import { DESKTOP, PHONE } from './site.ts';

describe.each([
  ['on a phone without scripts', { viewport: PHONE, javaScriptEnabled: false }, ''],
  ['on a desktop with scripts', { viewport: DESKTOP, javaScriptEnabled: true }, '/fr'],
])('paying %s', (_name, options, language) => {
  let paying: PayingServer;
  let listening: Server;
  let browser: Browser;
  let origin: string;
  beforeAll(async () => {
    paying = await startPaying('sqlite', { languages: ['en', 'fr', 'de'] });
    listening = createServer(createApp(paying.server.context).receive);
    listening.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    // A server that listens on a port has such an address.
    origin = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
    browser = await sharedBrowser();
  }, 120_000);
  afterAll(async () => {
    listening.close();
    listening.closeAllConnections();
    await paying.close();
  });

  const sell = async (slug: string, capacity: number) => {
    const event = await makeEvent(paying.server, { title: 'Lantern Night', slug });
    return makeSeat(paying.server, event, capacity, { price: '36' });
  };

  /** Orders a place in a browser, which then shows the page of the payment service. */
  async function order(slug: string, seat: number): Promise<Page> {
    const context = await browser.newContext({ ...options, baseURL: origin });
    const page = await context.newPage();
    await page.goto(`${language}/event/${slug}/`);
    await page.fill(`#ticket-${seat}`, '1');
    await page.click('.tickets form > button');
    await page.waitForURL('**/checkout/');
    await introduce(page);
    expect(await page.locator(ORDER_BUTTON).innerText()).toMatch(/^(Pay|Payer) /);
    await page.click(ORDER_BUTTON);
    await page.waitForURL('**/pay/cs_*');
    return page;
  }

  it('after a declined card, and in a closed window by the link of the order', async () => {
    const page = await order('closed', await sell('closed', 5));
    await page.click('[value="decline"]');
    await page.locator('[role="alert"]').waitFor();
    await page.click('text=Back to the shop');
    const link = page.url();
    await page.close();
    const again = await page.context().newPage();
    await again.goto(link);
    if (options.javaScriptEnabled) expect(await accessibilityProblems(again)).toEqual([]);
    await again.click('.notice a.button');
    await again.waitForURL('**/pay/cs_*');
    await again.click('[value="pay"]');
    await again.locator('.notice.good').waitFor();
    expect(await again.locator('img.code').count()).toBe(1);
    expect(await again.locator('.receipt').innerText()).toContain('4242');
    if (options.javaScriptEnabled) expect(await accessibilityProblems(again)).toEqual([]);
    await page.context().close();
  });

  it('for the last place, paid by two: one has it, and the money of the other goes back', async () => {
    const seat = await sell('last', 1);
    const bought = await paying.buyByCard(seat);
    await paying.pass(20);
    const context = await browser.newContext({ ...options, baseURL: origin });
    const first = await context.newPage();
    await first.goto(`${language}${new URL(bought.body.order.url).pathname}pay/`);
    await first.waitForURL('**/pay/cs_*');
    const session = new URL(first.url()).pathname.split('/').at(-1) ?? '';
    // The service does not respond at the deadline, so the page stays open when the place is given up.
    paying.standIn.faults.push({ kind: '500', times: 1000 });
    await paying.pass(30);
    paying.standIn.faults.length = 0;
    const second = await order('last', seat);
    await second.click('[value="pay"]');
    await second.locator('.notice.good').waitFor();
    await first.click('[value="pay"]');
    await first.waitForURL('**/order/**');
    await paying.deliver();
    await first.reload();
    expect(await first.locator('.notice.bad').innerText()).toContain('36');
    expect(await first.locator('img.code').count()).toBe(0);
    expect(paying.standIn.account.kept(session)).toBe(0);
    await second.reload();
    expect(await second.locator('img.code').count()).toBe(1);
    await context.close();
    await second.context().close();
  });

  it('for a hidden ticket that a code opens and reduces', async () => {
    paying.reset();
    const { server } = paying;
    const event = await makeEvent(server, { title: 'Lantern Night', slug: 'codes' });
    await makeSeat(server, event, 5, { name: 'Stalls', price: '36' });
    const hidden = await makeSeat(server, event, 5, { name: 'Backstage', price: '50', requires_code: true });
    const promote = (fields: object) => server.make('POST admin:/promotions', fields);
    await promote({ code: 'STAGE DOOR', kind: 'percent', value: 20_000, ticket_ids: [hidden] });
    const context = await browser.newContext({ ...options, baseURL: origin });
    const page = await context.newPage();
    await page.goto(`${language}/event/codes/`);
    const enter = async (code: string) => {
      if (!(await page.locator('#code').isVisible())) await page.click('details:has(#code) summary');
      await page.fill('#code', code);
      await page.click('form:has(#code) button');
    };
    expect(await page.getByText('Backstage').count()).toBe(0);
    await enter('stage dor');
    await page.locator('[role="alert"]').first().waitFor();
    expect(await page.getByText('Backstage').count()).toBe(0);
    await enter(' stage door ');
    await page.fill(`#ticket-${hidden}`, '1');
    if (options.javaScriptEnabled) expect(await accessibilityProblems(page)).toEqual([]);
    await page.click('.tickets form > button');
    await page.waitForURL('**/checkout/');
    await introduce(page);
    expect(await page.locator(ORDER_BUTTON).innerText()).toContain('40');
    await page.click(ORDER_BUTTON);
    await page.waitForURL('**/pay/cs_*');
    await page.click('[value="pay"]');
    await page.locator('.notice.good').waitFor();
    expect(await page.locator('img.code').count()).toBe(1);
    await context.close();
  });
});

describe('the pages of an order', () => {
  let paying: PayingServer;
  let listening: Server;
  let page: Page;
  let seat: number;
  beforeAll(async () => {
    paying = await startPaying('sqlite', { languages: ['en', 'fr', 'de'], invoices: 'paid' });
    const { server } = paying;
    await server.make('PATCH admin:/site', {
      payment_ways: [
        { id: 'card', gateway: 'stripe', text: 'Card, Apple Pay, Google Pay' },
        { id: 'debit', gateway: 'stripe', name: 'Direct debit' },
        { id: 'transfer', gateway: 'transfer' },
      ],
      accepts_donations: true,
      donation_amounts: [500, 1000],
      seller: {
        name: 'Harbour Hall Ltd',
        address: 'Quay 1\nMoncton',
        vat_number: 'NB 7',
        note: 'Thank you for coming.',
      },
    });
    const tax = await server.make('POST admin:/tax-rates', { name: 'VAT', rate: 10_000, included: true });
    await server.make('POST admin:/fees', { name: 'Booking fee', per: 'order', fixed: 150 });
    const event = await makeEvent(server, { title: 'Lantern Night on the river, with music', slug: 'lantern-night' });
    seat = await makeSeat(server, event, 500, { price: '1250', tax_rate_id: tax.id });
    await makeSeat(server, event, 500, { name: 'Solidarity', price: '20', min_price: '5', pay_what_you_can: true });
    await server.make('POST admin:/promotions', { code: 'FRIENDS', kind: 'percent', value: 15_000 });
    listening = createServer(createApp(server.context).receive);
    listening.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const browser = await sharedBrowser();
    // A server that listens on a port has such an address.
    const baseURL = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
    page = await (await browser.newContext({ baseURL, viewport: PHONE })).newPage();
    await page.clock.setFixedTime(NOON);
  }, 120_000);
  afterAll(async () => {
    await page?.context().close();
    listening.close();
    listening.closeAllConnections();
    await paying.close();
  });
  const pathOf = ({ body }: Bought): string => new URL(body.order.url).pathname;
  const paid = async () => {
    const order = await paying.buyByCard(seat);
    const session = await paying.open(order);
    return { order, session, account: paying.standIn.account };
  };

  /** Path of the latest document of an order of two places for a company, of which an amount may be given back. */
  const documented = async (amount = 0): Promise<string> => {
    const company = `Society for Lanterns${'andLights'.repeat(6)}`;
    const billing = { company, vat_number: 'DE 123456789', address: 'Harbour Street 1\nMoncton' };
    const order = await buy(paying.server, [seat, seat], { payment: 'card', billing });
    paying.standIn.account.pay(await paying.open(order));
    await paying.deliver();
    if (amount > 0) await paying.server.make(`POST admin:/orders/${order.id}/refunds`, { amount });
    await paying.work();
    const query = { order: order.id };
    const { body } = await paying.server.ask('GET admin:/invoices', { as: 'administrator', query });
    return `${pathOf(order)}invoice/${body.invoices[0].number}/`;
  };

  it.each<[string, () => Promise<string>]>([
    ['with its invoice', () => documented()],
    ['with a credit note', () => documented(12_000)],
    ['unpaid', async () => pathOf(await paying.buyByCard(seat))],
    [
      'whose payment is being confirmed',
      async () => {
        const { order } = await paid();
        return `${pathOf(order)}?paid=2`;
      },
    ],
    [
      'with the choice of another payment',
      async () => {
        const { order } = await paid();
        return `${pathOf(order)}pay/?choose=1`;
      },
    ],
    [
      'while the service is down',
      async () => {
        const order = await paying.buyByCard(seat);
        paying.standIn.faults.push({ kind: '500', times: 4 });
        return `${pathOf(order)}pay/`;
      },
    ],
    ['waiting for a transfer', async () => pathOf(await buy(paying.server, [seat], { payment: 'transfer' }))],
    [
      'with a receipt',
      async () => {
        const { order, session, account } = await paid();
        account.pay(session);
        await paying.deliver();
        return pathOf(order);
      },
    ],
    [
      'with a debit on its way',
      async () => {
        const { order, session, account } = await paid();
        account.debit(session);
        await paying.deliver();
        return pathOf(order);
      },
    ],
    [
      'paid with another amount',
      async () => {
        const { order, session, account } = await paid();
        account.pay(session, { amount: 1900 });
        await paying.deliver();
        return pathOf(order);
      },
    ],
    [
      'that expired',
      async () => {
        const { order } = await paid();
        await paying.pass(36);
        return pathOf(order);
      },
    ],
    [
      'that was refunded in part',
      async () => {
        const { order, session, account } = await paid();
        account.pay(session);
        await paying.deliver();
        await paying.server.make(`POST admin:/orders/${order.id}/refunds`, { amount: 12_000 });
        await paying.work();
        return pathOf(order);
      },
    ],
  ])('%s are accessible, legible and fit, narrow and wide, in light and dark colours', async (_state, make) => {
    paying.reset();
    const path = await make();
    const problems: string[] = [];
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`/de${path}`);
    problems.push(...(await accessibilityProblems(page)));
    const isWider = () => page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
    expect(await isWider()).toBe(false);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize(DESKTOP);
    problems.push(...(await page.evaluate<string[]>(houseAudit)));
    expect(problems).toEqual([]);
    expect(await isWider()).toBe(false);
  });
});
