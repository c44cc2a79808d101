import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { isSameMoney, type Money } from '../../lib/money/money.ts';
import { configuredGateways, type RemoteGateway } from '../../platform/site/payment-gateways.ts';
import { isMade, MADE_STATUSES } from '../ledger/payment-statuses.ts';
import { findPayment, type Payment } from '../ledger/payments.ts';
import type { Refund } from '../ledger/refunds.ts';
import { checkPayment } from '../payments/check-payment.ts';
import {
  GatewayRefusal,
  type GatewayState,
  type RefundState,
  UnreadableResponse,
} from '../payments/gateways/gateway.ts';
import { callGateway } from '../payments/gateways/gateways.ts';
import { refundRequestOf } from '../payments/send-refund.ts';
import { type Comparison, type Finding, findOpenFindings, noteComparison, RECENT_DAYS } from './findings.ts';
import { type Period, paymentSubject, readSettled, refundSubject, type Settled, type SettledSide } from './settled.ts';

/**
 * Reconciliation: compares what payment services have settled with the payments and refunds of the ledger. Before money
 * counts as missing on either side, the service is asked about that single payment or refund, if the ledger knows it.
 */

/**
 * Reconciles the last days with every payment service at which customers have paid; others are not even loaded.
 * @throws {GatewayUnavailable}
 * @throws {UnreadableResponse} after all else was compared
 */
export async function reconcileRecent(context: Context): Promise<void> {
  const to = context.now();
  const from = new Date(to.getTime() - RECENT_DAYS * 86_400_000);
  const unreadable: string[] = [];
  for (const gateway of configuredGateways(context.config))
    if (await isUsed(context, gateway))
      unreadable.push(...(await reconcile(context, gateway, { from, to })).unreadable);
  if (unreadable.length > 0) throw new UnreadableResponse(unreadableText(unreadable));
}

/** Names records that could not be compared, for staff. */
export const unreadableText = (ids: readonly string[]): string =>
  `Unreadable records of the payment service: ${ids.length} (${ids.slice(0, MAX_NAMED).join(', ')}).`;

const MAX_NAMED = 10;

async function isUsed({ db }: Context, gateway: string): Promise<boolean> {
  const found = await db.query
    .selectFrom('payments')
    .select('id')
    .where('gateway', '=', gateway)
    .where('external_id', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

interface Reconciled {
  /** Open findings of the period. */
  findings: Finding[];
  /** Ids at the service of unreadable records, which were not compared. */
  unreadable: string[];
}

/**
 * Reconciles a period with a payment service, and asks again about open findings of other periods.
 * @throws {GatewayUnavailable}
 */
export async function reconcile(context: Context, gateway: RemoteGateway, period: Period): Promise<Reconciled> {
  const former = await findOpenFindings(context.db, gateway);
  const { settled, unreadable } = await readSettled(context, gateway, period);
  const ledger = await readLedger(context, gateway, { period, settled, former });
  const run: Run = { context, gateway, settled, ledger, unread: new Map() };
  await askForFormer(run, former);
  const comparisons = [...(await comparePayments(run)), ...(await compareRefunds(run))];
  const found: Finding[] = [];
  const compared = new Set(run.unread.keys());
  for (const comparison of comparisons) {
    compared.add(comparison.subject);
    const finding = await noteComparison(context.db, comparison, context.now());
    if (finding) found.push(finding);
  }
  for (const finding of former.filter(({ subject }) => !compared.has(subject)))
    await noteComparison(context.db, { ...finding, booked: null, settled: null }, context.now());
  return {
    findings: found.filter((finding) => isWithin(finding, period)),
    unreadable: [...new Set([...unreadable, ...run.unread.values()])],
  };
}

/** One reconciliation of a period with a service. */
interface Run {
  context: Context;
  gateway: RemoteGateway;
  settled: Settled;
  ledger: Ledger;
  /** Subjects with unreadable responses, and their ids at the service; their findings stay unchanged. */
  unread: Map<string, string>;
}

/** Runs work that asks the service about a single subject; notes an unreadable response, and goes on. */
async function readAlone({ unread }: Run, subject: string, externalId: string | null, work: () => Promise<void>) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof UnreadableResponse)) throw error;
    unread.set(subject, externalId ?? subject);
  }
}

