import { z } from 'zod';
import { AUDIT_ACTIONS } from '../../db/tables.ts';
import { can } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { utcTime } from '../../http/output/output.ts';
import { MEANS } from '../../lib/actor.ts';
import { LINKED_KIND_NAMES } from '../../lib/linked-kinds.ts';
import { notRestorable, notRestoredSchema, type Restorable } from './restore.ts';
import type { ListedRow } from './store.ts';

/** The kinds of records in the log, as the filter and the answers name them. */
export const AUDIT_KINDS = [
  'event',
  ...LINKED_KIND_NAMES,
  'category',
  'tag',
  'ticket',
  'attendee',
  'order',
  'media',
  'user',
  'app_password',
  'token',
  'check_in_key',
  'site',
] as const;

const HIDDEN = ['personal', 'secret', 'long'] as const;

const changeSchema = z
  .object({
    field: z.string(),
    language: z.string().optional().describe('Of a text in another language than the first; for the site, in any.'),
    before: z.unknown().describe('Absent if there was nothing.').optional(),
    after: z.unknown().describe('Absent if there is nothing any more.').optional(),
    hidden: z
      .enum(HIDDEN)
      .optional()
      .describe('Why the values are not kept: data about a person, a secret, or a value over 20,000 characters.'),
    shortened: z.literal(true).optional().describe('Both texts end after 20,000 characters.'),
  })
  .meta({
    id: 'AuditChange',
    description: 'A changed field, by the parameter that writes it. Money is in minor units.',
  });

export const entrySchema = z
  .object({
    id: z.int(),
    date_utc: utcTime,
    user: z
      .object({ id: z.int(), name: z.string().describe('As it was; empty once the account is deleted.') })
      .nullable()
      .describe('null for a check-in key or a command.'),
    means: z.enum(MEANS).optional().describe('How they signed in; for administrators, like the following four.'),
    credential: z.object({ id: z.int(), name: z.string() }).nullable().optional(),
    network: z.string().optional().describe('The /24 or /48 of the address; empty for a command.'),
    request_id: z.string().optional(),
    action: z.enum(AUDIT_ACTIONS),
    kind: z.enum(AUDIT_KINDS),
    record_id: z.int(),
    title: z.string().describe('Empty if it would be the name of a person.'),
    revision: z.int().nullable().describe('The revision that the change made.'),
    fields: z.array(z.string()).describe('Names of the changed fields.'),
  })
  .meta({ id: 'AuditEntry', description: 'Who changed which record.' });

export const fullEntrySchema = entrySchema
  .extend({
    changes: z.array(changeSchema),
    not_restored: z.array(notRestoredSchema).describe('What restoring this entry would leave as it is.'),
  })
  .meta({ id: 'FullAuditEntry', description: 'Who changed which record, with the values before and after.' });

/** Only administrators see from where somebody acted. */
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
