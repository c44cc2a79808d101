import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import type { Event } from '../../../packages/client/src/marquee-client.ts';
import { call } from '../../client/call.ts';
import { useRight, useSite } from '../frame/account.ts';
import { read, refresh } from '../frame/queries.ts';
import { toast } from '../frame/toast-store.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { DialogBox } from '../parts/dialog-box.tsx';
import { MomentField } from '../parts/native-field.tsx';
import { Page } from '../parts/page.tsx';
import { describe, Failure, RowsLoading } from '../parts/states.tsx';
import { language } from '../texts.ts';
import './calendar.css';
import { monthAfter, movedTo, weeksOf } from './month.ts';
import { t } from './texts.ts';

const route = getRouteApi('/calendar');

const format = (options: Intl.DateTimeFormatOptions) => {
  const dates = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  return (day: string) => dates.format(new Date(`${day}T00:00:00Z`));
};
const monthName = format({ month: 'long', year: 'numeric' });
const dayName = format({ weekday: 'long', day: 'numeric', month: 'long' });
const weekday = format({ weekday: 'short' });

/** Today by the clock of the site. */
const todayIn = (timeZone: string): string => new Intl.DateTimeFormat('sv-SE', { timeZone }).format();

const MOST = 100;

/** The events of a month, day by day. */
export function Screen() {
  const { timezone } = useSite();
  const today = todayIn(timezone);
  const { month = today.slice(0, 7) } = route.useSearch();
  const navigate = route.useNavigate();
  const mayEdit = useRight('edit');
  const weeks = weeksOf(month);
  const days = weeks.flat();
  const input = {
    ...{ start_date: `${days[0]} 00:00:00`, end_date: `${days.at(-1)} 23:59:59`, per_page: MOST },
    status: ['publish', 'future', 'draft', 'pending', 'private'],
  };
  const { data, error, refetch } = useQuery(read('GET /events/v1/events', input));
  const [moved, setMoved] = useState<Event>();
  const show = (next: string | undefined) => void navigate({ search: { month: next } });
  return (
    <Page
      title={t('calendar')}
      actions={mayEdit && <Button onPress={() => void navigate({ to: '/events/new' })}>{t('new')}</Button>}
    >
      <div className="month-head">
        <h2 aria-live="polite">{monthName(`${month}-01`)}</h2>
        <IconButton icon="left" label={t('month.previous')} onPress={() => show(monthAfter(month, -1))} />
        <Button onPress={() => show(undefined)}>{t('month.today')}</Button>
        <IconButton icon="right" label={t('month.next')} onPress={() => show(monthAfter(month, 1))} />
      </div>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <RowsLoading />}
      {data && data.total > MOST && <p className="hint">{t('month.more', { count: data.total - MOST })}</p>}
      {data && (
        <table className="month" aria-label={monthName(`${month}-01`)}>
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
                        <DayEvent key={event.id} event={event} onMove={mayEdit ? setMoved : undefined} />
                      ))}
                    </ul>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {moved && <MoveDialog event={moved} onClose={() => setMoved(undefined)} />}
    </Page>
  );
}

const dayClass = (day: string, month: string, today: string): string =>
  [day.startsWith(month) ? '' : 'month-other', day === today ? 'month-today' : ''].filter(Boolean).join(' ');

const isOn =
  (day: string) =>
  ({ start_date, end_date }: Event): boolean =>
    start_date.slice(0, 10) === day || (start_date < day && end_date > `${day} 06:00:00`);

/** The number of a day; for who may, it leads to a new event there. */
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

function DayEvent({ event, onMove }: { event: Event; onMove: ((event: Event) => void) | undefined }) {
  const navigate = route.useNavigate();
  const open = (id: number) => void navigate({ to: '/events/$id', params: { id: String(id) } });
  const duplicate = async () => {
    try {
      const copy = await call('POST /admin/v1/events/{id}/duplicate', { id: event.id });
      await refresh('/events/v1/events');
      toast(t('acts.duplicated'));
      open(copy.id);
    } catch (error) {
      toast(describe(error), { tone: 'bad' });
    }
  };
  const acts: Readonly<Record<string, () => void>> = {
    open: () => open(event.id),
    move: () => onMove?.(event),
    duplicate: () => void duplicate(),
  };
  const keys = onMove ? (['open', 'move', 'duplicate'] as const) : (['open'] as const);
  return (
    <li>
      <MenuTrigger>
        <AriaButton className={event.status === 'publish' ? 'month-event' : 'month-event month-hidden'}>
          {!event.all_day && <small>{event.start_date.slice(11, 16)}</small>} <span>{event.title}</span>
        </AriaButton>
        <Popover className="popover">
          <Menu className="menu" aria-label={event.title} onAction={(key) => acts[key]?.()}>
            {keys.map((key) => (
              <MenuItem key={key} id={key} className="menu-item">
                {t(`month.act.${key}`)}
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
    </li>
  );
}

/** Moves an event to another day at the same time, and says first who has a ticket for it. */
function MoveDialog({ event, onClose }: { event: Event; onClose: () => void }) {
  const { id, start_date, end_date, attendance } = event;
  const [day, setDay] = useState(start_date);
  const write = async (span: { start_date: string; end_date: string }) => {
    await call('PATCH /events/v1/events/{id}', { id, ...span });
    await refresh('/events/v1/events');
  };
  const move = async () => {
    onClose();
    try {
      await write(movedTo(day, event));
      toast(t('acts.moved'), { undo: () => write({ start_date, end_date }) });
    } catch (error) {
      toast(describe(error), { tone: 'bad' });
    }
  };
  return (
    <DialogBox
      title={event.title}
      onClose={onClose}
      actions={
        <Button look="primary" isDisabled={day.slice(0, 10) === start_date.slice(0, 10)} onPress={() => void move()}>
          {t('month.move')}
        </Button>
      }
    >
      {attendance && attendance.total_attendees > 0 && (
        <p>{t('acts.holders', { count: attendance.total_attendees })}</p>
      )}
      <MomentField label={t('new.day')} value={day} onChange={setDay} isDay />
    </DialogBox>
  );
}