const isWithin = ({ date_utc }: Pick<Finding, 'date_utc'>, { from, to }: Period): boolean =>
  date_utc >= toUtc(from) && date_utc <= toUtc(to);

interface Ledger {
  /** Payments to compare even if the list of the service lacks them. */
  made: ReadonlySet<number>;
  /** These payments, and others that the service or refunds name. */
  payments: ReadonlyMap<number, Payment>;
  refunds: ReadonlyMap<number, Refund>;
}

const paymentsByIds = byIds((query, ids) => query.selectFrom('payments').selectAll().where('id', 'in', ids));
const refundsByIds = byIds((query, ids) => query.selectFrom('refunds').selectAll().where('id', 'in', ids));

/** Ids of the payments that were made in a period. */
const paymentsOfPeriod = (db: Database, gateway: string, { from, to }: Period): Promise<{ id: number }[]> =>
  db.query
    .selectFrom('payments')
    .select('id')
    .where('gateway', '=', gateway)
    .where('status', 'in', MADE_STATUSES)
    // Repeats the condition of the partial index.
    .where('paid_utc', '<>', sql.lit(''))
    .where('paid_utc', '>=', toUtc(from))
    .where('paid_utc', '<=', toUtc(to))
    .execute();

/** Ids of the refunds that were begun or made in a period. */
const refundsOfPeriod = (db: Database, gateway: string, { from, to }: Period): Promise<{ id: number }[]> =>
  db.query
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .select('refunds.id')
    .where('payments.gateway', '=', gateway)
    .where('refunds.status', 'in', ['pending', 'done'])
    .where('refunds.offline', '=', 0)
    .where('refunds.modified_utc', '>=', toUtc(from))
    .where('refunds.modified_utc', '<=', toUtc(to))
    .execute();

/**
 * Payments and refunds of the ledger that the service names, that were made in a period, or that have open findings.
 */
async function readLedger(
  { db }: Context,
  gateway: string,
  { period, settled, former }: { period: Period; settled: Settled; former: readonly Finding[] },
): Promise<Ledger> {
  const ofPeriod = await paymentsOfPeriod(db, gateway, period);
  const given = await refundsOfPeriod(db, gateway, period);
  const sides = [...settled.payments.values(), ...settled.refunds.values()];
  const refundIds = [
    ...given.map(({ id }) => id),
    ...sides.flatMap(({ refundId }) => refundId ?? []),
    ...former.flatMap(({ refund_id }) => refund_id ?? []),
  ];
  const refunds = await refundsByIds(db, refundIds);
  const made = new Set([
    ...ofPeriod.map(({ id }) => id),
    ...former.filter(({ refund_id }) => refund_id === null).map(({ payment_id }) => payment_id),
  ]);
  const paymentIds = [
    ...made,
    ...sides.map(({ paymentId }) => paymentId),
    ...former.map(({ payment_id }) => payment_id),
    ...refunds.map(({ payment_id }) => payment_id),
  ];
  const payments = (await paymentsByIds(db, paymentIds)).filter((payment) => payment.gateway === gateway);
  return {
    made,
    payments: new Map(payments.map((payment) => [payment.id, payment])),
    refunds: new Map(refunds.map((refund) => [refund.id, refund])),
  };
}

/**
 * Asks about money of open findings that the service had and does not list now: it belongs to other days, has gone
 * back, or is not in the account of the present key.
 */
async function askForFormer(run: Run, former: readonly Finding[]): Promise<void> {
  for (const finding of former) {
    const { settled, settled_currency: currency } = finding;
    if (settled === null || run.settled.has(finding)) continue;
    await readAlone(run, finding.subject, finding.external_id, async () => {
      const present = await stillSettled(run, finding, { amount: settled, currency });
      if (present) run.settled.addFormer(finding, present);
    });
  }
}

