import type { CancellationRule } from '../../db/site-settings.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { fromUtc, type LocalTime } from '../../lib/dates/dates.ts';
import type { MessageKey } from '../../lib/i18n.ts';
import { cancellableUntil } from '../../platform/site/cancellation.ts';
import { getSite } from '../../platform/site/settings.ts';
import type { Order } from './store.ts';

/** The rule by which customers may cancel completed orders. Must not be called inside a transaction. */
export const findCancellationRule = async ({
  context,
  language,
}: Pick<RequestContext, 'context' | 'language'>): Promise<CancellationRule> =>
  (await getSite(context, language)).cancellation;

/** Reason why a customer may not cancel an order; `reason` in the response. */
type CancellationRefusal = 'status' | 'rule' | 'not-free' | 'too-late' | 'checked-in';

/** Message to the customer for each reason. */
export const REFUSALS: Readonly<Record<CancellationRefusal, MessageKey>> = {
  status: 'cancel.status',
  rule: 'cancel.rule',
  'not-free': 'cancel.not_free',
  'too-late': 'cancel.too_late',
  'checked-in': 'cancel.checked_in',
};

export const cancellationRefused = (reason: CancellationRefusal): ApiError =>
  new ApiError('order-not-cancellable', { data: { reason }, message: REFUSALS[reason] });

interface Cancelled {
  order: Pick<Order, 'status' | 'total'>;
  /** Start of the first of its events, UTC; undefined if none is left. */
  begins: LocalTime | undefined;
  isAnyCheckedIn: boolean;
}

/**
 * Why a customer may not cancel an order now; undefined if the customer may. Unpaid orders may always be cancelled,
 * completed ones by the rule of the site, others never.
 */
export function cancellationRefusal(
  { order, begins, isAnyCheckedIn }: Cancelled,
  rule: CancellationRule,
  now: Date,
): CancellationRefusal | undefined {
  if (order.status === 'pending') return undefined;
  if (order.status !== 'completed') return 'status';
  if (isAnyCheckedIn) return 'checked-in';
  const starts = begins === undefined ? NEVER : fromUtc(begins);
  const until = cancellableUntil(rule, { starts, isFree: order.total === 0 });
  if (until === undefined) return rule.rule === 'never' ? 'rule' : 'not-free';
  return now < until ? undefined : 'too-late';
}

/** Start of an order whose events are deleted. */
const NEVER = new Date('9999-12-31T00:00:00Z');
