import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { addMonths } from '../../../../../src/lib/dates/local-time.ts';
import { addDaysToDay, monthAfter } from '../../../../../src/lib/dates/month.ts';
import { IconButton } from '../../../ui/button.tsx';
import { dayFormat, monthName, WeekHead } from '../calendar/day-names.tsx';
import { weeksOf } from '../calendar/month.ts';
import { t } from './repeat-field.tsx';

interface RepeatCalendarProps {
  /** Day that is shown first. */
  start: string;
  /** Last day that cannot change: the event itself, or the past of a series. */
  fixed: string;
  dates: ReadonlySet<string>;
  added: readonly string[];
  leftOut: readonly string[];
  /** Dates with other events at the venue. */
  clashing: ReadonlySet<string>;
  onToggle: (day: string) => void;
}

const dayName = dayFormat({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** Days that the arrow keys move the focus by. */
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
const MONTHS: Readonly<Record<string, number>> = { PageUp: -1, PageDown: 1 };

/** The same day of another month, or its last one. */
const inMonth = (day: string, months: number): string => addMonths(`${day} 00:00:00`, months).slice(0, 10);

/** A month where a press leaves out a single date, or adds one. */
export function RepeatCalendar(props: RepeatCalendarProps) {
  const { start } = props;
  const hint = useId();
  const [cursor, setCursor] = useState(start);
  const [shown, setShown] = useState(start);
  if (shown !== start) {
    setShown(start);
    setCursor(start);
  }
  const grid = useRef<HTMLTableElement>(null);
  const [moves, setMoves] = useState(0);
  useEffect(() => {
    if (moves > 0) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [moves]);
  const month = cursor.slice(0, 7);
  const onKeyDown = (event: KeyboardEvent) => {
    const [step, months] = [STEPS[event.key], MONTHS[event.key]];
    if (step === undefined && months === undefined) return;
    event.preventDefault();
    setCursor(step === undefined ? inMonth(cursor, months ?? 0) : addDaysToDay(cursor, step));
    setMoves((count) => count + 1);
  };
  return (
    <div className="repeat-calendar">
      <div className="repeat-month">
        <IconButton icon="left" label={t('month.previous')} onPress={() => setCursor(`${monthAfter(month, -1)}-01`)} />
        <strong aria-live="polite">{monthName(month)}</strong>
        <IconButton icon="right" label={t('month.next')} onPress={() => setCursor(`${monthAfter(month, 1)}-01`)} />
      </div>
      <table ref={grid} aria-label={t('calendar')} aria-describedby={hint} onKeyDown={onKeyDown}>
        <WeekHead days={weeksOf(month)[0] ?? []} />
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day}>
                  {day.startsWith(month) && (
                    <CalendarDay {...props} day={day} isFocusable={day === cursor} onFocus={() => setCursor(day)} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p id={hint} className="hint">
        {t('calendar.hint')}
      </p>
    </div>
  );
}

interface CalendarDayProps extends RepeatCalendarProps {
  day: string;
  /** Whether Tab leads to it; arrows lead to the others. */
  isFocusable: boolean;
  onFocus: () => void;
}

function CalendarDay({
  day,
  fixed,
  dates,
  added,
  leftOut,
  clashing,
  isFocusable,
  onFocus,
  onToggle,
}: CalendarDayProps) {
  const isLeftOut = leftOut.includes(day);
  const isOn = !isLeftOut && (dates.has(day) || (day > fixed && added.includes(day)));
  const isClash = isOn && clashing.has(day);
  const note = [isLeftOut && t('day.left_out'), isClash && t('day.clash')].filter(Boolean).join(', ');
  const look = [isLeftOut && 'day-left-out', isClash && 'day-clash'].filter(Boolean).join(' ');
  return (
    <button
      type="button"
      className={`repeat-day ${look}`}
      aria-label={note ? `${dayName(day)}, ${note}` : dayName(day)}
      aria-pressed={isOn}
      aria-disabled={day <= fixed}
      tabIndex={isFocusable ? 0 : -1}
      onFocus={onFocus}
      onClick={() => day > fixed && onToggle(day)}
    >
      {Number(day.slice(8))}
    </button>
  );
}
