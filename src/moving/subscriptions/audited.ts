import type { AuditedKind } from '../../platform/audit/kind.ts';
import { categoriesOf, findSubscription } from './store.ts';

/** Subscriptions in the audit log. The address may have a secret. */
export const auditedSubscription: AuditedKind = {
  name: 'subscription',
  async snapshot(db, id) {
    const found = await findSubscription(db, id);
    if (!found) return undefined;
    const { address, status, hours, is_paused } = found;
    return {
      title: URL.parse(address)?.host ?? '',
      fields: { status, hours, categories: categoriesOf(found), paused: is_paused === 1 },
      secret: { address },
    };
  },
};
