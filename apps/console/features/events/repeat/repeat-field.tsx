import { lazy, Suspense } from 'react';
import type { Input } from '../../../../../packages/client/src/marquee-client.ts';
import { textsOf } from '../../../i18n/texts.ts';
import { SelectField } from '../../../ui/fields.tsx';
import { RowsLoading } from '../../../ui/states.tsx';
import type en from './locales/en.json';
import { PATTERNS, type Pattern, type Repeat } from './repeat-rule.ts';

export const t = textsOf<typeof en>('repeat');

/** The first event of a new series, as a dry run takes it, or a series that changes. */
export type Previewed = Pick<Input<'POST /events/v1/series'>, 'event' | 'event_id'> | ChangedSeries;

interface ChangedSeries {
  series: number;
  /** Current day in its time zone. */
  today: string;
  /** Its present recurrence in words. */
  text: string;
}

export interface RepeatDetailsProps {
  value: Repeat;
  onChange: (value: Repeat) => void;
  /** Day of the first event, such as `2027-03-06`; empty while there is none. */
  day: string;
  previewed: Previewed;
  /** Why the server refuses the recurrence. */
  problem: string | undefined;
}

/** Most events do not repeat, so the rest is loaded when one does. */
const Details = lazy(async () => ({ default: (await import('./repeat-details.tsx')).RepeatDetails }));

/** How an event repeats, in words, with a preview of its dates. */
export function RepeatField(props: RepeatDetailsProps) {
  const { value, onChange, previewed } = props;
  const isChange = 'series' in previewed;
  const patterns = PATTERNS.filter((one) => !isChange || one !== 'none');
  const choices = patterns.map((one) => ({ value: one as Pattern, label: t(`pattern.${one}`) }));
  const kept = { value: 'rule' as const, label: t('pattern.rule', { text: isChange ? previewed.text : '' }) };
  return (
    <>
      <SelectField
        label={t('repeat')}
        value={value.pattern}
        onChange={(pattern) => onChange({ ...value, pattern })}
        choices={value.rule === undefined ? choices : [kept, ...choices]}
      />
      {value.pattern !== 'none' && (
        <Suspense fallback={<RowsLoading rows={3} />}>
          <Details {...props} />
        </Suspense>
      )}
    </>
  );
}
