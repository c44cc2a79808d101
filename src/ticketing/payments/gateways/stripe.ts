import type Stripe from 'stripe';
import type { z } from 'zod';
import type {
  Gateway,
  GatewayContext,
  GatewayState,
  NamedPayment,
  PaymentRequest,
  RefundRequest,
  RefundState,
  SettledMoney,
  StartedPayment,
  UnreadableMoney,
  WebhookRequest,
} from './gateway.ts';
import { GatewayRefusal, GatewayUnavailable, InvalidSignature } from './gateway.ts';
import { fromStripeAmount, toStripeAmount } from './stripe-amounts.ts';
import {
  createdSessionSchema,
  disputeSchema,
  eventSchema,
  intentMetadataSchema,
  listOf,
  plainSessionSchema,
  recordSchema,
  refundSchema,
  refundStateOf,
  sessionSchema,
  settledChargeSchema,
  settledRefundSchema,
  stateOf,
} from './stripe-answers.ts';
import { ask, isLive, loadWebhooks, siteIdOf } from './stripe-client.ts';

/** Payments on the hosted pages of Stripe. The id of a payment there is that of its Checkout Session. */
export const stripe: Gateway = {
  name: 'stripe',
  minimumMinutes: 30,
  start,
  check,
  cancel,
  refund,
  findRefund,
  readWebhook,
  listSettled,
};

/** Metadata of payments and refunds at Stripe. */
const SITE = 'marquee_site';
const PAYMENT = 'marquee_payment';
const REFUND = 'marquee_refund';
const KEY = 'marquee_key';

type Metadata = Readonly<Record<string, string>> | null | undefined;

/** Our id in the metadata of a record at Stripe; undefined if it is none of this site. */
function idIn(metadata: Metadata, name: string, site: string): number | undefined {
  const id = Number(metadata?.[name]);
  return metadata?.[SITE] === site && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

const MAX_NAME = 250;

async function start(context: GatewayContext, payment: PaymentRequest): Promise<StartedPayment> {
  const site = await siteIdOf(context);
  const metadata = { [SITE]: site, [PAYMENT]: String(payment.id) };
  const { id, url } = await createSession(context, payment, {
    mode: 'payment',
    client_reference_id: payment.orderNumber,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: payment.currency.toLowerCase(),
          unit_amount: toStripeAmount(payment.amount, payment.currency),
          product_data: { name: payment.description.slice(0, MAX_NAME) || payment.orderNumber },
        },
      },
    ],
    metadata,
    // Stripe copies it to the charge.
    payment_intent_data: { metadata, description: payment.orderNumber },
    locale: localeOf(payment.language),
    expires_at: Date.parse(`${payment.ends.replace(' ', 'T')}Z`) / 1000,
    success_url: payment.returnUrl,
    cancel_url: payment.cancelUrl,
  });
  return { externalId: id, pageUrl: url };
}

/** Creates a session with the address of the customer, or without it if Stripe does not take it for one. */
async function createSession(
  context: GatewayContext,
  { key, email }: PaymentRequest,
  params: Stripe.Checkout.SessionCreateParams,
): Promise<z.output<typeof createdSessionSchema>> {
  const site = await siteIdOf(context);
  const create = (sent: Stripe.Checkout.SessionCreateParams, idempotencyKey: string) =>
    ask(context, createdSessionSchema, ({ checkout }) => checkout.sessions.create(sent, { idempotencyKey }));
  // Stripe refuses a key with other parameters.
  const withoutEmail = () => create(params, `${site}-${key}-anonymous`);
  if (email === '') return withoutEmail();
  try {
    return await create({ ...params, customer_email: email }, `${site}-${key}`);
  } catch (error) {
    if (!(error instanceof GatewayRefusal) || !error.message.includes('(customer_email)')) throw error;
    return withoutEmail();
  }
}

/** Languages of the page, https://docs.stripe.com/api/checkout/sessions/create#create_checkout_session-locale */
const LOCALES: readonly string[] =
  'bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW'.split(
    ' ',
  );

