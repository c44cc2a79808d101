import type { AuditEntry } from '../../../../packages/client/src/marquee-client.ts';
import { when } from '../../i18n/when.ts';
import type { DataColumn } from '../../ui/table/data-table.tsx';
import { t } from './routes.ts';
import { whoOf } from './who.ts';
import { fieldName } from './words.ts';

/** Fields that a row names; new records have dozens. */
const MOST = 5;

function fieldsOf({ kind, fields }: AuditEntry): string {
  const names = [...new Set(fields.map((field) => fieldName(kind, field)))];
  const more = names.length - MOST;
  const shown = names.slice(0, MOST).join(', ');
  return more > 0 ? t('fields.more', { fields: shown, count: more }) : shown;
}

/** What, who and when of a change, without the record. */
export const entryColumns = (): DataColumn<AuditEntry>[] => [
  { id: 'fields', label: t('fields'), render: (entry) => <span className="soft">{fieldsOf(entry)}</span> },
  { id: 'who', label: t('who'), render: whoOf },
  { id: 'when', label: t('when'), render: ({ date_utc }) => when.ago(date_utc) },
];
