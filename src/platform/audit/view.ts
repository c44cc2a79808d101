import { z } from 'zod';
import { AUDIT_ACTIONS } from '../../db/tables/platform.ts';
import { can } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { utcTime } from '../../http/output/output.ts';
import { AUTHENTICATION_METHODS } from '../../lib/actor.ts';
import { AUDIT_KINDS } from '../../lib/audit-kinds.ts';
import { notRestorable, notRestoredSchema, type Restorable } from './restore.ts';
import type { ListedRow } from './store.ts';

const HIDDEN = ['personal', 'secret', 'long'] as const;

const changeSchema = z
  .object({
    field: z.string(),
    language: z.string().optional().describe('Absent for texts in the first language, except those of the site.'),
    before: z.unknown().describe('Absent if the field was empty.').optional(),
    after: z.unknown().describe('Absent if the field is empty now, or the record was deleted.').optional(),
    hidden: z
      .enum(HIDDEN)
      .optional()
      .describe('Why the values are not stored: personal data, a secret, or a value over 20,000 characters.'),
    shortened: z.literal(true).optional().describe('Both texts are cut to 20,000 characters.'),
  })
  .meta({
    id: 'AuditChange',
    description: 'A changed field, named after the parameter that writes it. Money is in minor units.',
  });

export const entrySchema = z
  .object({
    id: z.int(),
    date_utc: utcTime,
    user: z
      .object({
        id: z.int(),
        name: z.string().describe('Name at the time of the change; empty once the account is deleted.'),
      })
      .nullable()
      .describe('null for a check-in key or a command.'),
    means: z
      .enum(AUTHENTICATION_METHODS)
      .optional()
      .describe('Authentication method; like the following four, only for administrators.'),
    credential: z.object({ id: z.int(), name: z.string() }).nullable().optional(),
    network: z.string().optional().describe('The /24 or /48 network of the client; empty for a command.'),
    request_id: z.string().optional(),
    action: z.enum(AUDIT_ACTIONS),
    kind: z.enum(AUDIT_KINDS),
    record_id: z.int(),
    title: z.string().describe('Empty if it would be the name of a person.'),
    revision: z.int().nullable().describe('Revision after the change.'),
    fields: z.array(z.string()).describe('Names of the changed fields.'),
  })
  .meta({ id: 'AuditEntry', description: 'A change of a record.' });

export const fullEntrySchema = entrySchema
  .extend({
    changes: z.array(changeSchema),
    not_restored: z.array(notRestoredSchema).describe('Fields that a restore of this entry would not change.'),
  })
  .meta({ id: 'FullAuditEntry', description: 'A change of a record, with the values before and after.' });

/** Only administrators see the origin of a change. */
export function renderEntry(row: ListedRow, { viewer }: RequestContext): z.output<typeof entrySchema> {
  const { id, date_utc, user_id, user_name, action, kind, record_id, title, revision, fields } = row;
  const { means, credential_id, credential_name, network, request_id } = row;
  const credential = credential_id === null ? null : { id: credential_id, name: credential_name };
  return {
    id,
    date_utc,
    user: user_id === null ? null : { id: user_id, name: user_name },
    ...(can(viewer, 'manage_site') && { means, credential, network, request_id }),
    action,
    kind,
    record_id,
    title,
    revision,
    // Written by `log.ts`.
    fields: JSON.parse(fields) as string[],
  };
}

export const renderFullEntry = (target: Restorable, ctx: RequestContext) => ({
  ...renderEntry(target.row, ctx),
  changes: JSON.parse(target.row.changes),
  not_restored: notRestorable(target),
});
