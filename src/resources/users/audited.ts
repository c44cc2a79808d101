import type { AuditedKind } from '../audit/kind.ts';

/** Accounts and their credentials in the audit log, which only administrators see. Their names may be those of people. */

export const auditedUser: AuditedKind = {
  name: 'user',
  async snapshot(db, id) {
    const user = await db.query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
    if (!user) return undefined;
    const { username, email, role, password_hash } = user;
    return { title: '', fields: { role }, personal: { username, email }, secret: { password: password_hash } };
  },
};

export const auditedToken: AuditedKind = {
  name: 'token',
  async snapshot(db, id) {
    const token = await db.query.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst();
    if (!token) return undefined;
    const { user_id, scopes, expires_utc, name } = token;
    return { title: '', fields: { user_id, scopes: scopes.split(','), expires_utc }, personal: { name } };
  },
};

export const auditedAppPassword: AuditedKind = {
  name: 'app_password',
  async snapshot(db, id) {
    const found = await db.query.selectFrom('app_passwords').selectAll().where('id', '=', id).executeTakeFirst();
    return found && { title: '', fields: { user_id: found.user_id }, personal: { name: found.name } };
  },
};
