import { ToggleButton } from 'react-aria-components/ToggleButton';
import type { Weekday } from '../../../../../src/lib/recurrence/recurrence-rule.ts';
import { language } from '../../../i18n/texts.ts';
import { DayField, SelectField, TextField } from '../../../ui/fields.tsx';
import { RepeatDates } from './repeat-dates.tsx';
import { type RepeatDetailsProps, t } from './repeat-field.tsx';
import {
  chosenWeekdays,
  ENDS,
  isCount,
  isInterval,
  type Monthly,
  monthlyChoices,
  monthlyOf,
  type Pattern,
  positionOf,
  type Repeat,
  WEEKDAYS,
  weekdayOf,
} from './repeat-rule.ts';
import './repeat.css';

/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
const A_DAY = 86_400_000;

const names = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
const nameOf = (weekday: Weekday): string => names.format(MONDAY + WEEKDAYS.indexOf(weekday) * A_DAY);

/** Interval, days, end and dates of a recurrence. */
export function RepeatDetails(props: RepeatDetailsProps) {
  const { value, onChange, day } = props;
  const set = (changes: Partial<Repeat>) => onChange({ ...value, ...changes });
  if (day === '') return <p className="hint">{t('needs_day')}</p>;
  return (
    <fieldset className="repeat">
      <legend className="visually-hidden">{t('repeat')}</legend>
      {value.pattern === 'rule' && (
        <p className="hint">
          {t('rule.hint')} <code>{value.rule}</code>
        </p>
      )}
      {value.pattern !== 'dates' && value.pattern !== 'rule' && <Rule value={value} day={day} set={set} />}
      <RepeatDates {...props} />
    </fieldset>
  );
}

interface RuleProps {
  value: Repeat;
  day: string;
  set: (changes: Partial<Repeat>) => void;
}

type RulePattern = Exclude<Pattern, 'none' | 'dates' | 'rule'>;

function Rule({ value, day, set }: RuleProps) {
  const { pattern, interval, isChange } = value;
  const fixed = isChange ? undefined : weekdayOf(day);
  const count = isInterval(interval) ? Number(interval) : 2;
  return (
    <>
      <div className="form-row">
        <TextField
          label={t('interval')}
          hint={t(`interval.${pattern as RulePattern}`, { count })}
          value={interval}
          onChange={(next) => set({ interval: next })}
          problem={isInterval(interval) ? undefined : t('interval.problem')}
          inputMode="numeric"
        />
        {pattern === 'monthly' && <MonthlyField value={value} day={day} set={set} />}
      </div>
      {pattern === 'weekly' && (
        <Weekdays
          label={t('on')}
          hint={fixed && t('on.hint', { day: nameOf(fixed) })}
          fixed={fixed}
          chosen={chosenWeekdays(value, day)}
          onChange={(weekdays) => set({ weekdays })}
        />
      )}
      {pattern === 'daily' && Number(interval) === 1 && (
        <Weekdays
          label={t('except')}
          fixed={fixed}
          chosen={value.except.filter((one) => one !== fixed)}
          onChange={(except) => set({ except })}
        />
      )}
      <End value={value} day={day} set={set} />
    </>
  );
}

function MonthlyField({ value, day, set }: RuleProps) {
  const names: Readonly<Record<Monthly, () => string>> = {
    date: () => t('monthly.date', { day: String(Number(day.slice(8))) }),
    position: () => t(`monthly.position.${positionOf(day) as 1 | 2 | 3 | 4}`, { day: nameOf(weekdayOf(day)) }),
    last_weekday: () => t('monthly.last_weekday', { day: nameOf(weekdayOf(day)) }),
    last_day: () => t('monthly.last_day'),
  };
  return (
    <SelectField
      label={t('on')}
      value={monthlyOf(value, day)}
      onChange={(monthly) => set({ monthly })}
      choices={monthlyChoices(day).map((one) => ({ value: one, label: names[one]() }))}
    />
  );
}

interface WeekdaysProps {
  label: string;
  hint?: string | undefined;
  /** Day of the week of the first date of a new series. */
  fixed: Weekday | undefined;
  chosen: readonly Weekday[];
  onChange: (chosen: Weekday[]) => void;
}

function Weekdays({ label, hint, fixed, chosen, onChange }: WeekdaysProps) {
  return (
    <fieldset className="weekdays">
      <legend className="label">{label}</legend>
      <div>
        {WEEKDAYS.map((day) => (
          <ToggleButton
            key={day}
            className="weekday"
            isSelected={chosen.includes(day)}
            isDisabled={day === fixed}
            onChange={(isOn) => onChange(isOn ? [...chosen, day] : chosen.filter((one) => one !== day))}
          >
            {nameOf(day)}
          </ToggleButton>
        ))}
      </div>
      {hint && <span className="hint">{hint}</span>}
    </fieldset>
  );
}

function End({ value: { end, count, until, isChange }, day, set }: RuleProps) {
  return (
    <div className="form-row">
      <SelectField
        label={t('end')}
        value={end}
        onChange={(next) => set({ end: next })}
        choices={ENDS.map((one) => ({ value: one, label: t(`end.${one}`) }))}
      />
      {end === 'count' && (
        <TextField
          label={t('count')}
          value={count}
          onChange={(next) => set({ count: next })}
          hint={isChange && t('count.hint')}
          problem={isCount(count) ? undefined : t('count.problem')}
          inputMode="numeric"
        />
      )}
      {end === 'until' && (
        <DayField
          label={t('until')}
          value={until}
          onChange={(next) => set({ until: next })}
          problem={until !== '' && until < day ? t('until.problem') : undefined}
          isRequired
        />
      )}
    </div>
  );
}
