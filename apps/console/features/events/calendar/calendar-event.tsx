import { useNavigate } from '@tanstack/react-router';
import { type CSSProperties, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../../client/call.ts';
import { useMe } from '../../../data/account.ts';
import { useAction } from '../../../data/actions.ts';
import { mayManageTickets } from '../../../data/post-rights.ts';
import { refresh } from '../../../data/queries.ts';
import { when } from '../../../i18n/formats.ts';
import { peopleOf } from '../../../shared/events/people.ts';
import { Button } from '../../../ui/button.tsx';
import { DialogBox } from '../../../ui/dialog-box.tsx';
import { MomentField, Switch } from '../../../ui/fields.tsx';
import { Swatch } from '../../../ui/icon.tsx';
import { toast, toastProblem } from '../../../ui/toast.tsx';
import { t } from '../routes.ts';
import { StatusBadge } from '../status-badge.tsx';
import { movedTo } from './month.ts';

/** Colour of an event, with the name of its category. */
export interface Mark {
  name: string;
  color: string;
}

interface CalendarEventProps {
  event: Event;
  /** Colour of its category. */
  mark: Mark | undefined;
  /** Day of the cell: only the first day of an event shows its time. */
  day: string;
  /** Whether there is space for the end time and the venue. */
  isLong: boolean;
  /** Number of days that it covers as a bar; undefined for an event of one day. */
  barDays?: number;
  /** Whether only phones show it. */
  isForPhones?: boolean;
  onAct: OnAct;
}

/** Opens the dialog of an action; undefined if the account may not change the event. */
export type OnAct = ((event: Event, act: 'move' | 'duplicate') => void) | undefined;

/** An event on a day of the calendar, with its menu. */
export function CalendarEvent({ event, mark, day, isLong, barDays, isForPhones, onAct }: CalendarEventProps) {
  const navigate = useNavigate();
  const spot = mark && <Swatch color={mark.color} />;
  const isOn = (event.event_status ?? 'scheduled') === 'scheduled';
  const acts: Readonly<Record<string, () => void>> = {
    open: () => void navigate({ to: '/events/$id', params: { id: String(event.id) } }),
    move: () => onAct?.(event, 'move'),
    duplicate: () => onAct?.(event, 'duplicate'),
  };
  const keys = onAct ? (['open', 'move', 'duplicate'] as const) : (['open'] as const);
  return (
    <li
      className={barClass(barDays, isForPhones)}
      {...(barDays !== undefined && { style: { '--days': barDays } as CSSProperties })}
    >
      <MenuTrigger>
        <AriaButton className={classOf(event)}>
          <span className={isLong ? undefined : 'month-line'}>
            {!isLong && spot} <Time event={event} day={day} isLong={isLong} /> {isLong && spot}{' '}
            {!isOn && <StatusBadge event={event} />} <span className="month-title">{event.title}</span>
          </span>
          {mark && <span className="visually-hidden">({mark.name})</span>}
          {barDays !== undefined && <span className="visually-hidden">, {when.span(event)}</span>}
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

const classOf = ({ status, event_status }: Event): string =>
  ['month-event', status === 'publish' ? '' : 'month-hidden', event_status === 'cancelled' ? 'month-cancelled' : '']
    .filter(Boolean)
    .join(' ');

const barClass = (barDays: number | undefined, isForPhones = false): string | undefined =>
  barDays === undefined ? undefined : ['month-bar', isForPhones ? 'month-phone' : ''].join(' ').trim();

/** Start time of an event, and its end time if there is space; empty on later days. */
function Time({ event: { all_day, start_date, end_date }, day, isLong }: Omit<CalendarEventProps, 'mark' | 'onAct'>) {
  if (all_day || !start_date.startsWith(day)) return null;
  return <small>{isLong ? when.times(start_date, end_date) : when.time(start_date)}</small>;
}

/** Whether an event has tickets that the account may change. */
const useMaySell = (event: Event): boolean => mayManageTickets(useMe(), event) && Array.isArray(event.ticketed);

/** Moves an event to another day at the same time; shows the number of ticket holders. */
export function MoveDialog({ event, onClose }: { event: Event; onClose: () => void }) {
  const { id, start_date, end_date } = event;
  const people = peopleOf(event);
  const [day, setDay] = useState(start_date);
  const sells = useMaySell(event);
  const [movesSales, setMovesSales] = useState(true);
  const sales = sells && movesSales && { move_sales: true };
  /** Fails if the event has changed since, so that changes by others stay. */
  const write = async (span: { start_date: string; end_date: string }, { revision }: Event) => {
    try {
      return await call('PATCH /events/v1/events/{id}', { id, ...span, ...sales }, { revision });
    } finally {
      await refresh('/events/v1/events');
    }
  };
  const move = useAction(() => write(movedTo(day, event), event), {
    onSuccess: (moved) => toast(t('acts.moved'), { undo: () => write({ start_date, end_date }, moved) }),
    onError: toastProblem,
  });
  return (
    <DialogBox
      title={event.title}
      onClose={onClose}
      actions={
        <Button
          look="primary"
          isDisabled={day.slice(0, 10) === start_date.slice(0, 10)}
          onPress={() => {
            onClose();
            move.run();
          }}
        >
          {t('month.move')}
        </Button>
      }
    >
      {people > 0 && <p>{t('acts.holders', { count: people })}</p>}
      <MomentField label={t('new.day')} value={day} onChange={setDay} isDay />
      {sells && (
        <Switch isSelected={movesSales} onChange={setMovesSales}>
          {t('field.moves_sales')}
        </Switch>
      )}
    </DialogBox>
  );
}
