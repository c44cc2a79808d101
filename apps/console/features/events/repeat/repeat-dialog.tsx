import { useState } from 'react';
import type { Event, Series } from '../../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../../client/call.ts';
import { fieldProblems } from '../../../../client/problem.ts';
import { useAction } from '../../../data/actions.ts';
import { contentLanguage } from '../../../data/content-language.ts';
import { refresh } from '../../../data/queries.ts';
import { when } from '../../../i18n/formats.ts';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { FormProblem } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { RepeatField, t } from './repeat-field.tsx';
import { NO_REPEAT, type Recurrence, type Repeat, recurrenceOf } from './repeat-rule.ts';

/** Makes a series of an event, which becomes its first occurrence. */
export function RepeatDialog({ event, onClose }: { event: Event; onClose: () => void }) {
  const { id, title, start_date, ticketed } = event;
  const [value, setValue] = useState<Repeat>({ ...NO_REPEAT, pattern: 'weekly' });
  const day = start_date.slice(0, 10);
  const recurrence = recurrenceOf(value, day);
  const make = async (sent: Recurrence) => {
    const input = { event_id: id, recurrence: sent };
    const options = { language: contentLanguage() };
    // Only a dry run returns a preview.
    return (await call('POST /events/v1/series', input, options)) as Series;
  };
  const { run, isPending, error } = useAction(make, {
    onSuccess: ({ total, pending = 0 }) => {
      onClose();
      toast(pending > 0 ? t('made.pending', { count: total }) : t('made', { count: total }));
    },
    onSettled: () => refresh('/events/v1/'),
  });
  return (
    <FormDialog
      title={t('dialog.title', { title })}
      action={t('dialog.make')}
      onSubmit={() => recurrence && run(recurrence)}
      onClose={onClose}
      isPending={isPending}
      isDisabled={!recurrence}
    >
      <p>{t('dialog.text', { when: when.span(event) })}</p>
      <RepeatField
        value={value}
        onChange={setValue}
        day={day}
        previewed={{ event_id: id }}
        problem={fieldProblems(error).recurrence}
      />
      {Array.isArray(ticketed) && <p className="hint">{t('dialog.tickets')}</p>}
      <FormProblem error={error} fields={['recurrence']} />
    </FormDialog>
  );
}