function localeOf(language: string): Stripe.Checkout.SessionCreateParams.Locale {
  const [base = ''] = language.split('-');
  const found = [language, base].find((one) => LOCALES.includes(one)) ?? 'auto';
  // All of LOCALES are locales.
  return found as Stripe.Checkout.SessionCreateParams.Locale;
}

const EXPANDED = ['payment_intent.latest_charge.balance_transaction'];

type Session = z.output<typeof sessionSchema>;

async function readSession(context: GatewayContext, externalId: string): Promise<Session> {
  const session = await ask(context, sessionSchema, ({ checkout }) =>
    checkout.sessions.retrieve(externalId, { expand: EXPANDED }),
  );
  if (session.id !== externalId) throw new GatewayUnavailable('Stripe sent a response about another payment.');
  return session;
}

async function stateNow(context: GatewayContext, session: Session): Promise<GatewayState> {
  const intent = session.payment_intent;
  if (!intent?.latest_charge?.disputed) return stateOf(session, []);
  const { data } = await ask(context, listOf(disputeSchema), ({ disputes }) =>
    disputes.list({ payment_intent: intent.id, limit: PAGE }),
  );
  return stateOf(session, data);
}

async function check(context: GatewayContext, externalId: string): Promise<GatewayState> {
  return stateNow(context, await readSession(context, externalId));
}

async function cancel(context: GatewayContext, externalId: string): Promise<GatewayState> {
  let session = await readSession(context, externalId);
  if (session.status === 'open') {
    // Refused if it was paid meanwhile.
    await unlessRefused(ask(context, namedSchema, ({ checkout }) => checkout.sessions.expire(externalId)));
    session = await readSession(context, externalId);
  }
  const intent = session.payment_intent;
  if (intent && isPending(intent.status)) {
    // A debit that is on its way can be stopped on its first day only.
    await unlessRefused(ask(context, namedSchema, ({ paymentIntents }) => paymentIntents.cancel(intent.id)));
    session = await readSession(context, externalId);
  }
  const state = await stateNow(context, session);
  if (state.status === 'open') throw new GatewayUnavailable('Stripe did not cancel the payment.');
  return state;
}

const namedSchema = sessionSchema.pick({ id: true });

const isPending = (status: string): boolean => status === 'processing' || status.startsWith('requires_');

async function unlessRefused(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) throw error;
  }
}

/** Id of the Payment Intent of a payment. */
async function intentOf(context: GatewayContext, externalId: string): Promise<string | null> {
  const { payment_intent } = await ask(context, plainSessionSchema, ({ checkout }) =>
    checkout.sessions.retrieve(externalId),
  );
  return payment_intent;
}

async function refund(context: GatewayContext, request: RefundRequest): Promise<RefundState> {
  const { id, key, externalId, amount, currency } = request;
  const site = await siteIdOf(context);
  const intent = await intentOf(context, externalId);
  if (intent === null) throw new GatewayRefusal('Stripe has no payment to give back.');
  const made = await ask(context, refundSchema, ({ refunds }) =>
    refunds.create(
      {
        payment_intent: intent,
        amount: toStripeAmount(amount, currency),
        metadata: { [SITE]: site, [REFUND]: String(id), [KEY]: key },
      },
      { idempotencyKey: `${site}-${key}` },
    ),
  );
  return refundStateOf(made);
}

const PAGE = 100;

async function findRefund(
  context: GatewayContext,
  { key, externalId, refundId }: Pick<RefundRequest, 'key' | 'externalId' | 'refundId'>,
): Promise<RefundState | undefined> {
  const site = await siteIdOf(context);
  const intent = await intentOf(context, externalId);
  if (intent === null) return undefined;
  const all = pages(context, refundSchema, ({ refunds }, after) =>
    refunds.list({ payment_intent: intent, limit: PAGE, ...after }),
  );
  for await (const one of all)
    if (one.id === refundId || (one.metadata?.[SITE] === site && one.metadata[KEY] === key)) return refundStateOf(one);
  return undefined;
}

type Page = (client: Stripe, after: { starting_after?: string }) => Promise<unknown>;

