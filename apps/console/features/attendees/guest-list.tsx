import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Event, ListedAttendee } from '../../../../packages/client/src/marquee-client.ts';
import { readPages } from '../../../client/bulk.ts';
import { useMe } from '../../data/account.ts';
import { read, readNow } from '../../data/queries.ts';
import { hasEventRight, READS_ORDERS } from '../../data/rights.ts';
import { when } from '../../i18n/formats.ts';
import { language } from '../../i18n/texts.ts';
import { whereOf } from '../../shared/events/listed-events.ts';
import { EventName, EventTabs } from '../../shared/screen/event-tabs.tsx';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { usePaper } from '../../ui/paper.ts';
import { Empty, Failure, RowsLoading } from '../../ui/states.tsx';
import { FilterBar, Views } from '../../ui/table/filter-bar.tsx';
import { GROUPINGS, type GuestGroup, guestGroups, LABELS, labelSheets, SHEETS } from './guests.ts';
import { t } from './routes.ts';
import { stateOf } from './views.ts';
import './guest-list.css';

const route = getRouteApi('/events/$id/attendees/print');

const PER_PAGE = 100;
const collator = new Intl.Collator(language, { numeric: true });

/** All attendees of an event, with the ends of their codes if the account may see them. */
function useGuests(event: Event | undefined) {
  const seesCodes = hasEventRight(useMe(), READS_ORDERS, event ?? { author: '' });
  const id = event?.id ?? 0;
  return useQuery({
    queryKey: ['GET /admin/v1/attendees', { event: id, seesCodes }, 'all pages'],
    enabled: event !== undefined,
    queryFn: ({ signal }) => {
      const input = { event: id, per_page: PER_PAGE, ...(seesCodes && { with: ['code_end' as const] }) };
      const readPage = async (page: number) => {
        const answer = await readNow('GET /admin/v1/attendees', { ...input, page }, signal);
        return { rows: answer.attendees, pages: answer.total_pages };
      };
      return readPages(readPage, { signal });
    },
  });
}

/** Guest list and badges of an event, for paper. */
export function Screen() {
  const id = Number(route.useParams().id);
  const { sheet = 'list', by = 'name', used = 0 } = route.useSearch();
  const navigate = route.useNavigate();
  const event = useQuery(read('GET /events/v1/events/{id}', { id }));
  const { data, error, refetch } = useGuests(event.data);
  const groups = useMemo(() => guestGroups(data ?? [], by, collator), [data, by]);
  usePaper(sheet === 'list' ? 'guest-list' : 'badges');
  const problem = event.error ?? error;
  const isReady = event.data !== undefined && data !== undefined;
  const show = (next: Partial<ReturnType<typeof route.useSearch>>) =>
    void navigate({ search: (now) => ({ ...now, ...next }), replace: true });
  return (
    <Page
      title={t('guests')}
      note={<EventName event={id} />}
      actions={
        <>
          <Link to="/events/$id/attendees" params={{ id: String(id) }} className="button">
            {t('attendees')}
          </Link>
          {groups.length > 0 && (
            <Button look="primary" icon="print" onPress={() => print()}>
              {t('guests.print')}
            </Button>
          )}
        </>
      }
    >
      <EventTabs event={id} />
      <SheetFilters sheet={sheet} by={by} onChange={show} />
      {sheet === 'badges' && <UsedLabels value={used} onChange={(next) => show({ used: next || undefined })} />}
      {problem && <Failure error={problem} onRetry={() => void Promise.all([event.refetch(), refetch()])} />}
      {!isReady && !problem && <RowsLoading />}
      {isReady && groups.length === 0 && <Empty text={t('none')} icon="people" />}
      {event.data && groups.length > 0 && (
        <section className="guest-sheets" aria-label={t(`guests.${sheet}`)}>
          {sheet === 'list' ? (
            <GuestList event={event.data} groups={groups} />
          ) : (
            <Badges event={event.data} groups={groups} used={used} />
          )}
        </section>
      )}
    </Page>
  );
}

interface SheetFiltersProps {
  sheet: (typeof SHEETS)[number];
  by: (typeof GROUPINGS)[number];
  onChange: (next: Partial<Pick<SheetFiltersProps, 'sheet' | 'by'>>) => void;
}

