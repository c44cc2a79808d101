import { can } from '../../http/auth.ts';
import type { AuditedKind } from '../audit/kind.ts';

/** Orders in the audit log. */
export const auditedOrder: AuditedKind = {
  name: 'order',
  async snapshot(db, id) {
    const order = await db.query.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst();
    if (!order) return undefined;
    const { purchaser_name, purchaser_email, access_version } = order;
    return {
      title: '',
      revision: order.revision,
      fields: {
        status: order.status,
        gateway: order.gateway,
        expires_utc: order.expires_utc,
        currency: order.currency,
        total: order.total,
      },
      personal: { purchaser_name, purchaser_email },
      // Another number voids the link of the buyer.
      secret: { link: access_version },
    };
  },
  mayChange: async ({ viewer }) => can(viewer, 'manage_attendees'),
};
