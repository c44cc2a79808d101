import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Event } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { useMe } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { mayManageTickets } from '../../data/post-rights.ts';
import { refresh } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { DayField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { movedBy } from './dates.ts';
import { t } from './routes.ts';

const A_WEEK = 7;

/** Asks for the days of the copies of an event, and makes one for each as a draft, at the same time of the day. */
export function DuplicateDialog({ event, onClose }: { event: Event; onClose: () => void }) {
  const { id, start_date, ticketed } = event;
  const [days, setDays] = useState<readonly string[]>(['']);
  const navigate = useNavigate();
  const with_tickets = mayManageTickets(useMe(), event);
  const copy = async () => {
    let opened = 0;
    for (const [index, day] of days.entries()) {
      const start = `${day}${start_date.slice(10)}`;
      opened = (await call('POST /admin/v1/events/{id}/duplicate', { id, with_tickets, start_date: start })).id;
      // Another attempt continues with the days that are left.
      setDays(days.slice(index + 1));
    }
    return { opened, count: days.length };
  };
  const { run, isPending, error } = useAction(copy, {
    onSuccess: async ({ opened, count }) => {
      onClose();
      toast(t('copied', { count }));
      if (count === 1) await navigate({ to: '/events/$id', params: { id: String(opened) } });
      else await navigate({ to: '/events', search: { view: 'drafts' } });
    },
    onSettled: () => refresh('/events/v1/events'),
  });
  return (
    <FormDialog
      title={t('copy.title', { title: event.title })}
      action={t('copy.make', { count: days.length })}
      onSubmit={() => run()}
      onClose={onClose}
      isPending={isPending}
    >
      <p>{t('copy.text', { when: when.span(event) })}</p>
      <Days days={days} onChange={setDays} start={start_date.slice(0, 10)} />
      {with_tickets && ticketed && <p className="hint">{t('copy.tickets')}</p>}
      <FormProblem error={error} />
    </FormDialog>
  );
}

interface DaysProps {
  days: readonly string[];
  onChange: (days: readonly string[]) => void;
  /** Day of the event. */
  start: string;
}

/** A field for each day; more can be added. */
function Days({ days, onChange, start }: DaysProps) {
  const change = (at: number, day: string) => onChange(days.map((one, index) => (index === at ? day : one)));
  const last = days.at(-1) || start;
  return (
    <>
      {days.map((day, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a day has no other identity, and may be there twice
        <div key={index} className="copy-day">
          <DayField
            label={days.length === 1 ? t('copy.day') : t('copy.day_of', { number: index + 1 })}
            value={day}
            onChange={(next) => change(index, next)}
            isRequired
            autoFocus={index === 0}
          />
          {days.length > 1 && (
            <IconButton
              icon="close"
              label={t('copy.remove', { number: index + 1 })}
              onPress={() => onChange(days.filter((_, at) => at !== index))}
            />
          )}
        </div>
      ))}
      <div>
        <Button icon="plus" onPress={() => onChange([...days, movedBy(last, A_WEEK, 'days')])}>
          {t('copy.more')}
        </Button>
      </div>
    </>
  );
}