const SheetFilters = ({ sheet, by, onChange }: SheetFiltersProps) => (
  <FilterBar>
    <Views
      label={t('guests.sheet')}
      choices={SHEETS.map((value) => ({ value, label: t(`guests.${value}`) }))}
      value={sheet}
      onChange={(next) => onChange({ sheet: next })}
    />
    <Views
      label={t('guests.by')}
      choices={GROUPINGS.map((value) => ({ value, label: t(`guests.by.${value}`) }))}
      value={by}
      onChange={(next) => onChange({ by: next })}
    />
  </FilterBar>
);

/** Number of labels of the first sheet that are used already. */
function UsedLabels({ value, onChange }: { value: number; onChange: (used: number) => void }) {
  const change = (typed: string) => {
    const used = Number(typed.replace(/\D/g, ''));
    onChange(Math.min(used, LABELS - 1));
  };
  return (
    <div className="guest-used">
      <TextField
        label={t('guests.used')}
        hint={t('guests.used_hint')}
        value={value === 0 ? '' : String(value)}
        onChange={change}
        inputMode="numeric"
      />
    </div>
  );
}

interface SheetProps {
  event: Event;
  groups: readonly GuestGroup[];
}

function GuestList({ event, groups }: SheetProps) {
  const count = groups.reduce((sum, { guests }) => sum + guests.length, 0);
  const isByTicket = groups.some(({ id }) => id !== 0);
  return (
    <>
      <h2 className="clamped">{event.title}</h2>
      <p className="soft">
        {[when.span(event), whereOf(event), t('guests.count', { count })].filter(Boolean).join(' · ')}
      </p>
      {groups.map(({ id, title, guests }) => (
        <div key={id} className="guest-group">
          {isByTicket && (
            <h3>
              <span className="clamped">{title}</span>{' '}
              <span className="soft">{t('guests.count', { count: guests.length })}</span>
            </h3>
          )}
          <GuestTable label={title || t('guests.list')} guests={guests} hasTickets={!isByTicket} />
        </div>
      ))}
    </>
  );
}

interface GuestTableProps {
  label: string;
  guests: readonly ListedAttendee[];
  hasTickets: boolean;
}

function GuestTable({ label, guests, hasTickets }: GuestTableProps) {
  const hasCodes = guests.some(({ code_end }) => code_end);
  return (
    <table className="guest-table" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{t('came.all')}</span>
          </th>
          <th scope="col">{t('name')}</th>
          {hasTickets && (
            <th scope="col" className="guest-ticket">
              {t('ticket')}
            </th>
          )}
          {hasCodes && (
            <th scope="col" className="guest-code">
              {t('guests.code')}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {guests.map((guest) => (
          <tr key={guest.id}>
            <td>
              <span className="guest-box" aria-hidden="true">
                {guest.checked_in && '✓'}
              </span>
              {guest.checked_in && <span className="visually-hidden">{t('state.in')}</span>}
            </td>
            <th scope="row">
              {guest.full_name} {guest.pass && <span className="badge">{t('pass')}</span>}{' '}
              {stateOf(guest) === 'unpaid' && <strong className="guest-unpaid">{t('guests.unpaid')}</strong>}
            </th>
            {hasTickets && (
              <td>
                <span className="clamped">{guest.ticket}</span>
              </td>
            )}
            {hasCodes && <td className="guest-code">{guest.code_end}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Sheets of labels with name, ticket and event. */
function Badges({ event, groups, used }: SheetProps & { used: number }) {
  const sheets = labelSheets(
    groups.flatMap(({ guests }) => guests),
    used,
  );
  return sheets.map((labels, sheet) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a sheet is its position
    <ul key={sheet} className="badge-sheet">
      {labels.map((guest, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a label is its position
        <li key={place} className={guest ? undefined : 'badge-used'} aria-hidden={!guest}>
          {guest && (
            <>
              <strong>{guest.full_name}</strong>
              <span className="clamped">{guest.ticket}</span>
              <small className="clamped">{`${event.title} · ${when.day(event.start_date)}`}</small>
            </>
          )}
        </li>
      ))}
    </ul>
  ));
}
