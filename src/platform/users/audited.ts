import type { Database } from '../../db/database.ts';
import type { AuditedKind } from '../audit/kind.ts';

/** Audit of accounts and their credentials, visible to administrators only. Account names may be personal names. */

export const auditedUser: AuditedKind = {
  name: 'user',
  async snapshot(db, id) {
    const user = await db.query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
    if (!user) return undefined;
    const { username, email, role, may_refund, language, alerts } = user;
    const { password_hash: password, totp_secret: second_factor } = user;
    const [recovery_codes, sign_in_links] = await Promise.all([
      hashesIn(db, 'recovery_codes', id),
      hashesIn(db, 'sign_in_links', id),
    ]);
    return {
      title: '',
      fields: { role, may_refund: may_refund === 1, language, alerts: JSON.parse(alerts) as string[] },
      personal: { username, email },
      secret: { password, second_factor, recovery_codes, sign_in_links },
    };
  },
};

/** Secrets of an account, stored as hashes only. */
async function hashesIn({ query }: Database, table: 'recovery_codes' | 'sign_in_links', id: number): Promise<string> {
  const rows = await query.selectFrom(table).select('hash').where('user_id', '=', id).orderBy('hash').execute();
  return rows.map(({ hash }) => hash).join(' ');
}

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
