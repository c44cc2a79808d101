import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import { hueIn, huesOf } from '../../../../../src/lib/category-hues.ts';
import { addDaysToDay, monthAfter } from '../../../../../src/lib/dates/month.ts';
import { todayIn } from '../../../../client/when.ts';
import { hasRight, useMe, useRight, useSite } from '../../../data/account.ts';
import { mayChange } from '../../../data/post-rights.ts';
import { read } from '../../../data/queries.ts';
import { dateLocale, language } from '../../../i18n/texts.ts';
import { Page } from '../../../shared/screen/page.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Swatch } from '../../../ui/icon.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { Views } from '../../../ui/table/filter-bar.tsx';
import { DuplicateDialog } from '../duplicate-dialog.tsx';
import { EachSeriesOnce, useHasSeries } from '../each-series.tsx';
import { t } from '../routes.ts';
import { CalendarEvent, type Mark, MoveDialog, type OnAct } from './calendar-event.tsx';
import { dayFormat, monthName, WeekHead } from './day-names.tsx';
import { type Bar, daysOfWeek, weekOf, weeksOf } from './month.ts';
import './calendar.css';

const route = getRouteApi('/calendar');

const dayName = dayFormat({ weekday: 'long', day: 'numeric', month: 'long' });
const spans = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const spanName = ([first = '', ...others]: readonly string[]) =>
  spans.formatRange(new Date(`${first}T00:00:00Z`), new Date(`${others.at(-1)}T00:00:00Z`));

const MOST = 100;

