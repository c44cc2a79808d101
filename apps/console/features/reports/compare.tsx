import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Event, SalesReport } from '../../../../packages/client/src/marquee-client.ts';
import { sendBatch } from '../../../client/batch.ts';
import { todayIn } from '../../../client/when.ts';
import { useRight, useSite } from '../../data/account.ts';
import { read } from '../../data/queries.ts';
import { READS_ORDERS } from '../../data/rights.ts';
import { money, when } from '../../i18n/formats.ts';
import { useEventsRead } from '../../shared/events/event-lines.tsx';
import { amountsOf, BEGINNING } from '../../shared/orders/sales.ts';
import { EventPicker } from '../../shared/pickers/record-picker.tsx';
import { Page } from '../../shared/screen/page.tsx';
import { SoldBar } from '../../shared/screen/sold-bar.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Empty, Failure, NoRight, RowsLoading } from '../../ui/states.tsx';
import { curveOf, daysBefore, idsIn, MOST_EVENTS, withoutQuietStart } from './comparison.ts';
import { Chart } from './report-chart.tsx';
import { t } from './routes.ts';
import './reports.css';

const route = getRouteApi('/reports/compare');

/** Compares the sales of several events. */
export function Screen() {
  const { events: asked = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const maySee = useRight(...READS_ORDERS);
  const wanted = idsIn(asked);
  const { events, error, retry, isStale } = useEventsRead(wanted);
  // Deleted events count no longer once the others are read.
  const ids = events && !isStale ? wanted.filter((id) => events.has(id)) : wanted;
  const show = (next: readonly number[]) => void navigate({ search: { events: next.join(',') || undefined } });
  const known = ids.flatMap((id) => events?.get(id) ?? []);
  if (!maySee)
    return (
      <Page title={t('compare.title')}>
        <NoRight />
      </Page>
    );
  return (
    <Page
      title={t('compare.title')}
      actions={
        <Link to="/reports" className="button">
          {t('title')}
        </Link>
      }
    >
      {ids.length < MOST_EVENTS && (
        <div className="report-filters compare-add">
          <EventPicker
            label={t('compare.events')}
            any={t('compare.add')}
            value={undefined}
            onChange={(id) => id !== undefined && show([...ids, id])}
          />
        </div>
      )}
      {ids.length === 0 && <Empty icon="report" text={t('compare.none')} />}
      {error && <Failure error={error} onRetry={retry} />}
      {ids.length > 0 && known.length === 0 && !error && <RowsLoading />}
      {known.length > 0 && (
        <>
          <Figures events={known} onRemove={(id) => show(ids.filter((one) => one !== id))} />
          <Curves events={known} />
        </>
      )}
    </Page>
  );
}

interface FiguresProps {
  events: readonly Event[];
  onRemove: (event: number) => void;
}

/** Figures of events whose sales the account may see. */
function useFiguresOf(events: readonly Event[]) {
  const ids = events.map(({ id }) => id);
  const input = { events: ids, by: 'event' as const };
  const places = useQuery(read('GET /admin/v1/sold-places', { events: ids }, { keepsPrevious: true }));
  const sales = useQuery(read('GET /admin/v1/reports/sales', { ...input, from: BEGINNING }, { keepsPrevious: true }));
  const people = useQuery(read('GET /admin/v1/reports/attendance', input, { keepsPrevious: true }));
  const all = [places, sales, people];
  return {
    error: all.find(({ error }) => error)?.error,
    retry: () => void Promise.all(all.map((one) => one.refetch())),
    isReady: all.every(({ data }) => data),
    figuresOf: (id: number) => ({
      places: places.data?.events.find((one) => one.event_id === id),
      sales: sales.data?.rows?.find((one) => one.event_id === id),
      people: people.data?.rows?.find((one) => one.event_id === id),
    }),
  };
}

function Figures({ events, onRemove }: FiguresProps) {
  const { error, retry, isReady, figuresOf } = useFiguresOf(events);
  if (error) return <Failure error={error} onRetry={retry} />;
  if (!isReady) return <RowsLoading rows={events.length} />;
  return (
    <section className="compared" aria-label={t('compare.title')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('event')}</th>
            <th scope="col">{t('column.sold')}</th>
            <th scope="col">{t('column.amount')}</th>
            <th scope="col">{t('column.came')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {events.map((event, index) => {
            const { places, sales, people } = figuresOf(event.id);
            return (
              <tr key={event.id}>
                <th scope="row">
                  <span className={`curve curve-${index + 1}`} aria-hidden="true" />
                  <Link to="/events/$id/overview" params={{ id: String(event.id) }} className="clamped">
                    {event.title}
                  </Link>
                  <small className="soft">{when.day(event.start_date)}</small>
                </th>
                <td data-label={t('column.sold')}>
                  {places ? <SoldBar sold={places.sold} capacity={places.capacity} label={event.title} /> : '–'}
                </td>
                <td data-label={t('column.amount')}>{sales ? amountsOf(sales.sold, money) : '–'}</td>
                <td data-label={t('column.came')}>
                  {people ? t('compare.came', { came: people.came, expected: people.expected }) : '–'}
                </td>
                <td>
                  <IconButton
                    icon="close"
                    label={t('compare.remove', { title: event.title })}
                    onPress={() => onRemove(event.id)}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** Sales of events by day, by their ids: one request for all. */
async function readDays(events: readonly Event[], today: string): Promise<ReadonlyMap<number, SalesReport>> {
  const answers = await sendBatch(
    events.map(({ id, start_date }) => {
      const { from, to } = daysBefore(start_date.slice(0, 10), today);
      const query = new URLSearchParams({ event: String(id), by: 'day', from, to });
      return { method: 'GET', path: `/calendar/admin/v1/reports/sales?${query}` };
    }),
  );
  const found = new Map<number, SalesReport>();
  for (const [index, { body, problem }] of answers.entries()) {
    if (problem) throw problem;
    found.set(events[index]?.id ?? 0, body as SalesReport);
  }
  return found;
}

/** Sales by days before the events. */
function Curves({ events }: { events: readonly Event[] }) {
  const { timezone } = useSite();
  const today = todayIn(timezone);
  const { data, error, refetch } = useQuery({
    queryKey: ['GET /admin/v1/reports/sales', events.map(({ id, start_date }) => [id, start_date]), today],
    queryFn: () => readDays(events, today),
    placeholderData: keepPreviousData,
  });
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <RowsLoading rows={3} />;
  const curves = withoutQuietStart(
    events.map(({ id, title, start_date }) => ({ name: title, points: curveOf(data.get(id) ?? {}, start_date) })),
  );
  if (curves.every(({ points }) => points.every(({ y }) => y === 0)))
    return <Empty icon="report" text={t('compare.unsold')} />;
  return (
    <div className="charts">
      <Chart
        caption={t('compare.chart')}
        interval={undefined}
        draw={(options, draw) => draw.daysBefore(curves, options)}
        legend={curves.map(({ name }) => name)}
      />
    </div>
  );
}
