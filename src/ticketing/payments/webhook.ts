import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { endpoint, type HandlerContext, ok } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { plainLine } from '../../http/input/schemas.ts';
import { isRemoteGateway, missingSettings } from '../../platform/site/payment-gateways.ts';
import { enqueueRefund } from '../ledger/refunds.ts';
import { enqueueCheck } from './check-payment.ts';
import { GatewayRefusal, GatewayUnavailable, InvalidSignature, type NamedPayment } from './gateways/gateway.ts';
import { callGateway } from './gateways/gateways.ts';

const MAX_BYTES = 256 * 1024;

/**
 * Webhooks of payment services. What one says is only a reason to ask the service, so that forged, repeated, late and
 * lost ones change nothing.
 */
export const webhookEndpoint = endpoint({
  namespace: 'tickets',
  methods: ['POST'],
  path: '/gateways/{name}/webhook',
  name: 'gateways.webhook',
  summary: 'Receive a webhook of a payment service',
  description:
    'For the payment service only, which signs the body. The server then asks the service for the state of the payments that it names. Bodies have at most 256 KB.',
  input: { name: plainLine('Name of the gateway, such as `stripe`.') },
  required: ['name'],
  takesBytes: MAX_BYTES,
  isRefusedInBatch: true,
  // The job is enqueued once anyway.
  idempotency: 'recorded',
  responses: { 200: z.object({ received: z.literal(true) }).meta({ id: 'ReceivedWebhook' }) },
  errors: ['gateway-not-configured', 'invalid-signature', 'payment-unavailable', 'too-many-requests'],
  async handle(ctx, { name }) {
    const { context, now } = ctx;
    if (!isRemoteGateway(name) || missingSettings(context.config, name).length > 0)
      throw new ApiError('gateway-not-configured');
    const named = await readWebhook(ctx, name);
    await context.db.transaction(async (db) => {
      for (const id of await findNamed(db, name, named)) await enqueueForPayment(db, id, now);
    });
    return ok({ received: true });
  },
});

/**
 * Wrong signatures are counted after the comparison: a flood of them must not keep out the service, whose address may be
 * the same behind a proxy.
 * @throws {ApiError} invalid-signature, payment-unavailable, too-many-requests
 */
async function readWebhook(ctx: HandlerContext, name: string): Promise<NamedPayment[]> {
  const { context, header, bytes = Buffer.alloc(0) } = ctx;
  try {
    return await callGateway(context, name, (gateway) => gateway.readWebhook(context, { header, bytes }));
  } catch (error) {
    if (error instanceof InvalidSignature) {
      await ctx.limits.countRequest('webhook-signatures-by-network', { client: ctx.client });
      throw new ApiError('invalid-signature');
    }
    // The service sends it again later.
    if (error instanceof GatewayUnavailable || error instanceof GatewayRefusal)
      throw new ApiError('payment-unavailable');
    throw error;
  }
}

/** Our ids of the payments that exist. */
async function findNamed({ query }: Database, gateway: string, named: readonly NamedPayment[]): Promise<number[]> {
  const found = new Set<number>();
  for (const one of named) {
    const ofGateway = query.selectFrom('payments').select('id').where('gateway', '=', gateway);
    const row = await ('id' in one
      ? ofGateway.where('id', '=', one.id)
      : ofGateway.where('external_id', '=', one.externalId)
    ).executeTakeFirst();
    if (row) found.add(row.id);
  }
  return [...found];
}

/** Checks a payment soon, and its refunds: a bank may send back even one that had arrived. */
async function enqueueForPayment(db: Database, id: number, now: Date): Promise<void> {
  await enqueueCheck(db, { id, source: 'webhook', now });
  const sent = await db.query
    .selectFrom('refunds')
    .select(['id', 'order_id'])
    .where('payment_id', '=', id)
    .where(({ or, and, eb }) =>
      or([eb('status', '=', 'pending'), and([eb('status', '=', 'done'), eb('external_id', 'is not', null)])]),
    )
    .orderBy('id')
    .execute();
  for (const refund of sent) await enqueueRefund(db, refund, { now, isAnew: true });
}