/** Money of a finding at the service; the earlier amount if the payment is unknown to the service or here. */
async function stillSettled({ context, ledger }: Run, finding: Finding, had: Money): Promise<Money | null> {
  const { gateway, subject, payment_id, external_id: refundId } = finding;
  const externalId = ledger.payments.get(payment_id)?.external_id;
  if (!externalId || refundId === null) return had;
  if (subject !== paymentSubject(payment_id)) {
    const asked = callGateway(context, gateway, (service) =>
      service.findRefund(context, { key: '', externalId, refundId }),
    );
    return unlessRefused(
      asked.then((state) => (state && state.status !== 'failed' ? had : null)),
      had,
    );
  }
  const asked = callGateway(context, gateway, (service) => service.check(context, externalId));
  return unlessRefused(
    asked.then((state) => {
      if (!isMade(state)) return null;
      // The state of a single payment does not show a second charge.
      return state.currency === had.currency && state.amount < had.amount ? had : moneyOf(state);
    }),
    had,
  );
}

const moneyOf = ({ amount, currency }: Money): Money => ({ amount, currency });

async function comparePayments(run: Run): Promise<Comparison[]> {
  const { settled, ledger } = run;
  const made = [...ledger.payments.values()].filter((payment) => ledger.made.has(payment.id) && isMade(payment));
  const ids = new Set([...made.map(({ id }) => id), ...[...settled.payments.values()].map((side) => side.paymentId)]);
  const comparisons: Comparison[] = [];
  for (const id of ids) {
    const externalId = ledger.payments.get(id)?.external_id ?? null;
    await readAlone(run, paymentSubject(id), externalId, async () => {
      comparisons.push(await comparePayment(run, id));
    });
  }
  return comparisons.filter(({ subject }) => !run.unread.has(subject));
}

async function comparePayment({ context, gateway, settled, ledger }: Run, id: number): Promise<Comparison> {
  const side = settled.payments.get(paymentSubject(id));
  const payment = await current(context, ledger.payments.get(id), side);
  const isBooked = payment && (isMade(payment) || (side !== undefined && !isSameMoney(payment, side)));
  return {
    ...{ gateway, subject: paymentSubject(id), payment_id: id, refund_id: null, order_id: payment?.order_id ?? null },
    external_id: payment?.external_id ?? side?.externalId ?? null,
    date_utc: side?.date_utc ?? payment?.paid_utc ?? '',
    booked: isBooked ? moneyOf(payment) : null,
    settled: side ?? (payment ? await settledAlone(context, payment) : null),
  };
}

/**
 * The current payment. If the service has its money and the ledger does not, its state is asked for and booked first.
 */
async function current(
  context: Context,
  payment: Payment | undefined,
  side: SettledSide | undefined,
): Promise<Payment | undefined> {
  if (!payment || !side || isMade(payment) || !isSameMoney(payment, side)) return payment;
  await book(context, payment.id);
  return findPayment(context.db, payment.id);
}

/** Asks for the state of a payment and books it, if the service knows it. */
const book = (context: Context, id: number): Promise<void> =>
  unlessRefused(checkPayment(context, id, { source: 'reconciliation', userId: 0, now: context.now() }), undefined);

/** State of a payment at its service; undefined if the service does not know it. */
const stateOf = async (context: Context, { gateway, external_id: id }: Payment): Promise<GatewayState | undefined> =>
  id === null
    ? undefined
    : unlessRefused<GatewayState | undefined>(
        callGateway(context, gateway, (service) => service.check(context, id)),
        undefined,
      );

/** The money of a payment that the list of the service lacks, such as a debit that began before the period. */
async function settledAlone(context: Context, payment: Payment): Promise<Money | null> {
  const state = await stateOf(context, payment);
  return state && isMade(state) ? moneyOf(state) : null;
}

