import type { Config } from '../../base/config.ts';
import { VARIABLES } from '../../base/settings.ts';

/** Gateway of money that staff take themselves: of payment methods by default, and of orders without one. */
export const MANUAL = 'manual';
/** Gateway of bank transfers, which staff book. */
export const TRANSFER = 'transfer';

const OFFLINE = [MANUAL, TRANSFER] as const;

/** Payment services, with the settings that each needs. `ticketing/payments/gateways` implements them. */
const SERVICES = {
  stripe: ['stripeKey', 'stripeWebhookSecret'],
} as const satisfies Record<string, readonly (keyof Config)[]>;

export type RemoteGateway = keyof typeof SERVICES;

// Object.keys does not carry the key type.
const REMOTE_GATEWAYS = Object.keys(SERVICES) as readonly RemoteGateway[];

/** Gateways that a payment method may have. */
export const GATEWAYS = [...OFFLINE, ...REMOTE_GATEWAYS] as const;

export type PaymentGateway = (typeof GATEWAYS)[number];

/** Whether a gateway takes money over the network. */
export const isRemoteGateway = (gateway: string): gateway is RemoteGateway => Object.hasOwn(SERVICES, gateway);

/** Variables of the settings that a gateway needs and the server lacks; none if payments can be made with it. */
export const missingSettings = (config: Config, gateway: string): string[] =>
  isRemoteGateway(gateway)
    ? SERVICES[gateway].filter((member) => config[member] === undefined).map((member) => VARIABLES.get(member) ?? '')
    : [];

/** Payment services for which the server has all settings. */
export const configuredGateways = (config: Config): RemoteGateway[] =>
  REMOTE_GATEWAYS.filter((gateway) => missingSettings(config, gateway).length === 0);
