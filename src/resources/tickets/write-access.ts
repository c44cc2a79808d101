import { can, mayManageTickets, type Viewer } from '../../http/auth.ts';
import type { AddProblem, RequestContext } from '../../http/endpoint.ts';
import { ApiError } from '../../http/errors.ts';
import { type Event, findEvent } from '../events/store.ts';
import { isGoodNonce, type NonceAction, type NonceUse } from '../nonces/store.ts';
import { checkName } from '../translations/rules.ts';
import { isReadable } from './price.ts';
import { saleWindow } from './sale-window.ts';
import type { TicketInput } from './save.ts';
import type { Ticket } from './stock.ts';

/** What a request about one ticket names. */
export interface Target {
  ticket?: Ticket;
  /** The event of the ticket, or the one a write names. */
  event?: Event;
  nonce?: NonceUse;
  price?: number;
}

/** Only says which methods to offer; `authorize` is what refuses. */
export const mayWrite = (viewer: Viewer, target: Target | undefined): boolean =>
  target?.event ? mayManageTickets(viewer, target.event) : can(viewer, 'edit') || can(viewer, 'manage_tickets');

interface Claim {
  action: NonceAction;
  eventId: number | undefined;
  nonce: unknown;
}

/**
 * The event of a write and the token it will use up.
 * @throws {ApiError} forbidden, the same for every reason, so that nobody learns which events exist
 */
export async function authorize(
  { action, eventId, nonce }: Claim,
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

/** A positive whole number; a write that names none is refused like one that names an unknown event. */
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
 * Refuses what is well formed and cannot be: a blank name, shared places for replies, a reduced price that is none, a
 * sale that ends early.
 */
export function checkWrite(input: TicketInput, { provider, event, current, ctx, addProblem }: WriteCheck): void {
  checkName('ticket', input, { ctx, addProblem, isUpdate: current !== undefined });
  const mode = input.ticket?.stock.mode ?? '';
  if (provider === 'rsvp' && mode !== '' && mode !== 'own') addProblem('ticket', { key: 'param.rsvp_mode' });
  if (!isReadable(input.ticket?.sale, ctx)) addProblem('ticket', { key: 'param.sale_price' });
  if (typeof input.end_date !== 'string') return;
  const window = saleWindow(input, current, { event, siteZone: ctx.context.config.timezone, now: ctx.now });
  if (window.sale_end_utc < window.sale_start_utc) addProblem('end_date', { key: 'param.ends_early' });
}
