import type { Context } from '../../base/context.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import type { Money } from '../../lib/money/money.ts';
import type { RemoteGateway } from '../../platform/site/payment-gateways.ts';
import type { SettledMoney } from '../payments/gateways/gateway.ts';
import { callGateway } from '../payments/gateways/gateways.ts';
import type { Finding } from './findings.ts';

/** Money that a payment service has settled, by the subjects of the findings of the reconciliation. */

export interface Period {
  from: Date;
  to: Date;
}

/** Money at a service, with its payment or refund. */
export interface SettledSide extends Money {
  paymentId: number;
  refundId: number | null;
  externalId: string | null;
  date_utc: string;
}

/** Payments and refunds at a service, by the subjects of their findings. */
export class Settled {
  readonly payments = new Map<string, SettledSide>();
  readonly refunds = new Map<string, SettledSide>();

  add({ kind, paymentId, refundId, externalId, amount, currency, date }: SettledMoney): void {
    const side = { paymentId, refundId: refundId ?? null, externalId, amount, currency, date_utc: toUtc(date) };
    if (kind === 'payment') {
      // A payment that was taken twice gets the sum of both, which differs from the ledger.
      const former = this.payments.get(paymentSubject(paymentId));
      this.payments.set(paymentSubject(paymentId), { ...side, amount: amount + (former?.amount ?? 0) });
      return;
    }
    const subject = refundId === undefined ? externalId : refundSubject(refundId);
    this.refunds.set(this.refunds.has(subject) ? externalId : subject, side);
  }

  has({ subject }: Finding): boolean {
    return this.payments.has(subject) || this.refunds.has(subject);
  }

  /** Adds money of an earlier finding that the service still has. */
  addFormer({ subject, refund_id, payment_id, external_id, date_utc }: Finding, money: Money): void {
    const sides = subject === paymentSubject(payment_id) ? this.payments : this.refunds;
    sides.set(subject, { paymentId: payment_id, refundId: refund_id, externalId: external_id, ...money, date_utc });
  }
}

export const paymentSubject = (id: number): string => `payment-${id}`;
export const refundSubject = (id: number): string => `refund-${id}`;

export async function readSettled(context: Context, name: RemoteGateway, period: Period) {
  return callGateway(context, name, async (gateway) => {
    const settled = new Settled();
    const unreadable: string[] = [];
    for await (const money of gateway.listSettled(context, period)) {
      if (money.kind === 'unreadable') unreadable.push(money.externalId);
      else settled.add(money);
    }
    return { settled, unreadable };
  });
}
