import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { hiddenFields, pageVisitor } from '../page-visitor.ts';
import { NOON } from '../server.ts';
import { shopperOf, wait } from '../shopper.ts';
import { accessibilityProblems, houseAudit } from './axe.ts';
import {
  buy,
  choose,
  HOLD,
  introduce,
  invite,
  makeShow,
  ORDER_BUTTON,
  openTicket,
  pass,
  reply,
  sell,
  unfold,
} from './sale.ts';
import { DESKTOP, PHONE, useSite } from './site.ts';

const KEY = 'door-key';
const { server, origin, withPage } = useSite({ qrApiKey: KEY });

const settle = (settings: object) => server().make('PATCH admin:/site', settings);
const attendeesOf = async ({ id }: { id: number }) =>
  (await server().ask('GET tickets:/attendees', { as: 'administrator', query: { post_id: id } })).body;
/** The code on the page of a ticket. */
const codeOn = (page: Page): Promise<string> => page.locator('.code-text').innerText();
/** Checks in with the code of the ticket at an address; returns the error, if it is refused. */
async function scan(path: string, security_code: string): Promise<string | undefined> {
  const ticket_id = /\/ticket\/(\d+)\//.exec(path)?.[1];
  return (await server().ask('POST tickets:/qr', { body: { api_key: KEY, ticket_id, security_code } })).body.error;
}

interface Visitor {
  language: '' | '/fr' | '/de';
  viewport: { width: number; height: number };
  javaScriptEnabled: boolean;
}

/** Visitors of a flow: on a phone without scripts in one language, and on a desktop with scripts in another. */
const visitorsIn = (narrow: Visitor['language'], wide: Visitor['language']) =>
  [
    { language: narrow, viewport: PHONE, javaScriptEnabled: false },
    { language: wide, viewport: DESKTOP, javaScriptEnabled: true },
  ].map((visitor: Visitor) => [nameOf(visitor), visitor] as const);
const nameOf = ({ language, viewport, javaScriptEnabled }: Visitor): string =>
  `${language.slice(1) || 'en'}, ${viewport.width} px, ${javaScriptEnabled ? 'with' : 'without'} scripts`;

/** Chromium says so of every page with such a status. */
const REFUSED = /server responded with a status of 4\d\d/;

async function visit({ language: _language, ...options }: Visitor, act: (page: Page) => Promise<void>) {
  const complaints = await withPage(options, act);
  expect(complaints.filter((one) => !REFUSED.test(one))).toEqual([]);
}

beforeAll(() => settle({ payment_ways: [{ id: 'door' }, { id: 'transfer' }], cancellation: { rule: 'free' } }));

