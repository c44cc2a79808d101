import { z } from 'zod';
import { getEvents } from '../../../calendar/events/store.ts';
import type { RequestContext } from '../../../http/core/endpoint.ts';
import { type MessageKey, type MessageValues, translate } from '../../../lib/i18n.ts';
import { formatMoney } from '../../../lib/money/money.ts';
import type { Attendee } from '../../attendees/store.ts';
import { takesSeat } from '../../tickets/seats/seats.ts';
import { getTranslatedTickets } from '../../tickets/store.ts';
import { cancellationRefusal, findCancellationRule } from '../cancellation.ts';
import { amountSchema, formatOf, fullOrderSchema, renderAmount, renderFullOrder } from '../view.ts';
import type { ActedOn, OrderRows } from './act-on-order.ts';

/** What an act did to an order, or would do. */
const changesSchema = z
  .object({
    dry_run: z.boolean().describe('Whether nothing was done.'),
    places: z
      .array(
        z.object({
          ticket_id: z.int(),
          title: z.string(),
          quantity: z.int().describe('Places taken; below 0 for places given back.'),
        }),
      )
      .describe('By ticket.'),
    archived: z.array(z.int()).describe('Ids of attendees who are no longer admitted.'),
    restored: z.array(z.int()).describe('Ids of attendees who were archived.'),
    paid: amountSchema.describe('What the places that were given back cost.'),
    notices: z.array(z.string()).describe('The same in words, and what is left to do by hand.'),
  })
  .meta({ id: 'OrderChanges', description: 'What an act changed, or would change.' });

/** An order after an act, or as it would be. */
export const changedOrderSchema = fullOrderSchema
  .extend({ changes: changesSchema })
  .meta({ id: 'ChangedOrder', description: 'An order after an act, with what the act changed.' });

interface Moved {
  archived: Attendee[];
  restored: Attendee[];
  /** Seats by ticket; below 0 for seats that were given back. */
  seats: Map<number, number>;
}

/** How the attendees of an order differ after an act. */
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

/** Renders an order after an act, or as it would be. Not to be called inside a transaction. */
export async function renderChangedOrder(
  ctx: RequestContext,
  acted: ActedOn,
  isDryRun: boolean,
): Promise<z.output<typeof changedOrderSchema>> {
  const { before, after } = acted;
  const moved = movedBetween(before.attendees, after.attendees);
  const tickets = await getTranslatedTickets(ctx, [
    ...new Set([...after.items, ...after.attendees].map(({ ticket_id }) => ticket_id)),
  ]);
  const format = formatOf(after.order.currency, ctx.context.config);
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
    notices: await noticesOf(ctx, { before, moved, paid: { minor: paid, text: formatMoney(paid, format) } }),
  };
  return { ...renderFullOrder(after.order, { ...after, tickets }, ctx), changes };
}

interface Noticed {
  before: OrderRows;
  moved: Moved;
  paid: { minor: number; text: string };
}

/** What an act does, and what is left to do by hand, in the language of the request. */
async function noticesOf(ctx: RequestContext, { before, moved, paid }: Noticed): Promise<string[]> {
  const say = (key: MessageKey, values: MessageValues = {}) => translate(ctx.language, key, values);
  const counts = [...moved.seats.values()];
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const given = -sum(counts.filter((count) => count < 0));
  const taken = sum(counts.filter((count) => count > 0));
  const isPaid = before.order.status === 'completed' && paid.minor > 0;
  return [
    ...(given > 0 ? [say('desk.gives_back', { count: given })] : []),
    ...(taken > 0 ? [say('desk.takes', { count: taken })] : []),
    ...(isPaid ? [say('desk.money', { total: paid.text }), say(await ruleNotice(ctx, before))] : []),
  ];
}

/** What the rule of the site for buyers says about an order that was paid. */
async function ruleNotice(ctx: RequestContext, { order, items, attendees }: OrderRows): Promise<MessageKey> {
  const rule = await findCancellationRule(ctx);
  const events = await getEvents(ctx.context.db, [...new Set(items.map(({ event_id }) => event_id))]);
  const [begins] = events.map(({ utc_start_date }) => utc_start_date).sort();
  const isAnybodyIn = attendees.some(({ status, checked_in }) => status === 'publish' && checked_in === 1);
  const refusal = cancellationRefusal({ order, begins, isAnybodyIn }, rule, ctx.now);
  return refusal === undefined ? 'desk.rule_allows' : 'desk.rule_refuses';
}
