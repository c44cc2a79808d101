import { createHmac } from 'node:crypto';
import type { Context } from '../../../base/context.ts';
import { refuseTransaction } from '../../../db/database.ts';
import { isRemoteGateway, missingSettings, type RemoteGateway } from '../../../platform/site/payment-gateways.ts';
import { type Gateway, GatewayRefusal, GatewayUnavailable, InvalidSignature } from './gateway.ts';

const EXPECTED = [GatewayUnavailable, GatewayRefusal, InvalidSignature];

/** Every gateway, loaded when it is first used. */
const GATEWAYS: Readonly<Record<RemoteGateway, () => Promise<Gateway>>> = {
  stripe: async () => (await import('./stripe.ts')).stripe,
};

/**
 * Calls a gateway. Nothing may wait for it but the caller: no transaction, and no lock.
 * @throws {GatewayUnavailable} also if the server has lost the settings of the gateway
 * @throws {GatewayRefusal}
 * @throws {InvalidSignature}
 */
export async function callGateway<T>(
  context: Context,
  name: string,
  call: (gateway: Gateway) => Promise<T>,
): Promise<T> {
  refuseTransaction(context.db, 'call a payment gateway');
  if (!isRemoteGateway(name)) throw new GatewayUnavailable(`${name} is no payment gateway of this server`);
  const missing = missingSettings(context.config, name);
  if (missing.length > 0) throw new GatewayUnavailable(`${name} needs the settings ${missing.join(', ')}`);
  const gateway = await GATEWAYS[name]();
  try {
    return await call(gateway);
  } catch (error) {
    if (EXPECTED.some((type) => error instanceof type)) throw error;
    // Anything else says nothing about what happened there; its message may hold secrets.
    context.log.error(
      { gateway: name, name: error instanceof Error ? error.name : 'unknown' },
      'a payment gateway failed',
    );
    throw new GatewayUnavailable(`${name} failed unexpectedly`);
  }
}

/**
 * Names a payment or refund to its gateway, the same in every repetition. After a backup is restored, ids are assigned
 * again: the new one must not find the lost one, so the name also depends on the row.
 */
export function keyAtGateway({ siteKey }: Pick<Context, 'siteKey'>, name: string, row: readonly (string | number)[]) {
  const digest = createHmac('sha256', siteKey('payment-key')).update(row.join(' ')).digest('hex');
  return `${name}-${digest.slice(0, 12)}`;
}