describe('buying', () => {
  it.each(visitorsIn('', '/fr'))(
    'two kinds makes one order, by a double click, back and reload: %s',
    async (_name, visitor) => {
      const show = await makeShow(server());
      const [adults, children] = [await sell(server(), show, '20', 10), await sell(server(), show, '8', 10)];
      await visit(visitor, async (page) => {
        await choose(page, `${visitor.language}${show.path}`, [adults, 2], [children, 1]);
        const other = await page.context().newPage();
        await other.goto(`${visitor.language}/checkout/`);
        await introduce(page);
        await introduce(other);
        await page.dblclick(ORDER_BUTTON);
        // The second press may end the first one's way to the order.
        await page.locator('body.order').waitFor();
        const order = page.url();
        await page.reload();
        await page.goBack();
        // A page that came back as it was still has the button.
        if (await page.locator(ORDER_BUTTON).isVisible()) await page.click(ORDER_BUTTON);
        await other.click(ORDER_BUTTON);
        await other.waitForURL('**/cart/');
        await page.goto(order);
        expect(await page.locator('.ticket-held').count()).toBe(3);
      });
      expect((await attendeesOf(show)).total).toBe(3);
    },
  );

  it.each(visitorsIn('/de', ''))(
    'goes on after the cart ran out, and with what is left: %s',
    async (_name, visitor) => {
      const show = await makeShow(server());
      const ticket = await sell(server(), show, '20', 4);
      await visit(visitor, async (page) => {
        await choose(page, `${visitor.language}${show.path}`, [ticket, 3]);
        pass(server(), HOLD);
        await page.goto(`${visitor.language}/cart/`);
        await page.click('main form button');
        await page.waitForURL('**/checkout/');
        await introduce(page);
        pass(server(), HOLD);
        await shopperOf(server()).put([{ ticket_id: ticket.id, quantity: 2 }]);
        await page.click(ORDER_BUTTON);
        await page.click('[name="take"]');
        expect(await page.inputValue('#email')).toBe('ada@example.test');
        await page.click(ORDER_BUTTON);
        await page.waitForURL('**/order/*/*/');
        expect((await attendeesOf(show)).total).toBe(2);
        // The other two places are bought meanwhile.
        await page.goto(`${visitor.language}${show.path}`);
        expect(await page.locator(`input#ticket-${ticket.id}`).count()).toBe(0);
      });
    },
  );

  it('announces no time that has passed before the page is shown', async () => {
    const show = await makeShow(server());
    const ticket = await sell(server(), show, '20', 4);
    await withPage({ viewport: DESKTOP }, async (page) => {
      await choose(page, show.path, [ticket, 1]);
      wait(server(), 14);
      await page.reload();
      expect(await page.locator('[data-seconds]').getAttribute('data-seconds')).toBe('60');
      expect(await page.locator('[data-seconds] [role="status"]').textContent()).toBe('');
    });
    server().clock.now = NOON;
  });

  it('announces when five and two minutes are left, and keeps the input when the time has expired', async () => {
    const show = await makeShow(server());
    const ticket = await sell(server(), show, '20', 4);
    await withPage({ viewport: DESKTOP }, async (page) => {
      await page.clock.install();
      await choose(page, show.path, [ticket, 1]);
      await introduce(page);
      const spoken = page.locator('[data-seconds] [role="status"]');
      expect(await page.locator('[data-seconds]').innerText()).toMatch(/\((15:00|14:5\d)\)/);
      for (const [minutes, text] of [
        [9, ''],
        [1, 'These places are held for 5 more minutes.'],
        [3, 'These places are held for 2 more minutes.'],
      ] as const) {
        await page.clock.fastForward(minutes * 60_000);
        expect(await spoken.textContent()).toBe(text);
      }
      await page.clock.fastForward(120_000);
      expect(await page.getByRole('alert').innerText()).toContain('Your reservation has expired');
      expect(await page.inputValue('#name')).toBe('Ada Lovelace');
      await page.click('[name="take"]');
      await page.locator('[data-seconds]').waitFor();
      expect(await page.inputValue('#name')).toBe('Ada Lovelace');
    });
  });

  it('needs no more than the Tab, arrow, space and return keys', async () => {
    const show = await makeShow(server());
    const [adults, children] = [await sell(server(), show, '20', 10), await sell(server(), show, '8', 10)];
    await visit({ language: '', viewport: DESKTOP, javaScriptEnabled: true }, async (page) => {
      const { keyboard } = page;
      const tabTo = async (selector: string) => {
        const isThere = `document.activeElement.matches(${JSON.stringify(selector)})`;
        for (let stops = 0; stops < 100; stops += 1) {
          await keyboard.press('Tab');
          if (await page.evaluate<boolean>(isThere)) return;
        }
        throw new Error(`the Tab key does not reach ${selector} at ${page.url()}`);
      };
      await page.goto(show.path);
      await tabTo(`#ticket-${adults.id}`);
      await keyboard.press('ArrowUp');
      await keyboard.press('ArrowUp');
      await tabTo(`#ticket-${children.id}`);
      await keyboard.press('ArrowUp');
      await tabTo('.tickets form > button');
      await keyboard.press('Enter');
      await page.waitForURL('**/checkout/');
      // The return key in a field of the cart saves what was typed, and removes nothing.
      await tabTo('a[href="/cart/"]');
      await keyboard.press('Enter');
      await page.waitForURL('**/cart/');
      await tabTo(`#ticket-${adults.id}`);
      await keyboard.press('ArrowDown');
      await keyboard.press('Enter');
      await page.locator(`#ticket-${adults.id}[value="1"]`).waitFor();
      expect(await page.locator('tbody input').count()).toBe(2);
      await tabTo('[name="next"]');
      await keyboard.press('Enter');
      await page.waitForURL('**/checkout/');
      await tabTo('#name');
      await keyboard.type('Ada Lovelace');
      await tabTo('#email');
      await keyboard.type('ada@example.test');
      await tabTo('summary');
      await keyboard.press('Enter');
      await tabTo(`#guest-${children.id}-1`);
      await keyboard.type('Byron');
      await tabTo('[name="show"]');
      await keyboard.press('Space');
      await tabTo('[name="payment"]');
      await keyboard.press('ArrowDown');
      await tabTo(ORDER_BUTTON);
      await keyboard.press('Enter');
      await page.waitForURL('**/order/*/*/');
      for (const text of ['Bank transfer', 'Byron']) expect(await page.locator('main').innerText()).toContain(text);
      await tabTo('a[href$="/cancel/"]');
      await keyboard.press('Enter');
      await page.waitForURL('**/cancel/');
      await tabTo('button.bad');
      await keyboard.press('Space');
      await page.locator('.notice.bad').waitFor();
    });
    expect((await attendeesOf(show)).total).toBe(0);
  });
});

