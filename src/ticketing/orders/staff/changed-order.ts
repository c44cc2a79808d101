import { z } from 'zod';
import { getEvents } from '../../../calendar/events/store.ts';
import type { RequestContext } from '../../../http/core/endpoint.ts';
import { type MessageKey, type MessageValues, translate } from '../../../lib/i18n.ts';
import { formatMoney, siteMoney } from '../../../lib/money/money.ts';
import type { Attendee } from '../../attendees/store.ts';
import { isOffline, keptOf } from '../../ledger/payments.ts';
import { takesSeat } from '../../seats/seats.ts';
import { getTranslatedTickets } from '../../tickets/store.ts';
import { amountSchema, renderAmount } from '../amounts.ts';
import { cancellationRefusal, findCancellationRule } from '../cancellation.ts';
import { fullOrderSchema, renderFullOrder } from '../view.ts';
import type { OrderActionResult, OrderRows } from './order-action.ts';

/** Effects of an action on an order, or of its dry run. */
const changesSchema = z
  .object({
    dry_run: z.boolean().describe('Whether this was a dry run.'),
    places: z
      .array(
        z.object({
          ticket_id: z.int(),
          title: z.string(),
          quantity: z.int().describe('Places taken; negative for returned places.'),
        }),
      )
      .describe('By ticket.'),
    archived: z.array(z.int()).describe('Ids of attendees who are no longer admitted.'),
    restored: z.array(z.int()).describe('Ids of attendees who are no longer archived.'),
    paid: amountSchema.describe('Price of the returned places.'),
    notices: z.array(z.string()).describe('The effects in words, and what remains to be done manually.'),
  })
  .meta({ id: 'OrderChanges', description: 'Effects of an action on an order, or of its dry run.' });

/** An order after an action, or its preview. */
export const changedOrderSchema = fullOrderSchema
  .extend({ changes: changesSchema })
  .meta({ id: 'ChangedOrder', description: 'An order after an action, with the effects of the action.' });

interface Moved {
  archived: Attendee[];
  restored: Attendee[];
  /** Seats by ticket; negative for returned seats. */
  seats: Map<number, number>;
}

/** Changes of the attendees of an order by an action. */
function movedBetween(before: readonly Attendee[], after: readonly Attendee[]): Moved {
  const moved: Moved = { archived: [], restored: [], seats: new Map() };
  const count = ({ ticket_id }: Attendee, change: number) =>
    moved.seats.set(ticket_id, (moved.seats.get(ticket_id) ?? 0) + change);
  const known = new Map(before.map((attendee) => [attendee.id, attendee]));
  for (const now of after) {
    const was = known.get(now.id);
    if (!was) continue;
    if (takesSeat(was)) count(was, -1);
    if (takesSeat(now)) count(now, 1);
    if (was.status === 'publish' && now.status === 'trash') moved.archived.push(now);
    if (was.status === 'trash' && now.status === 'publish') moved.restored.push(now);
  }
  return moved;
}

/** Renders an order after an action, or its preview. Must not be called inside a transaction. */
export async function renderChangedOrder(
  ctx: RequestContext,
  acted: OrderActionResult,
  isDryRun: boolean,
): Promise<z.output<typeof changedOrderSchema>> {
  const { before, after } = acted;
  const moved = movedBetween(before.attendees, after.attendees);
  const tickets = await getTranslatedTickets(ctx, [
    ...new Set([...after.items, ...after.attendees].map(({ ticket_id }) => ticket_id)),
  ]);
  const format = siteMoney(ctx.context.config, after.order.currency);
  const paid = moved.archived.reduce((sum, { price }) => sum + price, 0);
  const changes = {
    dry_run: isDryRun,
    places: [...moved.seats]
      .filter(([, quantity]) => quantity !== 0)
      .sort(([a], [b]) => a - b)
      .map(([ticket_id, quantity]) => ({ ticket_id, title: tickets.get(ticket_id)?.title ?? '', quantity })),
    archived: moved.archived.map(({ id }) => id),
    restored: moved.restored.map(({ id }) => id),
    paid: renderAmount(paid, format),
    notices: [
      ...(await noticesOf(ctx, { acted, moved, paid: { minor: paid, text: formatMoney(paid, format) } })),
      ...moneyNotices(ctx, acted),
    ],
  };
  return { ...renderFullOrder(after.order, { ...after, tickets }, ctx), changes };
}

interface Noticed {
  acted: OrderActionResult;
  moved: Moved;
  paid: { minor: number; text: string };
}

/** The effects of an action and what remains to be done manually, in the language of the request. */
async function noticesOf(ctx: RequestContext, { acted: { before, after }, moved, paid }: Noticed): Promise<string[]> {
  const say = (key: MessageKey, values: MessageValues = {}) => translate(ctx.language, key, values);
  const counts = [...moved.seats.values()];
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const given = -sum(counts.filter((count) => count < 0));
  const taken = sum(counts.filter((count) => count > 0));
  const isGivenBack = after.refunds.length > before.refunds.length;
  const isPaid = before.order.status === 'completed' && paid.minor > 0 && !isGivenBack;
  return [
    ...(given > 0 ? [say('desk.gives_back', { count: given })] : []),
    ...(taken > 0 ? [say('desk.takes', { count: taken })] : []),
    ...(isPaid ? [say('desk.money', { total: paid.text }), say(await ruleNotice(ctx, before))] : []),
  ];
}

/** Money that an action gives back, with its destination, and money that it keeps. */
function moneyNotices(ctx: RequestContext, { before, after }: OrderActionResult): string[] {
  const format = siteMoney(ctx.context.config, after.order.currency);
  const refunds = after.refunds.slice(before.refunds.length);
  const kept = keptOf(after.charges.slice(before.charges.length));
  const say = (key: MessageKey, amount: number, means = '') =>
    translate(ctx.language, key, { total: formatMoney(amount, format), means });
  return [
    ...refunds.map(({ payment_id, amount }) => {
      const payment = after.payments.find(({ id }) => id === payment_id);
      if (!payment || isOffline(payment)) return say('desk.refund_offline', amount);
      return say('desk.refund', amount, payment.instrument || payment.method);
    }),
    ...(kept > 0 ? [say('desk.kept', kept)] : []),
  ];
}

/** The site's cancellation rule for customers, as a notice about a paid order. */
async function ruleNotice(ctx: RequestContext, { order, items, attendees }: OrderRows): Promise<MessageKey> {
  const rule = await findCancellationRule(ctx);
  const events = await getEvents(ctx.context.db, [...new Set(items.map(({ event_id }) => event_id))]);
  const [begins] = events.map(({ utc_start_date }) => utc_start_date).sort();
  const isAnyCheckedIn = attendees.some(({ status, checked_in }) => status === 'publish' && checked_in === 1);
  const refusal = cancellationRefusal({ order, begins, isAnyCheckedIn }, rule, ctx.now);
  return refusal === undefined ? 'desk.rule_allows' : 'desk.rule_refuses';
}
