import { useQuery } from '@tanstack/react-query';
import type { AuditEntry } from '../../../../packages/client/src/marquee-client.ts';
import { read } from '../../data/queries.ts';
import { Empty, Failure, RowsLoading } from '../../ui/states.tsx';
import { type DataColumn, DataTable, Pager } from '../../ui/table/data-table.tsx';
import { Entry, entryColumns } from './entry.tsx';
import type { Kind } from './kinds.ts';
import { t } from './routes.ts';

const PER_PAGE = 20;

/** What is open of a history, as addresses have it. */
interface Opened {
  page?: number;
  entry?: number;
}

/** A page of the history of a record. */
export const historyQuery = (kind: Kind, id: number, page = 1) =>
  read('GET /admin/v1/audit', { kind, id, page, per_page: PER_PAGE }, { keepsPrevious: true });

const columns = (): DataColumn<AuditEntry>[] => [
  {
    id: 'what',
    label: t('what'),
    render: ({ action }) => <span className="row-title">{t(`did.${action}`)}</span>,
  },
  ...entryColumns(),
];

interface HistoryProps {
  kind: Kind;
  id: number;
  opened: Opened;
  onOpen: (opened: Partial<Record<keyof Opened, number | undefined>>) => void;
}

/** All changes of one record, the latest first. */
export function History({ kind, id, opened: { page = 1, entry }, onOpen }: HistoryProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(historyQuery(kind, id, page));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <RowsLoading />;
  return (
    <>
      {data.total === 0 ? (
        <Empty icon="log" text={t('history.none')} />
      ) : (
        <>
          <DataTable
            label={t('history')}
            columns={columns()}
            rows={data.audit}
            isStale={isPlaceholderData}
            onOpen={(row) => onOpen({ entry: row.id })}
          />
          <Pager page={page} pages={data.total_pages} total={data.total} onPage={(next) => onOpen({ page: next })} />
        </>
      )}
      {entry !== undefined && <Entry id={entry} onClose={() => onOpen({ entry: undefined })} />}
    </>
  );
}