describe('the last ten places', () => {
  const BROWSERS = 4;
  const PROGRAMS = 196;

  /** Takes the place that was chosen, and orders it with a double click. */
  async function order(page: Page, pressed: () => void): Promise<string> {
    await page.click('.tickets form > button');
    pressed();
    await page.locator('body.checkout, #errors').first().waitFor();
    if ((await page.locator('body.checkout').count()) === 0) return 'refused';
    await introduce(page);
    await page.dblclick(ORDER_BUTTON);
    await page.locator('body.order').waitFor();
    return 'ordered';
  }

  it('go to ten of two hundred visitors, some of them with browsers', async () => {
    const show = await makeShow(server());
    const ticket = await sell(server(), show, '20', 10);
    // Programs are quicker: they wait until all browsers offer places, and the first ones have asked.
    const { promise: begin, resolve: start } = Promise.withResolvers<void>();
    const left = { opened: BROWSERS, pressed: BROWSERS / 2 };
    const count = (step: keyof typeof left) => {
      left[step] -= 1;
      if (left.opened <= 0 && left.pressed <= 0) start();
    };
    const browsers = Array.from({ length: BROWSERS }, async (_, number) => {
      let outcome = '';
      await withPage({ viewport: DESKTOP, javaScriptEnabled: number % 2 === 0 }, async (page) => {
        await page.goto(show.path);
        await page.fill(`#ticket-${ticket.id}`, '1');
        count('opened');
        outcome = await order(page, () => count('pressed'));
      });
      return outcome;
    });
    const programs = Array.from({ length: PROGRAMS }, async () => {
      const who = pageVisitor(server().request);
      await begin;
      const taken = await who.post('/cart/', { event: show.path.split('/')[2] ?? '', [`ticket-${ticket.id}`]: '1' });
      if (taken.status !== 303) return 'refused';
      const form = { ...hiddenFields((await who.get('/checkout/')).text), name: 'Ada', email: 'ada@example.test' };
      return (await who.post('/checkout/', form)).location.startsWith('/order/') ? 'ordered' : 'refused';
    });
    const outcomes = await Promise.all([...browsers, ...programs]);
    expect(Object.groupBy(outcomes, String)).toMatchObject({ ordered: { length: 10 }, refused: { length: 190 } });
    expect((await attendeesOf(show)).total).toBe(10);
  });
});

describe('a reply', () => {
  it.each(visitorsIn('/fr', '/de'))('is taken once, and changes to no and back: %s', async (_name, visitor) => {
    const show = await makeShow(server());
    const guests = await invite(server(), show);
    await visit(visitor, async (page) => {
      await reply(page, `${visitor.language}${show.path}`, guests);
      await page.dblclick('#replies form button');
      // The second press may end the first one's way to the ticket.
      await page.locator('.code').waitFor();
      const ticket = page.url();
      await page.reload();
      await reply(page, `${visitor.language}${show.path}`, guests);
      await page.click('#replies form button');
      await page.waitForURL(ticket);
      expect((await attendeesOf(show)).total).toBe(1);
      for (const [answer, codes] of [
        ['no', 0],
        ['yes', 1],
      ] as const) {
        await page.click(`[name="answer"][value="${answer}"]`);
        await page.waitForURL(ticket);
        await page.locator(`[name="answer"][value="${answer === 'no' ? 'yes' : 'no'}"]`).waitFor();
        expect(await page.locator('.code').count()).toBe(codes);
      }
      if (!visitor.javaScriptEnabled) return;
      await page.goto(`${visitor.language}/my-tickets/`);
      expect(await page.locator('.orders a').count()).toBe(1);
    });
  });
});

/** Words of the folded forms of a ticket. */
const FOLDED = {
  '': ['Change names', 'Give it to'],
  '/fr': ['Modifier les noms', 'Le céder à'],
  '/de': ['Namen oder', 'Auf jemand'],
} as Record<string, readonly [string, string]>;