/** Items of a list, each page asked for within the time of one question. */
async function* pages<Item extends { id: string }>(
  context: GatewayContext,
  item: z.ZodType<Item>,
  read: Page,
): AsyncIterable<Item> {
  let after: { starting_after?: string } | undefined = {};
  while (after) {
    const from: { starting_after?: string } = after;
    const { data, has_more } = await ask(context, listOf(item), (client) => read(client, from));
    yield* data;
    const last = data.at(-1)?.id;
    after = has_more && last !== undefined ? { starting_after: last } : undefined;
  }
}

/** Age of a webhook at which its signature lapses, in seconds. */
const TOLERANCE = 300;

async function readWebhook(context: GatewayContext, request: WebhookRequest): Promise<NamedPayment[]> {
  const event = await verifiedEvent(context, request);
  if (event.livemode !== isLive(context) || event.account) return [];
  const site = await siteIdOf(context);
  const { object, id, metadata, payment_intent: intent } = event.data.object;
  if (object === 'checkout.session') {
    const isOurs = idIn(metadata, PAYMENT, site) !== undefined;
    return isOurs && id ? [{ externalId: id }] : [];
  }
  const own = idIn(metadata, PAYMENT, site);
  if (own !== undefined) return [{ id: own }];
  // Disputes, and refunds made in the account of Stripe, name the intent only.
  if ((object !== 'dispute' && object !== 'refund') || !intent) return [];
  const found = await ask(context, intentMetadataSchema, ({ paymentIntents }) => paymentIntents.retrieve(intent));
  const paid = idIn(found.metadata, PAYMENT, site);
  return paid === undefined ? [] : [{ id: paid }];
}

/** @throws {InvalidSignature} */
async function verifiedEvent(
  { config, now }: GatewayContext,
  { header, bytes }: WebhookRequest,
): Promise<z.output<typeof eventSchema>> {
  const signature = header('stripe-signature');
  // Requests without a signature do not load the library.
  if (signature === undefined || config.stripeWebhookSecret === undefined) throw new InvalidSignature();
  const webhooks = await loadWebhooks();
  let event: unknown;
  try {
    event = webhooks.constructEvent(
      bytes,
      signature,
      config.stripeWebhookSecret,
      TOLERANCE,
      undefined,
      now().getTime(),
    );
  } catch {
    throw new InvalidSignature();
  }
  const { success, data } = eventSchema.safeParse(event);
  if (!success) throw new GatewayUnavailable('Stripe sent an event of an unknown shape.');
  return data;
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

async function* listSettled(
  context: GatewayContext,
  { from, to }: { from: Date; to: Date },
): AsyncIterable<SettledMoney | UnreadableMoney> {
  const site = await siteIdOf(context);
  const created = { gte: seconds(from), lt: seconds(to) };
  const charges = pages(context, recordSchema, (client, after) =>
    client.charges.list({ created, limit: PAGE, ...after }),
  );
  for await (const record of charges) {
    const { data: one } = settledChargeSchema.safeParse(record);
    const paymentId = idIn(one?.metadata, PAYMENT, site);
    if (!one) yield unreadable(record);
    else if (one.status === 'succeeded' && paymentId !== undefined)
      yield { kind: 'payment', paymentId, externalId: one.id, ...settled(one) };
  }
  const refunds = pages(context, recordSchema, (client, after) =>
    client.refunds.list({ created, limit: PAGE, expand: ['data.charge'], ...after }),
  );
  for await (const record of refunds) {
    const { data: one } = settledRefundSchema.safeParse(record);
    if (!one) {
      yield unreadable(record);
      continue;
    }
    const paymentId = idIn(one.charge?.metadata, PAYMENT, site);
    if (refundStateOf(one).status === 'failed' || paymentId === undefined) continue;
    const refundId = idIn(one.metadata, REFUND, site);
    yield { kind: 'refund', paymentId, refundId, externalId: one.id, ...settled(one) };
  }
}

const unreadable = ({ id }: { id: string }): UnreadableMoney => ({ kind: 'unreadable', externalId: id });

function settled(money: { amount: number; currency: string; created: number }) {
  const currency = money.currency.toUpperCase();
  return { amount: fromStripeAmount(money.amount, currency), currency, date: new Date(money.created * 1000) };
}
