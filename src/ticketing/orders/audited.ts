import { hasEventRights } from '../../http/core/auth.ts';
import type { AuditedKind, Snapshot } from '../../platform/audit/kind.ts';
import type { CreatedRecord } from '../../platform/audit/log.ts';
import { findNamedOrder } from './order-scope.ts';
import { findOrder, type Order } from './store.ts';

/** Audit of orders. */
export const auditedOrder: AuditedKind = {
  name: 'order',
  async snapshot(db, id) {
    const order = await findOrder(db, id);
    return order && snapshotOf(order);
  },
  mayChange: async (ctx, id) => hasEventRights(ctx.viewer, 'manage_attendees', await findNamedOrder(ctx, id)),
};

/** A new order for the audit log. */
export const createdOrder = (order: Order): CreatedRecord => ({
  kind: auditedOrder,
  id: order.id,
  snapshot: snapshotOf(order),
});

const snapshotOf = ({ purchaser_name, purchaser_email, billing, access_version, ...order }: Order): Snapshot => ({
  title: '',
  revision: order.revision,
  fields: {
    status: order.status,
    gateway: order.gateway,
    expires_utc: order.expires_utc,
    currency: order.currency,
    total: order.total,
  },
  personal: { purchaser_name, purchaser_email, ...(billing !== '{}' && { billing }) },
  // Changes when the customer's link is revoked.
  secret: { link: access_version },
});
