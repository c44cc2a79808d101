import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Subscription } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { fieldProblems } from '../../../client/problem.ts';
import { useAction } from '../../data/actions.ts';
import { read, refresh } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { SelectField, Switch, TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Empty, FormProblem, LoadedList } from '../../ui/states.tsx';
import { toast, toastProblem } from '../../ui/toast.tsx';
import { t } from './routes.ts';
import { outcomesOf } from './words.ts';

const PATH = '/admin/v1/imports/subscriptions';
const refreshAll = () => refresh(PATH);

const HOURS = [1, 4, 12, 24, 168] as const;

/** Subscribed calendars, which the server reads regularly. */
export function Subscriptions() {
  const list = useQuery(read('GET /admin/v1/imports/subscriptions', { per_page: 100 }));
  const [act, setAct] = useState<'new' | Subscription>();
  return (
    <section aria-labelledby="subscriptions">
      <div className="section-head">
        <h2 id="subscriptions">{t('subscriptions')}</h2>
        <Button icon="plus" onPress={() => setAct('new')}>
          {t('subscribe')}
        </Button>
      </div>
      <p className="soft">{t('subscriptions.text')}</p>
      <LoadedList query={list} rows={2} empty={<Empty text={t('subscriptions.none')} icon="calendar" />}>
        {(data) => (
          <ul className="cards">
            {data.subscriptions.map((one) => (
              <SubscriptionCard key={one.id} item={one} onEnd={() => setAct(one)} />
            ))}
          </ul>
        )}
      </LoadedList>
      {act === 'new' && <Subscribe onClose={() => setAct(undefined)} />}
      {typeof act === 'object' && <End item={act} onClose={() => setAct(undefined)} />}
    </section>
  );
}

function lastReadOf({ paused, checked_utc, failures, succeeded_utc }: Subscription): string {
  if (paused) return t('subscriptions.paused');
  if (checked_utc === null) return t('subscriptions.unread');
  if (failures === 0) return t('subscriptions.read', { when: when.ago(checked_utc) });
  return succeeded_utc === null
    ? t('subscriptions.never')
    : t('subscriptions.failing', { when: when.ago(succeeded_utc) });
}

function SubscriptionCard({ item, onEnd }: { item: Subscription; onEnd: () => void }) {
  const { id, address, hours, paused, problem, counts } = item;
  const pause = useAction(() => call('PATCH /admin/v1/imports/subscriptions/{id}', { id, paused: !paused }), {
    onError: toastProblem,
    onSettled: refreshAll,
  });
  const facts = [
    lastReadOf(item),
    t('subscriptions.hours', { count: hours }),
    ...outcomesOf(counts).map(({ outcome, text }) => `${outcome}: ${text}`),
  ];
  return (
    <li className="card">
      <div>
        <p className="import-detail clamped">{address}</p>
        <p className="soft">{facts.join(' · ')}</p>
        {problem !== '' && <p className="field-error">{problem}</p>}
      </div>
      <Button
        aria-label={t(paused ? 'resume_of' : 'pause_of', { address })}
        isPending={pause.isPending}
        onPress={() => pause.run()}
      >
        {t(paused ? 'resume' : 'pause')}
      </Button>
      <Button aria-label={t('end_of', { address })} onPress={onEnd}>
        {t('end')}
      </Button>
    </li>
  );
}

function Subscribe({ onClose }: { onClose: () => void }) {
  const [hours, setHours] = useState('4');
  const [isPending, setPending] = useState(true);
  const subscribe = useAction(
    (address: string) =>
      call('POST /admin/v1/imports/subscriptions', {
        address,
        hours: Number(hours),
        status: isPending ? 'pending' : 'publish',
      }),
    { onSuccess: onClose, onSettled: refreshAll },
  );
  return (
    <FormDialog
      title={t('subscribe')}
      action={t('subscribe')}
      isPending={subscribe.isPending}
      onClose={onClose}
      onSubmit={(value) => subscribe.run(value('address').trim())}
    >
      <TextField
        label={t('address')}
        name="address"
        type="url"
        isRequired
        autoFocus
        hint={t('address.ical')}
        problem={fieldProblems(subscribe.error).address}
      />
      <SelectField
        label={t('hours')}
        value={hours}
        onChange={setHours}
        choices={HOURS.map((count) => ({ value: String(count), label: t('subscriptions.hours', { count }) }))}
      />
      <Switch isSelected={isPending} onChange={setPending}>
        {t('subscribe.pending')}
      </Switch>
      <FormProblem error={subscribe.error} fields={['address']} />
    </FormDialog>
  );
}

/** Ends a subscription; its events stay unless they go to the trash. */
function End({ item: { id, address }, onClose }: { item: Subscription; onClose: () => void }) {
  const [isTrash, setTrash] = useState(false);
  const end = useAction(() => call('DELETE /admin/v1/imports/subscriptions/{id}', { id, trash: isTrash }), {
    onSuccess: ({ trashed, kept }) => {
      toast(trashed + kept > 0 ? t('ended.trashed', { trashed, kept }) : t('ended'));
      onClose();
    },
    onSettled: refreshAll,
  });
  return (
    <ConfirmDialog
      title={t('end.title')}
      action={t('end')}
      isPending={end.isPending}
      error={end.error}
      onConfirm={end.run}
      onClose={onClose}
    >
      <p className="import-detail clamped">{address}</p>
      <p>{t('end.text')}</p>
      <Switch isSelected={isTrash} onChange={setTrash}>
        {t('end.trash')}
      </Switch>
    </ConfirmDialog>
  );
}
