import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { AuditEntry } from '../../../../packages/client/src/marquee-client.ts';
import { useRight } from '../../data/account.ts';
import { read } from '../../data/queries.ts';
import { EventName, EventTabs } from '../../shared/screen/event-tabs.tsx';
import { Page } from '../../shared/screen/page.tsx';
import { Empty, Failure, RowsLoading } from '../../ui/states.tsx';
import { type DataColumn, DataTable, Pager } from '../../ui/table/data-table.tsx';
import { Entry, entryColumns } from './entry.tsx';
import { KINDS, type Kind, t } from './routes.ts';
import { recordName } from './words.ts';

const PER_PAGE = 20;

/** Page and open entry of a history, as in its address. */
interface Opened {
  page?: number;
  entry?: number;
}

/** Query of one page of a record's history. */
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

/** Changes of one record, latest first. */
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
          <Pager page={page} list={data} onPage={(next) => onOpen({ page: next })} />
        </>
      )}
      {entry !== undefined && <Entry id={entry} onClose={() => onOpen({ entry: undefined })} />}
    </>
  );
}

const eventRoute = getRouteApi('/events/$id/history');

/** History of an event, with links to those of its tickets. */
export function EventHistory() {
  const id = Number(eventRoute.useParams().id);
  const navigate = eventRoute.useNavigate();
  return (
    <Page title={t('history')} note={<EventName event={id} />}>
      <EventTabs event={id} />
      <History
        kind="event"
        id={id}
        opened={eventRoute.useSearch()}
        onOpen={(opened) => void navigate({ search: (now) => ({ ...now, ...opened }) })}
      />
      <TicketHistories event={id} />
    </Page>
  );
}

/** More tickets than an event has. */
const ALL = 100;

function TicketHistories({ event }: { event: number }) {
  const isOn = useRight('manage_tickets', 'manage_own_tickets');
  const { data } = useQuery(read('GET /tickets/v1/tickets', { include_post: [event], per_page: ALL }, { isOn }));
  if (!data || data.tickets.length === 0) return null;
  return (
    <section className="history-tickets">
      <h2>{t('history.tickets')}</h2>
      <ul>
        {data.tickets.map(({ id, title }) => (
          <li key={id}>
            <Link to="/history/$kind/$id" params={{ kind: 'ticket', id: String(id) }}>
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const recordRoute = getRouteApi('/history/$kind/$id');

/** History of a record of any kind. */
export function RecordHistoryScreen() {
  const { kind: named, id } = recordRoute.useParams();
  const kind = KINDS.find((one) => one === named);
  if (!kind || !/^[1-9]\d{0,8}$/.test(id)) {
    return (
      <Page title={t('history')}>
        <Empty icon="log" text={t('history.none')} />
      </Page>
    );
  }
  return <RecordHistory kind={kind} id={Number(id)} />;
}

function RecordHistory({ kind, id }: { kind: Kind; id: number }) {
  const navigate = recordRoute.useNavigate();
  const opened = recordRoute.useSearch();
  const { data } = useQuery(historyQuery(kind, id, opened.page));
  const name = recordName({ kind, title: data?.audit[0]?.title ?? '', record_id: id });
  return (
    <Page title={t('history')} note={name}>
      <History
        kind={kind}
        id={id}
        opened={opened}
        onOpen={(next) => void navigate({ search: (now) => ({ ...now, ...next }) })}
      />
    </Page>
  );
}
