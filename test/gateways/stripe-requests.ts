import { parse } from 'qs';
import { z } from 'zod';
import { Refusal, type StripeAccount } from './stripe-account.ts';
import type { SessionParams } from './stripe-objects.ts';

/** Requests that the stand-in knows. Unknown parameters are refused, as by Stripe. */

const whole = z.string().regex(/^\d+$/).transform(Number);
const metadata = z.record(z.string().max(40), z.string().max(500)).default({});
const expand = z.array(z.string()).default([]);
const currency = z.string().regex(/^[a-z]{3}$/);
const email = z.string().regex(/^[\x21-\x7e]+@[\w.-]+\.\w+$/);
const web = z.url({ protocol: /^https?$/ });

const sessionParams = z.strictObject({
  mode: z.literal('payment'),
  client_reference_id: z.string().max(200),
  customer_email: email.optional(),
  line_items: z
    .array(
      z.strictObject({
        quantity: whole,
        price_data: z.strictObject({
          currency,
          unit_amount: whole,
          product_data: z.strictObject({ name: z.string().min(1).max(250) }),
        }),
      }),
    )
    .min(1),
  metadata,
  payment_intent_data: z.strictObject({ metadata, description: z.string().max(1000).optional() }),
  locale: z.enum(['auto', 'de', 'en', 'es', 'fr', 'it', 'nl', 'pt', 'pt-BR', 'ja', 'zh', 'zh-TW']).default('auto'),
  expires_at: whole,
  success_url: web,
  cancel_url: web,
  expand,
});

const refundParams = z.strictObject({ payment_intent: z.string(), amount: whole.optional(), metadata, expand });
const nothing = z.strictObject({ expand });
const page = {
  limit: whole.pipe(z.int().min(1).max(100)).default(10),
  starting_after: z.string().optional(),
  expand,
};
const created = z.strictObject({ gte: whole.optional(), lt: whole.optional() }).default({});
const byIntent = z.strictObject({ payment_intent: z.string().optional(), created, ...page });
const byTime = z.strictObject({ created, ...page });

/** Parameters of a form or a query. */
function read<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const { success, data, error } = schema.safeParse(parse(text, { depth: 10, arrayLimit: 100 }));
  if (success) return data;
  const [issue] = error.issues;
  const [first = '', ...rest] = [
    ...(issue?.path ?? []),
    ...(issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []),
  ];
  const param = [String(first), ...rest.map((part) => `[${String(part)}]`)].join('');
  const isUnknown = issue?.code === 'unrecognized_keys';
  throw new Refusal(400, {
    code: isUnknown ? 'parameter_unknown' : 'parameter_invalid',
    param,
    message: isUnknown ? `Received unknown parameter: ${param}` : `Invalid ${param}: ${String(issue?.message)}`,
  });
}

/** Currencies whose amounts must be whole, by the number that divides them. */
/** Smallest amount that is taken. */
const MINIMUM = 50;

const STEPS: Readonly<Record<string, number>> = { isk: 100, ugx: 100, kwd: 10, bhd: 10, jod: 10, omr: 10, tnd: 10 };

function sessionOf(text: string, seconds: number): SessionParams {
  const sent = read(sessionParams, text);
  const [item] = sent.line_items;
  if (!item) throw new Refusal(400, { param: 'line_items', message: 'No line items.' });
  const { currency: code, unit_amount } = item.price_data;
  const amount = unit_amount * item.quantity;
  if (amount < MINIMUM || amount % (STEPS[code] ?? 1) !== 0)
    throw new Refusal(400, { code: 'amount_too_small', param: 'line_items', message: `Invalid amount ${amount}.` });
  const minutes = (sent.expires_at - seconds) / 60;
  if (minutes < 30 || minutes > 24 * 60)
    throw new Refusal(400, { param: 'expires_at', message: 'expires_at must be between 30 minutes and 24 hours.' });
  return {
    reference: sent.client_reference_id,
    amount,
    currency: code,
    email: sent.customer_email ?? null,
    metadata: sent.metadata,
    intentMetadata: sent.payment_intent_data.metadata,
    description: sent.payment_intent_data.description ?? null,
    locale: sent.locale,
    expiresAt: sent.expires_at,
    successUrl: sent.success_url,
    cancelUrl: sent.cancel_url,
  };
}