async function compareRefunds(run: Run): Promise<Comparison[]> {
  const { settled, ledger } = run;
  const bySubject = new Map([...ledger.refunds.values()].map((refund) => [refundSubject(refund.id), refund]));
  const given = [...ledger.refunds.values()].filter(isGiven).map(({ id }) => refundSubject(id));
  const comparisons: Comparison[] = [];
  for (const subject of new Set([...settled.refunds.keys(), ...given])) {
    const side = settled.refunds.get(subject);
    const found = bySubject.get(subject);
    // After a backup is restored, another refund may have its id.
    const refund = !side || side.paymentId === found?.payment_id ? found : undefined;
    const payment = ledger.payments.get(refund?.payment_id ?? side?.paymentId ?? 0);
    const externalId = side?.externalId ?? refund?.external_id ?? null;
    await readAlone(run, subject, externalId, async () => {
      comparisons.push(await compareRefund(run, { subject, side, refund, payment, externalId }));
    });
  }
  return comparisons.filter(({ subject }) => !run.unread.has(subject));
}

interface Pair {
  subject: string;
  side: SettledSide | undefined;
  refund: Refund | undefined;
  payment: Payment | undefined;
  externalId: string | null;
}

async function compareRefund({ context, gateway }: Run, pair: Pair): Promise<Comparison> {
  const { subject, side, refund, payment, externalId } = pair;
  const own =
    refund && payment && isBookedAtService(refund) ? { amount: refund.amount, currency: payment.currency } : null;
  const isOutside = !own && side && payment && (await isReturnBooked(context, payment));
  return {
    ...{ gateway, subject, payment_id: payment?.id ?? side?.paymentId ?? 0, refund_id: refund?.id ?? null },
    ...{ order_id: payment?.order_id ?? null, external_id: externalId },
    date_utc: side?.date_utc ?? refund?.modified_utc ?? '',
    booked: own ?? (isOutside ? side : null),
    settled: side ?? (own && refund && payment ? await givenAlone(context, refund, payment) : null),
  };
}

/**
 * Whether the ledger has all money of a payment that went back at the service, also through its account or a bank.
 * Missing money is booked first.
 */
async function isReturnBooked(context: Context, payment: Payment): Promise<boolean> {
  const state = await stateOf(context, payment);
  if (!state) return false;
  if ((await sumReturned(context, payment.id)) < state.returned) await book(context, payment.id);
  return (await sumReturned(context, payment.id)) >= state.returned;
}

/** Minor units of a payment that went back at the service, or are on their way, by the ledger. */
async function sumReturned({ db }: Context, payment: number): Promise<number> {
  const { sum } = await db.query
    .selectFrom('refunds')
    .select((eb) => eb.fn.sum<number | null>('amount').as('sum'))
    .where('payment_id', '=', payment)
    .where('status', '<>', 'failed')
    .where('offline', '=', 0)
    .executeTakeFirstOrThrow();
  return Number(sum ?? 0);
}

/** Source of money that went back at a service without a refund of ours. */
const OUTSIDE = 'gateway';

/** Whether, according to the ledger, the service is paying a refund of ours or has paid it. */
const isGiven = ({ status, offline, source }: Refund): boolean =>
  (status === 'done' || status === 'pending') && offline === 0 && source !== OUTSIDE;

/** Like `isGiven`, or about to be sent: the response may be on its way. */
const isBookedAtService = (refund: Refund): boolean => isGiven(refund) || refund.status === 'requested';

/** The money of a refund that the list of the service lacks. */
async function givenAlone(context: Context, refund: Refund, payment: Payment): Promise<Money | null> {
  const { external_id, gateway, currency } = payment;
  if (external_id === null) return null;
  const request = refundRequestOf(refund, { ...payment, external_id });
  const state = await unlessRefused<RefundState | undefined>(
    callGateway(context, gateway, (service) => service.findRefund(context, request)),
    undefined,
  );
  return state && state.status !== 'failed' ? { amount: refund.amount, currency } : null;
}

/** The result of a request to the service, or `otherwise` if the service refuses it. */
async function unlessRefused<T>(work: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) throw error;
    return otherwise;
  }
}