/** Content of the calendar: a month or a week, with links to the previous and next one. */
function shownBy({ month, week }: { month?: string; week?: string }, today: string) {
  if (week !== undefined) {
    const days = weekOf(week);
    const neighbour = (weeks: number) => ({ week: addDaysToDay(week, weeks * 7) });
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
  return { weeks: weeksOf(shown), title: monthName(shown), month: shown, neighbour, other };
}

/** Events of some days, in their order. */
function useEventsIn([first = '', ...others]: readonly string[], each: 'series' | undefined) {
  const input = {
    // Events that overlap the period.
    starts_before: others.at(-1) ?? first,
    ends_after: addDaysToDay(first, -1),
    per_page: MOST,
    ...(each && { collapse: each }),
    // Other users may only list published events.
    ...(useRight('edit') && { status: ['publish', 'future', 'draft', 'pending', 'private'] }),
  };
  return useQuery(read('GET /events/v1/events', input));
}

/** Calendar of a month or a week. */
export function Screen() {
  const { timezone } = useSite();
  const today = todayIn(timezone);
  const search = route.useSearch();
  const { each } = search;
  const { weeks, title, month, neighbour, other } = shownBy(search, today);
  const hasSeries = useHasSeries();
  const navigate = route.useNavigate();
  const mayEdit = useRight('edit');
  const list = useEventsIn(weeks.flat(), each);
  const show = (next: { month?: string; week?: string }) =>
    void navigate({ search: { ...next, ...(each && { each }) } });
  const isWeek = month === undefined;
  const markOf = useMarks();
  const goToToday = useToday(list.data);
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
      <CalendarHead
        title={title}
        isWeek={isWeek}
        onView={() => show(other)}
        onStep={(by) => show(neighbour(by))}
        onToday={() => {
          // The page stays where it is, until it scrolls to today.
          void navigate({
            search: { ...(isWeek && { week: today }), ...(each && { each }) },
            resetScroll: false,
          });
          goToToday();
        }}
      />
      {(hasSeries || each) && (
        <EachSeriesOnce
          value={each}
          onChange={(next) => void navigate({ search: (now) => ({ ...now, each: next }), resetScroll: false })}
        />
      )}
      <Loaded query={list}>
        {({ total, events }) => (
          <>
            {total > MOST && <p className="hint">{t('month.more', { count: total - MOST })}</p>}
            <Events weeks={weeks} title={title} month={month} today={today} markOf={markOf} events={events} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

type EventsProps = Pick<CalendarTableProps, 'weeks' | 'title' | 'month' | 'today' | 'markOf' | 'events'>;

/** The days with their events, which can be moved and copied. */
function Events({ events, markOf, ...days }: EventsProps) {
  const me = useMe();
  const [acted, setActed] = useState<{ event: Event; act: 'move' | 'duplicate' }>();
  const close = () => setActed(undefined);
  const onAct = (event: Event): OnAct =>
    mayChange(me, event) ? (one, act) => setActed({ event: one, act }) : undefined;
  return (
    <>
      <CalendarTable {...days} events={events} mayEdit={hasRight(me, 'edit')} markOf={markOf} onAct={onAct} />
      <Legend events={events} markOf={markOf} />
      {acted?.act === 'move' && <MoveDialog event={acted.event} onClose={close} />}
      {acted?.act === 'duplicate' && <DuplicateDialog event={acted.event} onClose={close} />}
    </>
  );
}

interface CalendarHeadProps {
  title: string;
  isWeek: boolean;
  /** Changes between the month and the week. */
  onView: () => void;
  /** Goes to the next period, or to the previous one. */
  onStep: (by: 1 | -1) => void;
  onToday: () => void;
}

function CalendarHead({ title, isWeek, onView, onStep, onToday }: CalendarHeadProps) {
  return (
    <div className="month-head">
      <h2 aria-live="polite">{title}</h2>
      <Views
        label={t('calendar.views')}
        choices={[
          { value: 'month', label: t('calendar.month') },
          { value: 'week', label: t('calendar.week') },
        ]}
        value={isWeek ? 'week' : 'month'}
        onChange={(view) => isWeek !== (view === 'week') && onView()}
      />
      <div className="month-steps">
        <IconButton icon="left" label={t(isWeek ? 'week.previous' : 'month.previous')} onPress={() => onStep(-1)} />
        <Button onPress={onToday}>{t('month.today')}</Button>
        <IconButton icon="right" label={t(isWeek ? 'week.next' : 'month.next')} onPress={() => onStep(1)} />
      </div>
    </div>
  );
}

interface CalendarTableProps extends Pick<ReturnType<typeof shownBy>, 'weeks' | 'title' | 'month'> {
  today: string;
  events: readonly Event[];
  mayEdit: boolean;
  markOf: ReturnType<typeof useMarks>;
  onAct: (event: Event) => OnAct;
}

function CalendarTable({ weeks, title, month, today, events, mayEdit, markOf, onAct }: CalendarTableProps) {
  const isWeek = month === undefined;
  return (
    <table className={isWeek ? 'month week' : 'month'} aria-label={title}>
      <WeekHead days={weeks[0] ?? []} />
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {daysOfWeek(week, events).map(({ day, lanes, events: own }) => (
              <td key={day} className={dayClass(day, month, today)}>
                <DayHead day={day} mayEdit={mayEdit} />
                <ul>
                  {lanes.map((bar, lane) => (
                    <Lane
                      // biome-ignore lint/suspicious/noArrayIndexKey: a lane is its position
                      key={lane}
                      bar={bar}
                      isFirstShown={day === `${month}-01`}
                      day={day}
                      isLong={isWeek}
                      markOf={markOf}
                      onAct={onAct}
                    />
                  ))}
                  {own.map((event) => (
                    <CalendarEvent
                      key={event.id}
                      event={event}
                      mark={markOf(event)}
                      day={day}
                      isLong={isWeek}
                      onAct={onAct(event)}
                    />
                  ))}
                </ul>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Scrolls to today once its month is shown: on phones a month is a long list. */
function useToday(data: unknown): () => void {
  const [pressed, setPressed] = useState(0);
  const handled = useRef(0);
  useEffect(() => {
    const cell = data ? document.querySelector('.month-today') : null;
    if (!cell || handled.current === pressed) return;
    handled.current = pressed;
    const isPhone = matchMedia('(max-width: 639px)').matches;
    cell.scrollIntoView({ block: isPhone ? 'start' : 'nearest' });
  }, [data, pressed]);
  return () => setPressed((count) => count + 1);
}

type MarkOf = (event: Event) => Mark | undefined;

/** Colours of events, as in the public calendar. */
function useMarks(): MarkOf {
  const { data } = useQuery(read('GET /events/v1/categories', { per_page: MOST }));
  const hues = useMemo(() => huesOf(data?.categories ?? []), [data]);
  return ({ categories }) => {
    const hue = hueIn(
      categories.map(({ id }) => id),
      hues,
    );
    return hue && { name: hue.category.name, color: hue.color };
  };
}

/** Legend of the colours. */
function Legend({ events, markOf }: { events: readonly Event[]; markOf: MarkOf }) {
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

interface LaneProps {
  bar: Bar<Event> | undefined;
  day: string;
  isLong: boolean;
  /** Whether phones, which show no days of other months, show no earlier day of the bar. */
  isFirstShown: boolean;
  markOf: MarkOf;
  onAct: (event: Event) => OnAct;
}

/** A lane of a day: a bar that begins, or the space that a bar or nothing takes. */
function Lane({ bar, isFirstShown, markOf, onAct, ...shown }: LaneProps) {
  const own = bar && { event: bar.event, mark: markOf(bar.event), barDays: bar.days, onAct: onAct(bar.event) };
  if (bar?.isFirst && own) return <CalendarEvent {...own} {...shown} />;
  return (
    <>
      <li className="month-slot" aria-hidden="true" />
      {own && isFirstShown && <CalendarEvent {...own} {...shown} isForPhones />}
    </>
  );
}

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
