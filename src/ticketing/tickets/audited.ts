import { findEvent } from '../../calendar/events/store.ts';
import { mayManageTickets } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { addSeconds, toUtc } from '../../lib/dates/dates.ts';
import { numberOf, siteMoney } from '../../lib/money/money.ts';
import type { AuditedKind, Values } from '../../platform/audit/kind.ts';
import { auditedTexts } from '../../platform/translations/store.ts';
import { insertNonce } from '../nonces/store.ts';
import { findSharedSeats, findTicket } from './store.ts';

/** Audit of tickets, with prices in minor units. A deleted ticket is treated as missing. */
export const auditedTicket: AuditedKind = {
  name: 'ticket',
  async snapshot(db, id) {
    const ticket = await findTicket(db, id);
    if (!ticket) return undefined;
    const shared = await findSharedSeats(db, ticket.event_id);
    return {
      title: ticket.title,
      revision: ticket.revision,
      fields: {
        event: ticket.event_id,
        provider: ticket.provider,
        name: ticket.title,
        description: ticket.description,
        show_description: ticket.show_description === 1 ? 'yes' : 'no',
        sku: ticket.sku,
        menu_order: ticket.menu_order,
        max_per_order: ticket.max_per_order,
        tax_rate_id: ticket.tax_rate_id,
        min_per_order: ticket.min_per_order,
        requires_code: ticket.requires_code === 1,
        min_price: ticket.min_price,
        start_date: ticket.start_date,
        start_time: ticket.start_time,
        end_date: ticket.end_date,
        end_time: ticket.end_time,
        price: ticket.price,
        sale_price: ticket.sale_price,
        sale_price_start: ticket.sale_price_start,
        sale_price_end: ticket.sale_price_end,
        mode: ticket.mode,
        capacity: ticket.capacity,
        event_capacity: shared?.capacity,
        not_going: ticket.not_going === 1,
      },
      texts: await auditedTexts(db, { kind: 'ticket', id }),
    };
  },
  async mayChange({ viewer, context }, id) {
    const ticket = await findTicket(context.db, id);
    const event = ticket && (await findEvent(context.db, ticket.event_id));
    return event !== undefined && mayManageTickets(viewer, event);
  },
  restoring: { endpoint: 'tickets.update', paramsOf },
};

const TOKEN_BYTES = 24;
/** Seconds: the token is used in the same transaction. */
const TOKEN_LIFETIME = 60;

/** Parameters of `tickets.update`, with a one-time token, so that all its rules apply. */
async function paramsOf(ctx: RequestContext, id: number, values: Values): Promise<Values> {
  const { context, viewer, now } = ctx;
  const { price, min_price, mode, capacity, event_capacity, not_going, ...rest } = values;
  const { sale_price, sale_price_start: start_date, sale_price_end: end_date, ...others } = rest;
  const ticket = await findTicket(context.db, id);
  const nonce = context.random(TOKEN_BYTES).toString('base64url');
  await insertNonce(context.db, {
    nonce,
    userId: viewer.account?.id ?? 0,
    action: 'edit_ticket_nonce',
    eventId: ticket?.event_id ?? null,
    now,
    expires_utc: addSeconds(toUtc(now), TOKEN_LIFETIME),
  });
  const { decimals } = siteMoney(context.config);
  const amount = (minor: unknown) => (typeof minor === 'number' ? numberOf(minor, decimals) : '');
  const discount = { checked: sale_price !== null, price: amount(sale_price), start_date, end_date };
  const stock = { mode, capacity, event_capacity, not_going };
  return {
    ...others,
    ...('price' in values && { price: amount(price) }),
    ...('min_price' in values && { min_price: amount(min_price) }),
    ...(Object.keys(values).some(isOfObject) && {
      ticket: { ...defined(stock), ...('sale_price' in values && { sale_price: discount }) },
    }),
    post_id: ticket?.event_id,
    edit_ticket_nonce: nonce,
  };
}

const OBJECT: readonly string[] = ['mode', 'capacity', 'event_capacity', 'not_going', 'sale_price'];
const isOfObject = (field: string): boolean => OBJECT.includes(field);

const defined = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
