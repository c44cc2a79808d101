import type { AuditedKind } from '../../platform/audit/kind.ts';

/** Check-in keys in the audit log. */
export const auditedCheckInKey: AuditedKind = {
  name: 'check_in_key',
  async snapshot(db, id) {
    const key = await db.query.selectFrom('check_in_keys').selectAll().where('id', '=', id).executeTakeFirst();
    return key && { title: key.name, fields: { name: key.name, event_id: key.event_id } };
  },
};