describe('a ticket', () => {
  it.each(visitorsIn('', '/de'))('gets another name, is given on, and is cancelled: %s', async (_name, visitor) => {
    const show = await makeShow(server());
    const free = await sell(server(), show, '0', 5);
    const [change = '', give = ''] = FOLDED[visitor.language] ?? [];
    await visit(visitor, async (page) => {
      const order = await buy(page, `${visitor.language}${show.path}`, [free, 2]);
      await unfold(page, change);
      await page.locator('[name^="name-"]').first().fill('Ada King');
      await page.click('details[open] form button');
      await page.getByRole('heading', { name: 'Ada King' }).waitFor();
      const old = await openTicket(page);
      const formerCode = await codeOn(page);
      await unfold(page, give);
      await page.fill('#transfer-name', 'Grace Hopper');
      await page.fill('#transfer-email', 'grace@example.test');
      await page.dblclick('details[open] form button');
      const link = page.locator('.address a');
      const fresh = (await link.getAttribute('href')) ?? '';
      await link.click();
      await page.waitForURL(`**${fresh}`);
      expect(await page.locator('.facts').innerText()).toContain('Grace Hopper');
      const code = await codeOn(page);
      expect((await page.goto(old))?.status()).toBe(410);
      expect(await scan(old, formerCode)).toBe('security_code_not_valid');
      await page.goto(order);
      expect(await page.locator('.ticket-held .code').count()).toBe(1);
      expect(await page.locator('main').innerText()).toContain('Grace Hopper');
      expect(await page.content()).not.toContain(fresh);
      await page.click('a[href$="/cancel/"]');
      await page.click('button.bad');
      await page.waitForURL(`**${order}`);
      expect(await page.locator('.ticket-held .code').count()).toBe(0);
      expect(await scan(fresh, code)).not.toBeUndefined();
    });
    expect((await attendeesOf(show)).total).toBe(0);
  });
});

const OPEN_ALL = 'document.querySelectorAll("details").forEach((item) => { item.open = true; })';
const OVERFLOW = 'document.documentElement.scrollWidth - innerWidth';

