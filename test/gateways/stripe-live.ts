import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { environment, readConfig } from '../../src/base/config.ts';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { GatewayContext } from '../../src/ticketing/payments/gateways/gateway.ts';
import { stripe } from '../../src/ticketing/payments/gateways/stripe.ts';
import { sharedBrowser } from '../browser.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { gatewayContract } from './contract.ts';

/**
 * Tests of the contract against Stripe itself, with payments in a browser. They leave out debits and disputes, which
 * take days there, and webhooks, which need a public address.
 */

const { stripeKey, stripeUrl } = readConfig(environment);
let context: GatewayContext;
let close: () => Promise<void>;

beforeAll(async () => {
  const data = await temporaryFolder('live');
  const config = { ...readConfig({}), data, stripeKey, stripeUrl };
  const db = await openDatabase({ kind: 'sqlite', file: join(data, 'marquee.db') });
  await migrate(db);
  context = { config, db, now: () => new Date() };
  close = async () => {
    await db.close();
    await rm(data, { recursive: true, force: true });
  };
});
afterAll(() => close());

/** Address of an open page. */
async function pageOf(externalId: string): Promise<string> {
  const headers = { authorization: `Bearer ${stripeKey}` };
  const response = await fetch(`${stripeUrl}/v1/checkout/sessions/${externalId}`, { headers });
  const { url } = (await response.json()) as { url: string | null };
  if (!url) throw new Error(`the page of ${externalId} is not open`);
  return url;
}

/** Fills in the form of a page: test cards are at https://docs.stripe.com/testing */
async function payBy(number: string, externalId: string, isOver: (page: Page) => Promise<unknown>): Promise<void> {
  const url = await pageOf(externalId);
  const browserContext = await (await sharedBrowser()).newContext();
  try {
    const page = await browserContext.newPage();
    await page.goto(url);
    await page.fill('#cardNumber', number);
    await page.fill('#cardExpiry', '12 / 34');
    await page.fill('#cardCvc', '123');
    await page.fill('#billingName', 'Ada Park');
    await Promise.all([isOver(page), page.click('.SubmitButton')]);
  } finally {
    await browserContext.close();
  }
}

gatewayContract('Stripe, in test mode', {
  gateway: stripe,
  context: () => context,
  currency: 'EUR',
  pay: (id) => payBy('4242424242424242', id, (page) => page.waitForRequest('https://events.example.org/**')),
  decline: (id) => payBy('4000000000000002', id, (page) => page.getByText(/declined|refusée/i).waitFor()),
});
