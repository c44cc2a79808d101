import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type StripeStandIn, startStripe } from '../../../test/gateways/stripe-stand-in.ts';
import { BOTH_DATABASES, NOON, useTestServer } from '../../../test/server.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { stripe } from './gateways/stripe.ts';

const PATH = '/calendar/tickets/v1/gateways/stripe/webhook';

describe.each(BOTH_DATABASES)('webhooks on %s', (kind) => {
  const server = useTestServer(kind, {}, { isFreshEachTime: true });
  let standIn: StripeStandIn;
  beforeAll(async () => {
    standIn = await startStripe({ now: () => server().clock.now });
  });
  afterAll(() => standIn.close());
  beforeEach(() => {
    server().clock.now = NOON;
    server().restart(standIn.settings);
  });

  /** Pays a payment of the order 7. */
  async function pay(): Promise<{ id: number; externalId: string; webhook: RequestInit }> {
    const { context } = server();
    const { config } = context;
    const now = toUtc(NOON);
    const row = {
      ...{ order_id: 7, gateway: 'stripe', method: 'card', status: 'open' as const, amount: 4990, currency: 'EUR' },
      ...{ created_utc: now, modified_utc: now },
    };
    const { id } = await context.db.query.insertInto('payments').values(row).returning('id').executeTakeFirstOrThrow();
    const { externalId } = await stripe.start(
      { ...context, config: { ...config, ...standIn.settings } },
      {
        ...{ id, key: `payment-${id}-${externalIdOf(id)}`, orderNumber: 'MQ-7', amount: 4990, currency: 'EUR' },
        ...{ description: 'Lantern Walk', email: 'ada@example.org', language: 'en', ends: '2026-11-21 17:45:00' },
        ...{ returnUrl: 'https://events.example.org/', cancelUrl: 'https://events.example.org/' },
      },
    );
    await context.db.query.updateTable('payments').set({ external_id: externalId }).where('id', '=', id).execute();
    standIn.takeWebhooks();
    standIn.account.pay(externalId);
    const completed = standIn.account.events.findLast(({ type }) => type === 'checkout.session.completed');
    if (!completed) throw new Error('no webhook');
    return { id, externalId, webhook: standIn.webhookOf(completed) };
  }
  /** Databases begin anew with each test, the stand-in does not. */
  const externalIdOf = (id: number) => `${id}-${standIn.account.sessions.size}`;

  const send = async (init: RequestInit, path = PATH, from?: string) => {
    const response = await server().request(path, init, from);
    const body = (await response.json()) as { code?: string };
    return { status: response.status, body, headers: response.headers };
  };
  const codeOf = async (...sent: Parameters<typeof send>) => {
    const { status, body } = await send(...sent);
    return [status, body.code];
  };
  const jobs = () =>
    server().context.db.query.selectFrom('jobs').select(['kind', 'key', 'payload']).orderBy('id').execute();

  it('check the payment that they name, once while the check is due', async () => {
    const { id, webhook } = await pay();
    const before = standIn.requests.length;
    const { status, body } = await send(webhook);
    expect([status, body]).toEqual([200, { received: true }]);
    expect((await send(webhook)).status).toBe(200);
    expect(await jobs()).toEqual([
      {
        kind: 'payments.check',
        key: `payment-${id}`,
        payload: expect.stringMatching(new RegExp(`"payment":${id}.*"source":"webhook"`)),
      },
    ]);
    expect(standIn.requests.slice(before)).toEqual([]);
  });

  it.each([
    ['forged', (it: RequestInit) => standIn.signed(String(it.body), { signedWith: 'whsec_forged000000' })],
    ['old', (it: RequestInit) => standIn.signed(String(it.body), { age: 301 })],
    [
      'altered',
      (it: RequestInit) => ({ ...it, body: String(it.body).replace('"livemode":false', '"livemode": false') }),
    ],
    ['not signed', (it: RequestInit) => ({ ...it, headers: { 'content-type': 'application/json' } })],
    ['empty', (it: RequestInit) => ({ ...it, body: '' })],
  ])('that are %s enqueue nothing', async (_what, change) => {
    const { webhook } = await pay();
    expect(await codeOf(change(webhook))).toEqual([400, 'invalid-signature']);
    expect(await jobs()).toEqual([]);
  });

  it('are read as bytes, whatever their type says, and whatever else is sent', async () => {
    const { webhook } = await pay();
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain', ''])
      expect((await send({ ...webhook, headers: { ...webhook.headers, 'content-type': type } })).status).toBe(200);
    const headers = {
      ...webhook.headers,
      ...{ 'idempotency-key': 'k-1', origin: 'https://evil.example', cookie: 'marquee-session=x' },
    };
    expect((await send({ ...webhook, headers })).status).toBe(200);
    // A kept response would hide a wrong signature.
    expect(await codeOf({ ...webhook, body: '{}', headers })).toEqual([400, 'invalid-signature']);
    expect(await jobs()).toHaveLength(1);
  });

  it('of at most 256 KB are read', async () => {
    const { webhook } = await pay();
    const padded = (bytes: number) => standIn.signed(String(webhook.body).padEnd(bytes, ' '));
    expect((await send(padded(256 * 1024))).status).toBe(200);
    expect(await codeOf(padded(256 * 1024 + 1))).toEqual([413, 'rest_body_too_large']);
  });

  it('about payments that this site does not have change nothing', async () => {
    const { id, webhook } = await pay();
    await server().context.db.query.updateTable('payments').set({ gateway: 'mollie' }).where('id', '=', id).execute();
    expect((await send(webhook)).status).toBe(200);
    const charge = standIn.account.events.findLast(({ type }) => type === 'charge.succeeded');
    if (charge) expect((await send(standIn.webhookOf(charge))).status).toBe(200);
    const other = JSON.parse(String(webhook.body));
    other.data.object.metadata.marquee_site = 'another-site';
    expect((await send(standIn.signed(JSON.stringify(other)))).status).toBe(200);
    expect(await jobs()).toEqual([]);
  });

  it('find the payment by our id if its id at the service is unknown', async () => {
    const { id } = await pay();
    await server().context.db.query.updateTable('payments').set({ external_id: null }).where('id', '=', id).execute();
    const charge = standIn.account.events.findLast(({ type }) => type === 'charge.succeeded');
    if (!charge) throw new Error('no charge');
    expect((await send(standIn.webhookOf(charge))).status).toBe(200);
    expect(await jobs()).toHaveLength(1);
  });

  it('also ask for the refunds of the payment that are under way', async () => {
    const { id, webhook } = await pay();
    const now = toUtc(NOON);
    const row = { payment_id: id, order_id: 7, amount: 100, source: 'staff', created_utc: now, modified_utc: now };
    const statuses = ['pending', 'done', 'failed'] as const;
    const { query } = server().context.db;
    const [first] = await query
      .insertInto('refunds')
      .values(statuses.map((status) => ({ ...row, status })))
      .returning('id')
      .execute();
    await send(webhook);
    expect((await jobs()).map(({ key }) => key)).toEqual([`payment-${id}`, `refund-${first?.id}`]);
  });

  it('are refused for gateways without settings, and for unknown ones', async () => {
    const { webhook } = await pay();
    for (const name of ['paypal', 'manual', 'constructor', '..%2fstripe'])
      expect(await codeOf(webhook, PATH.replace('stripe', name))).toEqual([404, 'gateway-not-configured']);
    server().restart({});
    expect(await codeOf(webhook)).toEqual([404, 'gateway-not-configured']);
    expect((await send({ method: 'GET' })).status).toBe(404);
  });

  it('are accepted while a flood of wrong signatures from the same address is limited', async () => {
    server().restart({ ...standIn.settings, secretGuesses: { perAddress: 3, perAccount: 3 } });
    const { webhook } = await pay();
    const forged = standIn.signed(String(webhook.body), { signedWith: 'whsec_forged000000' });
    for (let count = 0; count < 3; count += 1) expect((await send(forged)).status).toBe(400);
    const { status, body, headers } = await send(forged);
    expect([status, body.code, Number(headers.get('retry-after')) > 0]).toEqual([429, 'too-many-requests', true]);
    expect((await send(webhook)).status).toBe(200);
    expect(await codeOf(forged, PATH, '203.0.113.9')).toEqual([400, 'invalid-signature']);
  });

  it('are to be sent again if the service cannot be asked which payment they mean', async () => {
    const { externalId } = await pay();
    standIn.takeWebhooks();
    standIn.account.dispute(externalId);
    const [dispute] = standIn.takeWebhooks();
    if (!dispute) throw new Error('no dispute');
    standIn.faults.push({ kind: '500' });
    expect(await codeOf(dispute)).toEqual([503, 'payment-unavailable']);
    expect(await jobs()).toEqual([]);
    expect((await send(dispute)).status).toBe(200);
    expect(await jobs()).toHaveLength(1);
  });
});
