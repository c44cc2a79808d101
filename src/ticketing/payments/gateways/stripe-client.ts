import type Stripe from 'stripe';
import type { z } from 'zod';
import { refuseTransaction } from '../../../db/database.ts';
import { getCalendarId } from '../../../db/site-settings.ts';
import { type GatewayContext, GatewayRefusal, GatewayUnavailable, UnreadableResponse } from './gateway.ts';

/** The client of Stripe, loaded with the first payment: it takes 38 MB. */

type Client = Stripe;
type Module = typeof import('stripe').default;

let loading: Promise<{ default: Module }> | undefined;
let open: { key: string; address: string; client: Client } | undefined;

async function load(): Promise<Module> {
  loading ??= import('stripe');
  return (await loading).default;
}

async function clientFor({ config }: GatewayContext): Promise<Client> {
  const { stripeKey: key, stripeUrl: address, timeouts } = config;
  if (key === undefined) throw new GatewayUnavailable('MARQUEE_STRIPE_KEY is not set.');
  if (open?.key === key && open.address === address) return open.client;
  const Sdk = await load();
  const { protocol, hostname, port } = new URL(address);
  const client = new Sdk(key, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port || (protocol === 'http:' ? 80 : 443),
    timeout: timeouts.gateway,
    maxNetworkRetries: 1,
    telemetry: false,
  });
  open = { key, address, client };
  return client;
}

/**
 * Asks Stripe, outside of transactions and for a limited time, and checks the shape of the response.
 * @throws {GatewayUnavailable}
 * @throws {GatewayRefusal}
 */
export async function ask<Schema extends z.ZodType>(
  context: GatewayContext,
  schema: Schema,
  question: (client: Client) => Promise<unknown>,
): Promise<z.output<Schema>> {
  refuseTransaction(context.db, 'call a payment gateway');
  const client = await clientFor(context);
  const response = await inTime(question(client), context.config.timeouts.gateway).catch((error: unknown) => {
    throw ownError(error);
  });
  const { success, data } = schema.safeParse(response);
  if (!success) throw new UnreadableResponse('Stripe sent a response of an unknown shape.');
  return data;
}

async function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new GatewayUnavailable('Stripe did not respond in time.')), milliseconds);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Members of errors of the SDK. Its messages may repeat keys, addresses and personal data, so that none is passed on.
 */
interface StripeError {
  type: string;
  code?: string;
  param?: string;
  statusCode?: number;
  requestId?: string;
  headers?: Readonly<Record<string, string | undefined>>;
}

const isStripeError = (error: unknown): error is StripeError =>
  error instanceof Error && 'type' in error && typeof error.type === 'string' && error.type.startsWith('Stripe');

/** Refusals of a request that may be accepted later: locks of concurrent requests, and an empty balance. */
const TEMPORARY = ['lock_timeout', 'idempotency_key_in_use', 'rate_limit', 'balance_insufficient'];

/** Longest wait that is taken from a response, in seconds. */
const MAX_WAIT = 3600;

function ownError(error: unknown): GatewayUnavailable | GatewayRefusal {
  if (error instanceof GatewayUnavailable) return error;
  if (!isStripeError(error)) return new GatewayUnavailable('Stripe sent a response of an unknown shape.');
  const { type, code, param, statusCode, requestId, headers } = error;
  const name = [code ?? type, param && `(${param})`, requestId && `in ${requestId}`].filter(Boolean).join(' ');
  if (statusCode === 401 || statusCode === 403)
    return new GatewayUnavailable(`Stripe does not accept MARQUEE_STRIPE_KEY for this: ${name}.`.slice(0, MAX_MESSAGE));
  const isFinal =
    type === 'StripeInvalidRequestError' || type === 'StripeCardError' || type === 'StripeIdempotencyError';
  if (isFinal && !TEMPORARY.includes(code ?? ''))
    return new GatewayRefusal(`Stripe refused: ${name}.`.slice(0, MAX_MESSAGE));
  const wait = Number(headers?.['retry-after']);
  const retryAfter = wait > 0 ? Math.min(Math.ceil(wait), MAX_WAIT) : undefined;
  return new GatewayUnavailable(`Stripe failed: ${name}.`.slice(0, MAX_MESSAGE), retryAfter);
}

const MAX_MESSAGE = 200;

/** The webhooks of the SDK; they need no key. */
export const loadWebhooks = async (): Promise<Stripe['webhooks']> => (await load()).webhooks;

/** Whether the account of the key moves real money. */
export const isLive = ({ config }: GatewayContext): boolean => config.stripeKey?.includes('_live_') === true;

/** Tells the payments of this site from those of others with the same account. */
export const siteIdOf = ({ db }: GatewayContext): Promise<string> => getCalendarId(db);