interface Listed {
  id: string;
  created: number;
}

/** A page of records, newest first. */
function listOf<Item extends Listed>(
  items: Iterable<Item>,
  sent: { limit: number; starting_after?: string; created: { gte?: number; lt?: number } },
  url: string,
) {
  const { gte = 0, lt = Number.POSITIVE_INFINITY } = sent.created;
  const all = [...items].reverse().filter((item) => item.created >= gte && item.created < lt);
  const from = sent.starting_after === undefined ? 0 : all.findIndex(({ id }) => id === sent.starting_after) + 1;
  const data = all.slice(from, from + sent.limit);
  return { object: 'list' as const, data, has_more: from + sent.limit < all.length, url };
}

export interface StandInRequest {
  method: string;
  path: string;
  /** Body of a POST, query of a GET. */
  text: string;
  /** Address of the stand-in. */
  origin: string;
}

/**
 * Handles a request of the SDK.
 * @throws {Refusal}
 */
export function handle(account: StripeAccount, { method, path, text, origin }: StandInRequest): unknown {
  const [, kind = '', id = '', act = ''] =
    /^\/v1\/(checkout\/sessions|payment_intents|charges|refunds|disputes)(?:\/(\w+))?(?:\/(\w+))?$/.exec(path) ?? [];
  const route = [method, kind, id && ':id', act].filter(Boolean).join(' ');
  const one = () => read(nothing, text).expand;
  switch (route) {
    case 'POST checkout/sessions':
      return account.createSession(sessionOf(text, account.seconds()), origin);
    case 'GET checkout/sessions :id':
      return expanded(account, account.get(account.sessions, id), one());
    case 'POST checkout/sessions :id expire':
      return expanded(account, account.expireSession(id), one());
    case 'GET payment_intents :id':
      return expanded(account, account.get(account.intents, id), one());
    case 'POST payment_intents :id cancel':
      return expanded(account, account.cancelIntent(id), one());
    case 'POST refunds': {
      const { payment_intent, expand: paths, ...sent } = read(refundParams, text);
      return expanded(account, account.createRefund(payment_intent, sent), paths);
    }
    case 'GET refunds':
      return listed(account, account.refunds, { text, path });
    case 'GET disputes':
      return listed(account, account.disputes, { text, path });
    case 'GET charges': {
      const sent = read(byTime, text);
      return expanded(account, listOf(account.charges.values(), sent, path), sent.expand);
    }
    default:
      throw new Refusal(404, { message: `Unrecognized request URL (${method}: ${path}).` });
  }
}

function listed<Item extends Listed & { payment_intent: unknown }>(
  account: StripeAccount,
  items: ReadonlyMap<string, Item>,
  { text, path }: { text: string; path: string },
): unknown {
  const sent = read(byIntent, text);
  const { payment_intent: intent } = sent;
  const own = [...items.values()].filter((item) => intent === undefined || item.payment_intent === intent);
  return expanded(account, listOf(own, sent, path), sent.expand);
}

/** A copy of a record in which the ids on some paths are replaced by the records. */
function expanded(account: StripeAccount, record: object, paths: readonly string[]): unknown {
  const copy = structuredClone(record);
  for (const path of paths) {
    if (path.split('.').length > 4) throw new Refusal(400, { message: 'You cannot expand more than 4 levels.' });
    expandPath(account, copy, path.split('.'));
  }
  return copy;
}

function expandPath(account: StripeAccount, holder: unknown, [name = '', ...rest]: readonly string[]): void {
  if (typeof holder !== 'object' || holder === null) return;
  if (Array.isArray(holder)) {
    for (const item of holder) expandPath(account, item, [name, ...rest]);
    return;
  }
  const tables: Readonly<Record<string, ReadonlyMap<string, object>>> = {
    payment_intent: account.intents,
    latest_charge: account.charges,
    charge: account.charges,
    balance_transaction: account.balance,
  };
  const member = holder as Record<string, unknown>;
  if (!Object.hasOwn(member, name) || (name !== 'data' && !tables[name]))
    throw new Refusal(400, { param: 'expand', message: `This property cannot be expanded (${name}).` });
  const value = member[name];
  if (typeof value === 'string') member[name] = structuredClone(tables[name]?.get(value) ?? value);
  if (rest.length > 0 && member[name] !== null) expandPath(account, member[name], rest);
}
