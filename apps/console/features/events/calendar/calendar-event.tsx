import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../../client/call.ts';
import { useRight } from '../../../data/account.ts';
import { refresh } from '../../../data/queries.ts';
import { when } from '../../../i18n/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { DialogBox } from '../../../ui/dialog-box.tsx';
import { MomentField } from '../../../ui/fields.tsx';
import { Swatch } from '../../../ui/icon.tsx';
import { toast, toastProblem } from '../../../ui/toast.tsx';
import { t } from '../routes.ts';
import { movedTo } from './month.ts';

interface CalendarEventProps {
  event: Event;
  /** Day of the cell: only the first day of an event shows its time. */
  day: string;
  /** Whether there is space for the end time and the venue. */
  isLong: boolean;
  onMove: ((event: Event) => void) | undefined;
}

/** An event on a day of the calendar, with its menu. */
export function CalendarEvent({ event, day, isLong, onMove }: CalendarEventProps) {
  const navigate = useNavigate();
  const mayCopyTickets = useRight('manage_own_tickets', 'manage_tickets');
  const open = (id: number) => void navigate({ to: '/events/$id', params: { id: String(id) } });
  const duplicate = async () => {
    try {
      const copy = await call('POST /admin/v1/events/{id}/duplicate', { id: event.id, with_tickets: mayCopyTickets });
      await refresh('/events/v1/events');
      toast(t('acts.duplicated'));
      open(copy.id);
    } catch (error) {
      toastProblem(error);
    }
  };
  const marked = markOf(event);
  const spot = marked && <Swatch color={marked.color} />;
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
          <span className={isLong ? undefined : 'month-line'}>
            {!isLong && spot} <Time event={event} day={day} isLong={isLong} /> {isLong && spot} {event.title}
          </span>
          {marked && <span className="visually-hidden">({marked.name})</span>}
          {isLong && <small>{[event.venue].flat()[0]?.venue}</small>}
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

interface Mark {
  name: string;
  color: string;
}

/** First category of an event with a colour. */
export function markOf({ categories }: Event): Mark | undefined {
  for (const { name, color } of categories) if (color) return { name, color };
  return undefined;
}

/** Start time of an event, and its end time if there is space; empty on later days. */
function Time({ event: { all_day, start_date, end_date }, day, isLong }: Omit<CalendarEventProps, 'onMove'>) {
  if (all_day || !start_date.startsWith(day)) return null;
  return <small>{isLong ? when.times(start_date, end_date) : when.time(start_date)}</small>;
}

/** Moves an event to another day at the same time; shows the number of ticket holders. */
export function MoveDialog({ event, onClose }: { event: Event; onClose: () => void }) {
  const { id, start_date, end_date, attendance } = event;
  const [day, setDay] = useState(start_date);
  /** Fails if the event has changed since, so that changes by others stay. */
  const write = async (span: { start_date: string; end_date: string }, { revision }: Event) => {
    try {
      return await call('PATCH /events/v1/events/{id}', { id, ...span }, { revision });
    } finally {
      await refresh('/events/v1/events');
    }
  };
  const move = async () => {
    onClose();
    try {
      const moved = await write(movedTo(day, event), event);
      toast(t('acts.moved'), { undo: () => write({ start_date, end_date }, moved) });
    } catch (error) {
      toastProblem(error);
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
