import { type Event, findEvent } from '../../calendar/events/store.ts';
import { can, mayManageTickets, type Viewer } from '../../http/core/auth.ts';
import type { AddProblem, RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { checkName } from '../../platform/translations/rules.ts';
import { isGoodNonce, type NonceAction, type NonceUse } from '../nonces/store.ts';
import { isReadableDiscount } from './price.ts';
import { saleWindow } from './sale-window.ts';
import type { TicketInput } from './save.ts';
import type { Ticket } from './store.ts';

/** The records that a request about a ticket refers to. */
export interface Target {
  ticket?: Ticket;
  /** The event of the ticket, or the event named by a write. */
  event?: Event;
  nonce?: NonceUse;
  price?: number;
}

/** Only determines the offered methods; `authorize` refuses. */
export const mayWrite = (viewer: Viewer, target: Target | undefined): boolean =>
  target?.event ? mayManageTickets(viewer, target.event) : can(viewer, 'edit') || can(viewer, 'manage_tickets');

/**
 * The event of a write and the token that it will consume.
 * @throws {ApiError} forbidden, the same for every reason, so that it does not reveal which events exist
 */
export async function authorize(
  { action, eventId, nonce }: { action: NonceAction; eventId: number | undefined; nonce: unknown },
  ctx: RequestContext,
): Promise<{ event: Event; nonce: NonceUse }> {
  const { viewer, context, now } = ctx;
  const event = eventId === undefined ? undefined : await findEvent(context.db, eventId);
  if (!event || !viewer.account || !mayManageTickets(viewer, event)) throw new ApiError('forbidden');
  const use = {
    nonce: typeof nonce === 'string' ? nonce : '',
    userId: viewer.account.id,
    action,
    eventId: event.id,
    now,
  };
  if (!(await isGoodNonce(context.db, use))) throw new ApiError('forbidden');
  return { event, nonce: use };
}

/** The event id that was sent; undefined, as for an unknown event, when it is not a positive integer. */
export function readEventId(value: unknown): number | undefined {
  const id = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

interface WriteCheck {
  provider: Ticket['provider'];
  event: Event;
  current?: Ticket;
  ctx: RequestContext;
  addProblem: AddProblem;
}

/**
 * Rejects well-formed input that makes no sense: a blank name, shared seats for RSVPs, a discount without a price, a
 * sale window that ends before it begins, terms of RSVPs that only tickets with a price have.
 */
export function checkWrite(input: TicketInput, { provider, event, current, ctx, addProblem }: WriteCheck): void {
  checkName('ticket', input, { ctx, addProblem, isUpdate: current !== undefined });
  checkScope(input, { provider, event, current, addProblem });
  const mode = input.ticket?.capacity.mode ?? '';
  if (provider === 'rsvp' && mode !== '' && mode !== 'own') addProblem('ticket', { key: 'param.rsvp_mode' });
  if (provider === 'rsvp' && !ctx.urls.isReference)
    for (const name of ['requires_code', 'min_price'] as const)
      if (![undefined, null, false, ''].some((none) => input[name] === none))
        addProblem(name, { key: 'param.rsvp_terms' });
  if (!isReadableDiscount(input.ticket?.discount, ctx)) addProblem('ticket', { key: 'param.sale_price' });
  if (!input.end_date) return;
  const window = saleWindow(input, current, { event, siteZone: ctx.context.config.timezone, now: ctx.now });
  if (window.sale_end_utc < window.sale_start_utc) addProblem('end_date', { key: 'param.ends_early' });
}

/** Rejects a scope that the ticket cannot have. */
export function checkScope(
  { scope }: Pick<TicketInput, 'scope'>,
  { provider, event, current, addProblem }: Omit<WriteCheck, 'ctx'>,
): void {
  const isPass = current ? current.pass_id !== null : scope === 'series';
  if (current && scope === 'series' && !isPass) addProblem('scope', { key: 'param.pass_fixed' });
  if (current && isPass && (scope === 'this' || scope === 'following'))
    addProblem('scope', { key: 'param.pass_whole' });
  if (!current && isPass && (provider === 'rsvp' || event.series_id === null))
    addProblem('scope', { key: 'param.pass_scope' });
}
