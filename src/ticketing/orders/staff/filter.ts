import { eventScope } from '../../../http/core/auth.ts';
import type { InputOf, LookupContext, RequestContext } from '../../../http/core/endpoint.ts';
import { resolveEndParamIn, resolveParamIn } from '../../../http/input/date-param.ts';
import { boolean, date, decimal, integer, searchText, sharedParameters, texts } from '../../../http/input/schemas.ts';
import { siteMoney } from '../../../lib/money/money.ts';
import { testerOf } from '../../tickets/event-scope.ts';
import { hasEventOrOrders, type OrderFilter } from '../store.ts';

/** Maximum amount in the main unit of a currency. */
const MAX_AMOUNT = 1_000_000_000_000;

/** Filters of the list and its export. */
export const orderFilters = sharedParameters('orders', {
  status: texts('Only orders with these statuses.'),
  gateway: texts('Only orders with these payment methods.', { max: 50 }),
  search: searchText(
    'Words that must each be part of the name or the e-mail address of the customer, or the number or the id of the order.',
  ),
  event: integer('Only orders with tickets of this event.', { min: 1 }),
  after: date('Placed at or after this time; in the time zone of the site unless it names one.'),
  before: date(
    'Placed at or before this time; a day without a time is included whole. In the time zone of the site unless it names one.',
  ),
  total_min: decimal('With at least this total.', { min: 0, max: MAX_AMOUNT }),
  total_max: decimal('With at most this total.', { min: 0, max: MAX_AMOUNT }),
  money_owed: boolean(
    'true: only orders of which more was received than they cost, as after a cancellation; false: only others.',
  ),
});

export type OrderFilterInput = Partial<InputOf<typeof orderFilters>>;

/** Rejects an event without a record or orders, and one whose orders the viewer may not see. */
export async function checkOrderFilters(
  { event }: OrderFilterInput,
  { ctx: { context, viewer }, addProblem }: LookupContext,
): Promise<void> {
  const scope = eventScope(viewer, 'read_orders');
  if (event === undefined || scope === 'none') return;
  const isIncluded = await testerOf(context.db, scope, [event]);
  if (!isIncluded(event) || !(await hasEventOrOrders(context.db, event)))
    addProblem('event', { key: 'param.event_unknown' });
}

/** The filter of a request, for the orders that the viewer has a right for. */
export function orderFilterOf(
  input: OrderFilterInput,
  right: 'read_orders' | 'manage_attendees',
  { context, viewer, now }: RequestContext,
): OrderFilter {
  const { decimals } = siteMoney(context.config);
  const clock = { zone: context.config.timezone, now };
  const minor = (amount: number | undefined) =>
    amount === undefined ? undefined : Math.round(amount * 10 ** decimals);
  return {
    statuses: input.status,
    gateways: input.gateway,
    search: input.search,
    event: input.event,
    within: eventScope(viewer, right),
    after: input.after && resolveParamIn('after', input.after, clock),
    before: input.before && resolveEndParamIn('before', input.before, clock),
    totalMin: minor(input.total_min),
    totalMax: minor(input.total_max),
    moneyOwed: input.money_owed,
  };
}
