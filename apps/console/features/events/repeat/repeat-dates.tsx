import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Answer } from '../../../../../packages/client/src/marquee-client.ts';
import { addDaysToDay } from '../../../../../src/lib/dates/month.ts';
import { call } from '../../../../client/call.ts';
import { contentLanguage } from '../../../data/content-language.ts';
import { when } from '../../../i18n/formats.ts';
import { FormProblem } from '../../../ui/states.tsx';
import { RepeatCalendar } from './repeat-calendar.tsx';
import { type Previewed, type RepeatDetailsProps, t } from './repeat-field.tsx';
import { type Recurrence, recurrenceOf, withDay } from './repeat-rule.ts';

type Preview = Extract<Answer<'POST /events/v1/series'>, { dry_run: true }>;

/** Dates of the recurrence as the server finds them: with those left out, and with clashes at the venue. */
export function RepeatDates({ value, onChange, day, previewed, problem }: RepeatDetailsProps) {
  const recurrence = recurrenceOf(value, day);
  const { data: found, error } = usePreview(previewed, recurrence);
  // While the form is incomplete, the dates found before are those of another recurrence.
  const data = recurrence && found;
  const isChange = 'series' in previewed;
  const dates = new Set(data?.dates ?? (isChange ? [] : [day]));
  const fixed = isChange ? addDaysToDay(previewed.today, -1) : day;
  // The first coming day of a series.
  const start = isChange && day <= fixed ? previewed.today : day;
  return (
    <>
      <div className="repeat-dates" role="status">
        {data && <Summary preview={data} />}
        {data && isChange && <Changes preview={data} />}
        {problem && <p className="field-error">{problem}</p>}
        <FormProblem error={error ?? undefined} fields={[]} />
      </div>
      {data && data.clashes.length > 0 && <Clashes clashes={data.clashes} />}
      {data && data.skipped.length > 0 && (
        <p className="notice">
          {t('skipped', { days: data.skipped.map(when.day).join(' · '), count: data.skipped.length })}
        </p>
      )}
      <RepeatCalendar
        start={start}
        fixed={fixed}
        dates={dates}
        added={value.added}
        leftOut={value.leftOut}
        clashing={new Set(data?.clashes.map(({ date }) => date))}
        onToggle={(one) => onChange(withDay(value, one, { isDate: dates.has(one), first: day }))}
      />
    </>
  );
}

function Summary({ preview: { dates, is_cut } }: { preview: Preview }) {
  const [first, ...others] = dates;
  if (first === undefined) return <p>{t('dates.none')}</p>;
  const values = { count: dates.length, first: when.day(first), last: when.day(others.at(-1) ?? first) };
  return (
    <p>
      <strong>{t('dates', values)}</strong> {is_cut && t('dates.cut')}
    </p>
  );
}

/** Dates that a series gains and loses, and the people who have tickets for those. */
function Changes({ preview: { added = [], removed = [], holders = 0, held = 0 } }: { preview: Preview }) {
  if (added.length + removed.length === 0) return <p>{t('change.none')}</p>;
  return (
    <ul className="consequences">
      {added.length > 0 && <li>{t('change.added', { count: added.length, days: listed(added) })}</li>}
      {removed.length > 0 && <li>{t('change.removed', { count: removed.length, days: listed(removed) })}</li>}
      {holders > 0 && <li>{t('change.holders', { count: holders })}</li>}
      {held > 0 && <li>{t('held.carts', { count: held })}</li>}
    </ul>
  );
}

const listed = (days: readonly string[]): string =>
  `${days.slice(0, MOST_LISTED).map(when.day).join(' · ')}${days.length > MOST_LISTED ? ' …' : ''}`;

/** Maximum number of listed clashes, and of days. */
const MOST_LISTED = 5;

function Clashes({ clashes }: Pick<Preview, 'clashes'>) {
  return (
    <div className="repeat-clashes">
      <p>{t('clashes', { count: clashes.length })}</p>
      <ul>
        {clashes.slice(0, MOST_LISTED).map(({ date, event }) => (
          <li key={`${date}-${event.id}`}>
            {event.title}, {when.span(event)}
          </li>
        ))}
      </ul>
      {clashes.length > MOST_LISTED && <p>{t('clashes.more', { count: clashes.length - MOST_LISTED })}</p>}
    </div>
  );
}

/** Milliseconds after the last change. */
const PAUSE = 350;

/** Dry run of the series, once the form has not changed for a moment. */
function usePreview(previewed: Previewed, recurrence: Recurrence | undefined) {
  const input = useSettled(recurrence && JSON.stringify({ previewed, recurrence }));
  return useQuery({
    queryKey: ['series preview', input, contentLanguage()],
    enabled: input !== undefined && recurrence !== undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => preview(JSON.parse(input ?? ''), signal),
  });
}

interface Asked {
  previewed: Previewed;
  recurrence: Recurrence;
}

async function preview({ previewed, recurrence }: Asked, signal: AbortSignal): Promise<Preview> {
  const options = { signal, language: contentLanguage() };
  const dry = { recurrence, dry_run: true };
  const answer =
    'series' in previewed
      ? await call('PATCH /events/v1/series/{id}', { id: previewed.series, ...dry }, options)
      : await call('POST /events/v1/series', { ...previewed, ...dry }, options);
  // A dry run never returns a series.
  return answer as Preview;
}

/** A text that has stayed the same for a moment. */
function useSettled(text: string | undefined): string | undefined {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
