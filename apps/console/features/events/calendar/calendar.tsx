import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import { hasRight, useMe, useSite } from '../../../data/account.ts';
import { mayChange } from '../../../data/post-rights.ts';
import { read } from '../../../data/queries.ts';
import { language } from '../../../i18n/texts.ts';
import { Page } from '../../../shared/screen/page.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Swatch } from '../../../ui/icon.tsx';
import { Failure, RowsLoading } from '../../../ui/states.tsx';
import { Views } from '../../../ui/table/filter-bar.tsx';
import './calendar.css';
import { dayAfter, monthAfter } from '../../../../../src/lib/dates/month.ts';
import { t } from '../routes.ts';
import { CalendarEvent, MoveDialog, markOf } from './calendar-event.tsx';
import { weekOf, weeksOf } from './month.ts';

const route = getRouteApi('/calendar');

const format = (options: Intl.DateTimeFormatOptions) => {
  const dates = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  return (day: string) => dates.format(new Date(`${day}T00:00:00Z`));
};
const monthName = format({ month: 'long', year: 'numeric' });
const dayName = format({ weekday: 'long', day: 'numeric', month: 'long' });
const weekday = format({ weekday: 'short' });
const spans = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const spanName = ([first = '', ...others]: readonly string[]) =>
  spans.formatRange(new Date(`${first}T00:00:00Z`), new Date(`${others.at(-1)}T00:00:00Z`));

/** Today in the site's time zone. */
const todayIn = (timeZone: string): string => new Intl.DateTimeFormat('sv-SE', { timeZone }).format();

const MOST = 100;

/** Content of the calendar: a month or a week, with links to the previous and next one. */
function shownBy({ month, week }: { month?: string; week?: string }, today: string) {
  if (week !== undefined) {
    const days = weekOf(week);
    const neighbour = (weeks: number) => ({ week: dayAfter(week, weeks * 7) });
    return {
      weeks: [days],
      title: spanName(days),
      month: undefined,
      neighbour,
      other: { month: week.slice(0, 7) },
    };
  }
  const shown = month ?? today.slice(0, 7);
  const neighbour = (months: number) => ({ month: monthAfter(shown, months) });
  const other = { week: today.startsWith(shown) ? today : `${shown}-01` };
  return { weeks: weeksOf(shown), title: monthName(`${shown}-01`), month: shown, neighbour, other };
}

/** Calendar of a month or a week. */
export function Screen() {
  const { timezone } = useSite();
  const today = todayIn(timezone);
  const { weeks, title, month, neighbour, other } = shownBy(route.useSearch(), today);
  const navigate = route.useNavigate();
  const me = useMe();
  const mayEdit = hasRight(me, 'edit');
  const days = weeks.flat();
  const input = {
    // Events that overlap the period.
    starts_before: days.at(-1) ?? today,
    ends_after: dayAfter(days[0] ?? today, -1),
    per_page: MOST,
    // Other users may only list published events.
    ...(mayEdit && { status: ['publish', 'future', 'draft', 'pending', 'private'] }),
  };
  const { data, error, refetch } = useQuery(read('GET /events/v1/events', input));
  const [moved, setMoved] = useState<Event>();
  const show = (search: { month?: string; week?: string }) => void navigate({ search });
  const isWeek = month === undefined;
  return (
    <Page
      title={t('calendar')}
      actions={
        mayEdit && (
          <Button look="primary" icon="plus" onPress={() => void navigate({ to: '/events/new' })}>
            {t('new')}
          </Button>
        )
      }
    >
      <div className="month-head">
        <h2 aria-live="polite">{title}</h2>
        <Views
          label={t('calendar.views')}
          choices={[
            { value: 'month', label: t('calendar.month') },
            { value: 'week', label: t('calendar.week') },
          ]}
          value={isWeek ? 'week' : 'month'}
          onChange={(view) => isWeek !== (view === 'week') && show(other)}
        />
        <div className="month-steps">
          <IconButton
            icon="left"
            label={t(isWeek ? 'week.previous' : 'month.previous')}
            onPress={() => show(neighbour(-1))}
          />
          <Button onPress={() => show(isWeek ? { week: today } : {})}>{t('month.today')}</Button>
          <IconButton icon="right" label={t(isWeek ? 'week.next' : 'month.next')} onPress={() => show(neighbour(1))} />
        </div>
      </div>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <RowsLoading />}
      {data && data.total > MOST && <p className="hint">{t('month.more', { count: data.total - MOST })}</p>}
      {data && (
        <table className={isWeek ? 'month week' : 'month'} aria-label={title}>
          <thead>
            <tr>
              {days.slice(0, 7).map((day) => (
                <th key={day} scope="col">
                  {weekday(day)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.map((week) => (
              <tr key={week[0]}>
                {week.map((day) => (
                  <td key={day} className={dayClass(day, month, today)}>
                    <DayHead day={day} mayEdit={mayEdit} />
                    <ul>
                      {data.events.filter(isOn(day)).map((event) => (
                        <CalendarEvent
                          key={event.id}
                          event={event}
                          day={day}
                          isLong={isWeek}
                          onMove={mayChange(me, event) ? setMoved : undefined}
                        />
                      ))}
                    </ul>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {data && <Legend events={data.events} />}
      {moved && <MoveDialog event={moved} onClose={() => setMoved(undefined)} />}
    </Page>
  );
}

/** Legend of the colours. */
function Legend({ events }: { events: readonly Event[] }) {
  const marks = new Map(events.flatMap((event) => markOf(event) ?? []).map((mark) => [mark.name, mark]));
  if (marks.size === 0) return null;
  const sorted = [...marks.values()].sort((one, other) => one.name.localeCompare(other.name, language));
  return (
    <ul className="month-legend" aria-label={t('calendar.colors')}>
      {sorted.map(({ name, color }) => (
        <li key={name}>
          <Swatch color={color} /> {name}
        </li>
      ))}
    </ul>
  );
}

const dayClass = (day: string, month: string | undefined, today: string): string =>
  [month === undefined || day.startsWith(month) ? '' : 'month-other', day === today ? 'month-today' : '']
    .filter(Boolean)
    .join(' ');

const isOn =
  (day: string) =>
  ({ start_date, end_date }: Event): boolean =>
    start_date.slice(0, 10) === day || (start_date < day && end_date > `${day} 06:00:00`);

/** Number of a day; links to a new event on it if the account may create one. */
function DayHead({ day, mayEdit }: { day: string; mayEdit: boolean }) {
  const number = Number(day.slice(8));
  return (
    <p className="month-day">
      {mayEdit ? (
        <Link to="/events/new" search={{ day }} aria-label={t('month.new', { day: dayName(day) })}>
          {number}
        </Link>
      ) : (
        <span>{number}</span>
      )}
      <span className="month-name">{dayName(day)}</span>
    </p>
  );
}
