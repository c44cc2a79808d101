import type { Selectable } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Database } from '../../db/database.ts';
import type { MailTextsTable } from '../../db/tables/platform.ts';
import type { MailKind } from '../../lib/mail-kinds.ts';
import type { AuditedKind } from '../../platform/audit/kind.ts';

/** Texts of organizers in mails. */

export type MailText = Selectable<MailTextsTable>;
export type OwnText = Pick<MailText, 'subject' | 'introduction'>;

/** Renders a mail of a kind about a sample, with texts that are not stored. */
export type RenderSample = (
  context: Context,
  kind: MailKind,
  options: { event: number; language: string; origin: string; own: OwnText },
) => Promise<{ subject: string; text: string; html: string }>;

export const getMailText = (db: Database, id: number): Promise<MailText | undefined> =>
  db.query.selectFrom('mail_texts').selectAll().where('id', '=', id).executeTakeFirst();

/** The text of a kind in a language, for an event or else for all. */
export const findMailText = (
  { query }: Database,
  { kind, language, event }: Pick<MailText, 'kind' | 'language'> & { event: number },
): Promise<MailText | undefined> =>
  query
    .selectFrom('mail_texts')
    .selectAll()
    .where('kind', '=', kind)
    .where('language', '=', language)
    .where('event_id', 'in', [0, event])
    .orderBy('event_id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Audit of the texts. */
export const auditedMailText: AuditedKind = {
  name: 'mail_text',
  async snapshot(db, id) {
    const found = await getMailText(db, id);
    if (!found) return undefined;
    const { kind, language, event_id, subject, introduction } = found;
    return { title: '', fields: { kind, language, event: event_id || null, subject, introduction } };
  },
};
