import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Series } from '../../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../../client/call.ts';
import { todayIn } from '../../../../client/when.ts';
import { contentLanguage } from '../../../data/content-language.ts';
import { queries, read, refresh } from '../../../data/queries.ts';
import { when } from '../../../i18n/formats.ts';
import { ConflictDialog } from '../../../shared/record/conflict-dialog.tsx';
import { type EditedRecord, type RecordKind, useRecord } from '../../../shared/record/use-record.ts';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { FormProblem } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { RepeatField, t } from './repeat-field.tsx';
import { type Repeat, recurrenceOf } from './repeat-rule.ts';
import { HeldDialog } from './scope-dialogs.tsx';
import { repeatOf, type SeriesRecurrence } from './series-repeat.ts';

interface SeriesFields {
  [name: string]: unknown;
  recurrence: SeriesRecurrence;
  /** Whether ticket holders were considered: part of a save only. */
  confirm_holders: boolean;
}

const seriesQuery = (id: number) => read('GET /events/v1/series/{id}', { id });

const fieldsOf = ({ recurrence: { rrule, rdates, exdates } }: Series): SeriesFields => ({
  recurrence: { rrule, rdates, exdates },
  confirm_holders: false,
});

/** Form of the dates of a series. */
const seriesKind: RecordKind<Series, SeriesFields> = {
  path: '/events/v1/series',
  read: seriesQuery,
  async write(id, { recurrence, confirm_holders }, options) {
    const input = { id, recurrence: recurrence ?? {}, ...(confirm_holders && { confirm_holders }) };
    // Only a dry run returns a preview.
    return (await call('PATCH /events/v1/series/{id}', input, options)) as Series;
  },
  fieldsOf,
  formerOf: fieldsOf,
  isDraft: () => false,
};

interface ChangeDatesProps {
  id: number;
  onClose: () => void;
}

export function ChangeDates({ id, onClose }: ChangeDatesProps) {
  const { data } = useRecord(seriesKind, id);
  return data ? <DatesForm edited={data} onClose={onClose} /> : null;
}

function DatesForm({ edited, onClose }: { edited: EditedRecord<Series, SeriesFields>; onClose: () => void }) {
  const { record, values, status, problem, field } = edited;
  const day = record.start_date.slice(0, 10);
  const [repeat, setRepeat] = useState(() => repeatOf(values.recurrence, day));
  const recurrence = recurrenceOf(repeat, day);
  const isChanged = edited.changed.includes('recurrence');
  const isRefused = status === 'refused';
  const change = (next: Repeat) => {
    setRepeat(next);
    // A confirmation about ticket holders does not apply to other dates.
    field('confirm_holders').onChange(false);
    const { rrule = '', rdates = [], exdates = [] } = recurrenceOf(next, day) ?? values.recurrence;
    field('recurrence').onChange({ rrule, rdates, exdates });
  };
  const close = () => {
    edited.discard();
    onClose();
  };
  const save = () => saveDates(edited, onClose);
  if (edited.conflicts.length > 0 && !edited.isPostponed) return <DatesConflict edited={{ ...edited, save }} />;
  if (isRefused && problem?.code === 'series-has-holders') {
    const confirm = () => {
      field('confirm_holders').onChange(true);
      void save();
    };
    return (
      <HeldDialog problem={problem} onConfirm={confirm} onClose={() => field('confirm_holders').onChange(false)} />
    );
  }
  return (
    <FormDialog
      title={t('change.title', { title: record.title })}
      action={t('change.act')}
      onSubmit={() => void save()}
      onClose={close}
      isPending={status === 'saving'}
      isDisabled={!recurrence || !isChanged}
    >
      <p>{t('change.text')}</p>
      <RepeatField
        value={repeat}
        onChange={change}
        day={day}
        previewed={{ series: record.id, today: todayIn(record.timezone), text: record.recurrence.text }}
        problem={isRefused ? problem?.fields.recurrence : undefined}
      />
      <FormProblem error={isRefused ? problem : undefined} fields={['recurrence']} />
    </FormDialog>
  );
}

/** Saves the dates, and offers to undo that. Resolves to false if the server refuses them. */
async function saveDates(edited: EditedRecord<Series, SeriesFields>, onSaved: () => void): Promise<boolean> {
  if (!(await edited.save())) return false;
  const { record } = edited;
  const undoOfSave = edited.undoOfSave();
  const { recurrence, pending = 0 } = queries.getQueryData(seriesQuery(record.id).queryKey) ?? record;
  onSaved();
  const undo = async () => {
    await undoOfSave?.();
    await refresh('/events/v1/');
  };
  const text = pending > 0 ? ` ${t('series.pending', { count: pending })}` : '';
  toast(`${t('change.done', { text: recurrence.text })}${text}`, undoOfSave && { undo });
  await refresh('/events/v1/');
  return true;
}

/** Compares two recurrences in words. */
function DatesConflict({ edited }: { edited: EditedRecord<Series, SeriesFields> }) {
  const [conflict] = edited.conflicts;
  const yours = edited.values.recurrence;
  const theirs = (conflict?.theirs ?? yours) as SeriesRecurrence;
  const words = new Map([
    [yours, useWords(edited.record.id, yours)],
    [theirs, useWords(edited.record.id, theirs)],
  ]);
  const show = (_: string, value: unknown) => {
    const shown = value as SeriesRecurrence;
    return textOf(shown, words.get(shown) ?? '');
  };
  return <ConflictDialog edited={edited} labelOf={() => t('change.dates')} show={show} />;
}

/** A rule in words, from a dry run of the server. */
function useWords(id: number, { rrule, rdates, exdates }: SeriesRecurrence): string {
  const input = { id, recurrence: { rrule, rdates, exdates }, dry_run: true };
  const { data, isPending } = useQuery({
    queryKey: ['recurrence in words', input, contentLanguage()],
    queryFn: ({ signal }) => call('PATCH /events/v1/series/{id}', input, { signal, language: contentLanguage() }),
  });
  if (isPending) return '…';
  return data && 'dry_run' in data && data.text !== undefined ? data.text : rrule;
}

/** A recurrence with its single days. */
const textOf = ({ rdates, exdates }: SeriesRecurrence, words: string): string =>
  [
    words,
    rdates.length > 0 && t('change.with', { days: rdates.map(when.day).join(' · ') }),
    exdates.length > 0 && t('change.without', { days: exdates.map(when.day).join(' · ') }),
  ]
    .filter(Boolean)
    .join('; ');
