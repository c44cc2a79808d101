import { decimalsOf } from '../../../lib/money/money.ts';
import { GatewayRefusal } from './gateway.ts';

/**
 * Amounts of Stripe, which count in units of their own for some currencies:
 * https://docs.stripe.com/currencies#minor-units
 */

const ZERO_DECIMALS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const THREE_DECIMALS = new Set('BHD JOD KWD OMR TND'.split(' '));

/** Decimals of the amounts of Stripe. Two by default, also for ISK and UGX, whose amounts end in 00. */
function stripeDecimals(currency: string): number {
  if (ZERO_DECIMALS.has(currency)) return 0;
  return THREE_DECIMALS.has(currency) ? 3 : 2;
}

const factorOf = (currency: string): number => 10 ** (stripeDecimals(currency) - decimalsOf(currency));

/**
 * Minor units as an amount of Stripe.
 * @throws {GatewayRefusal} if Stripe cannot express it, such as the last digit of a currency with three decimals
 */
export function toStripeAmount(minor: number, currency: string): number {
  const amount = Math.round(minor * factorOf(currency) * 1000) / 1000;
  const isTaken = Number.isSafeInteger(amount) && amount > 0 && (!THREE_DECIMALS.has(currency) || amount % 10 === 0);
  if (!isTaken) throw new GatewayRefusal(`Stripe takes no such amount of ${currency}.`);
  return amount;
}

/** An amount of Stripe in minor units, rounded down: a fraction of one is not the expected amount either way. */
export const fromStripeAmount = (amount: number, currency: string): number =>
  Math.floor(Math.round((amount / factorOf(currency)) * 1000) / 1000);
