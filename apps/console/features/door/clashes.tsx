import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DoorClash, Event } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { fieldProblems } from '../../../client/problem.ts';
import { localIn } from '../../../client/when.ts';
import { useAction } from '../../data/actions.ts';
import { read, refresh } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { type FieldValue, FormDialog } from '../../ui/form-dialog.tsx';
import { Failure, FormProblem } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { t } from './routes.ts';

interface ClashesProps {
  event: Event;
  /** Milliseconds between two reads. */
  every: number;
}

/** Open clashes: guests who were let in twice, or although their ticket was refused. */
export function Clashes({ event, every }: ClashesProps) {
  const [closed, setClosed] = useState<DoorClash>();
  const { data, error } = useQuery({
    ...read('GET /admin/v1/door/clashes', { event_id: event.id, open: true, per_page: 100 }),
    refetchInterval: every,
  });
  const timeOf = (utc: string) => when.time(localIn(event.timezone, utc));
  return (
    <section aria-labelledby="clashes">
      <h2 id="clashes">{t('clashes')}</h2>
      <p className="soft">{t('clashes.text')}</p>
      {error && <Failure error={error} />}
      <ul className="cards">
        {data?.clashes.map((clash) => (
          <li key={clash.id} className="card door-clash">
            <p>
              <strong>{clash.attendee?.name ?? t('unknown_ticket')}</strong>{' '}
              <span className="soft">{clash.attendee?.ticket}</span>
              <br />
              {clash.first
                ? t('clash.twice', {
                    first: timeOf(clash.first.utc),
                    second: timeOf(clash.second.utc),
                    place: clash.first.place || t('elsewhere'),
                    other: clash.second.place,
                  })
                : t('clash.late', {
                    second: timeOf(clash.second.utc),
                    other: clash.second.place,
                    reason: t(`reason.${reasonOf(clash)}`),
                  })}
            </p>
            <Button onPress={() => setClosed(clash)} aria-label={t('close_of', { name: clash.attendee?.name ?? '' })}>
              {t('close')}
            </Button>
          </li>
        ))}
      </ul>
      {closed && <CloseClash clash={closed} onClose={() => setClosed(undefined)} />}
    </section>
  );
}

const REASONS = ['unpaid', 'pending', 'cancelled', 'refunded', 'declined', 'unknown', 'wrong-code'] as const;

const reasonOf = ({ reason }: DoorClash): (typeof REASONS)[number] | 'other' =>
  REASONS.find((one) => one === reason) ?? 'other';

/** Closes a clash with a note about its outcome. */
function CloseClash({ clash: { id }, onClose }: { clash: DoorClash; onClose: () => void }) {
  const close = useAction(
    (value: FieldValue) => call('PATCH /admin/v1/door/clashes/{id}', { id, closed: true, note: value('note') }),
    {
      onSuccess: () => {
        toast(t('closed'));
        onClose();
      },
      onSettled: () => refresh('/admin/v1/door'),
    },
  );
  return (
    <FormDialog
      title={t('clash')}
      action={t('close')}
      isPending={close.isPending}
      onSubmit={close.run}
      onClose={onClose}
    >
      <FormProblem error={close.error} fields={['note']} />
      <TextField
        name="note"
        label={t('note')}
        hint={t('note.hint')}
        problem={fieldProblems(close.error).note}
        maxLength={500}
        autoFocus
      />
    </FormDialog>
  );
}