describe('the pages of customers and holders', () => {
  it('are accessible, legible and fit, narrow and wide, in light and dark colours', { timeout: 120_000 }, async () => {
    const problems: string[] = [];
    await settle({ terms: '<p>No refunds.</p>' });
    const show = await makeShow(server(), { description: 'With lanterns' });
    const [paid, free] = [await sell(server(), show, '20', 90), await sell(server(), show, '0', 90)];
    const guests = await invite(server(), show);
    const complaints = await withPage({ viewport: PHONE }, async (page) => {
      const look = async (where: string) => {
        for (const [viewport, colorScheme, all] of [
          [PHONE, 'light', true],
          [DESKTOP, 'dark', false],
        ] as const) {
          await page.setViewportSize(viewport);
          await page.emulateMedia({ colorScheme });
          if (viewport === DESKTOP) await page.evaluate(OPEN_ALL);
          const found = all ? await accessibilityProblems(page) : await page.evaluate<string[]>(houseAudit);
          if (Number(await page.evaluate(OVERFLOW)) > 0) found.push('is wider than its window');
          problems.push(...found.map((problem) => `${where}, ${viewport.width} px, ${colorScheme}: ${problem}`));
        }
      };
      const agree = () => page.check('#terms');
      await page.goto('/fr/cart/');
      await look('empty cart');
      await choose(page, `/fr${show.path}`, [paid, 2], [free, 1]);
      await look('checkout');
      await page.evaluate('document.querySelectorAll("form").forEach((form) => { form.noValidate = true; })');
      await page.fill('#email', 'nobody');
      await page.click(ORDER_BUTTON);
      await page.locator('#errors').waitFor();
      await look('checkout with errors');
      await page.goto('/de/cart/');
      await look('cart');
      pass(server(), HOLD);
      await page.reload();
      await look('expired cart');
      await page.click('main form button');
      await page.waitForURL('**/checkout/');
      await introduce(page);
      await agree();
      await page.click(ORDER_BUTTON);
      await page.waitForURL('**/order/*/*/');
      await look('unpaid order');
      await page.click('a[href$="/cancel/"]');
      await page.waitForURL('**/cancel/');
      await look('question before cancelling');
      await page.click('button.bad');
      await page.locator('.notice.bad').waitFor();
      await look('cancelled order');
      await choose(page, show.path, [free, 2]);
      await introduce(page);
      await agree();
      await page.click(ORDER_BUTTON);
      await page.waitForURL('**/order/*/*/');
      const order = page.url();
      await look('completed order');
      const ticket = await openTicket(page);
      await look('ticket');
      await page.evaluate(OPEN_ALL);
      await page.fill('#transfer-name', 'Grace Hopper');
      await page.fill('#transfer-email', 'grace@example.test');
      await page.locator('form[action$="/transfer/"] button').click();
      await page.locator('.address a').waitFor();
      await look('ticket that was given on');
      await page.click('.address a');
      await page.locator('.code').waitFor();
      expect(await scan(page.url(), await codeOn(page))).toBeUndefined();
      await page.reload();
      await look('used ticket');
      await page.goto(`${order}cancel/`);
      await look('order that cannot be cancelled');
      expect((await page.goto(ticket))?.status()).toBe(410);
      await look('former page of a ticket');
      await page.setViewportSize(PHONE);
      await reply(page, `/de${show.path}`, guests, 'no');
      await page.click('#replies form button');
      await page.waitForURL('**/ticket/*/*/');
      await look('reply with a no');
      await page.setViewportSize(PHONE);
      await reply(page, `/fr${show.path}`, guests);
      await page.fill(`#reply-${guests.id}-places`, '2');
      await page.click('#replies form button');
      await page.waitForURL('**/reply/*/*/');
      expect(await page.locator('.ticket-held .code').count()).toBe(2);
      await look('reply for two');
      await page.locator('.tickets-held .button').first().click();
      await page.locator('#scope').waitFor();
      await look('first ticket of a reply for two');
      await page.goto('/fr/my-tickets/');
      await page.locator('[data-orders] a[href*="/reply/"]').waitFor();
      const rows = page.locator('[data-orders] li');
      // The ticket of the reply that was opened has no row of its own.
      expect(await rows.filter({ has: page.locator('a[href^="/fr/ticket/"]') }).count()).toBe(0);
      const replied = rows.filter({ has: page.locator('a[href*="/reply/"]') });
      expect(await replied.innerText()).not.toContain('Nouvelle heure');
      await server().make(`PATCH /events/${show.id}`, { title: 'Nouvelle heure' });
      await page.reload();
      await replied.getByText('Nouvelle heure').waitFor();
      const voided = await buyAndVoid(page, show.path, free);
      await page.goto(voided);
      await look('cancelled ticket');
    });
    await settle({ terms: '' });
    expect(problems).toEqual([]);
    expect(complaints.filter((one) => !REFUSED.test(one))).toEqual([]);
  });

  /** A ticket whose order is refunded, and then shown by a link that its holder kept. */
  async function buyAndVoid(page: Page, path: string, ticket: { id: number }): Promise<string> {
    await choose(page, path, [ticket, 1]);
    await introduce(page);
    await page.check('#terms');
    await page.click(ORDER_BUTTON);
    await page.waitForURL('**/order/*/*/');
    const [, , id] = new URL(page.url()).pathname.split('/');
    const held = await openTicket(page);
    await server().make(`PATCH admin:/orders/${id}`, { status: 'refunded' });
    return held;
  }

  /** A site that the foot of the pages links to. */
  let elsewhere: Server;
  const referers: (string | undefined)[] = [];
  beforeAll(async () => {
    elsewhere = createServer(({ headers }, response) => {
      referers.push(headers.referer);
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><link rel="icon" href="data:,"><title>Elsewhere</title>');
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
  });
  afterAll(() => void elsewhere?.close());

  it('tell the secrets in their addresses neither to other sites, nor to caches, nor to the log', async () => {
    const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/imprint`;
    await settle({ legal_links: [{ label: 'Imprint', url }] });
    const show = await makeShow(server());
    const free = await sell(server(), show, '0', 5);
    const kept: string[] = [];
    const secrets: string[] = [];
    const paths: string[] = [];
    await withPage({ viewport: DESKTOP }, async (page) => {
      page.on('response', (response) => {
        const { pathname } = new URL(response.url());
        if (!/^\/(order|ticket)\//.test(pathname)) return;
        if (response.headers()['cache-control'] !== 'private, no-store') kept.push(pathname);
      });
      paths.push(await buy(page, show.path, [free, 1]));
      paths.push(await openTicket(page));
      secrets.push(...paths.map((path) => path.split('/')[3] ?? ''));
      for (const path of paths) {
        await page.goto(path);
        await page.click(`a[href="${url}"]`);
        await page.waitForURL(url);
      }
      await page.goto(`${paths[1]}ticket.png`);
    });
    expect([referers, kept]).toEqual([[undefined, undefined], []]);
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const app = createApp({ ...server().context, log });
    for (const path of [...paths, `${paths[0]}cancel/`, `${paths[1]}ticket.png`, `${paths[1]}code.png`])
      for (const method of ['GET', 'POST'])
        await app.request(path, {
          method,
          headers: { accept: 'text/html', referer: `${origin()}${path}`, origin: origin() },
        });
    expect(lines.length).toBeGreaterThan(0);
    for (const secret of secrets) expect(lines.join('')).not.toContain(secret);
    await settle({ legal_links: [] });
  });
});
