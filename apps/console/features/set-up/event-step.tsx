import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Examples, randomKey } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { useSite } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { queries, refresh } from '../../data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { t } from './routes.ts';
import './set-up.css';

/** Leads to the form of a new event, which returns here, or creates examples. */
export function EventStep({ onNext }: { onNext: () => void }) {
  const navigate = useNavigate();
  return (
    <section className="form-section" aria-labelledby="step">
      <h2 id="step">{t('event')}</h2>
      <p>{t('event.text')}</p>
      <div className="actions">
        <Button
          look="primary"
          autoFocus
          onPress={() => void navigate({ to: '/events/new', search: { from: 'set-up' } })}
        >
          {t('event.act')}
        </Button>
        <Button look="plain" onPress={onNext}>
          {t('skip')}
        </Button>
      </div>
      <ExamplesOffer onCreated={onNext} />
    </section>
  );
}

const announced = {
  queryKey: ['examples'],
  queryFn: () => call('POST /admin/v1/examples', { dry_run: true }),
  staleTime: 0,
  gcTime: 0,
};

interface ExamplesProps {
  onCreated: () => void;
}

/** Offers example records while the calendar is empty. */
function ExamplesOffer({ onCreated }: ExamplesProps) {
  const { data } = useQuery(announced);
  const [isAsking, setAsking] = useState(false);
  if (!data?.is_possible) return null;
  return (
    <div className="set-up-examples">
      <h3>{t('examples')}</h3>
      <p>{t('examples.text')}</p>
      <Button onPress={() => setAsking(true)}>{t('examples.act')}</Button>
      {isAsking && <ExamplesDialog examples={data} onCreated={onCreated} onClose={() => setAsking(false)} />}
    </div>
  );
}

interface DialogProps extends ExamplesProps {
  examples: Examples;
  onClose: () => void;
}

function ExamplesDialog({ examples, onCreated, onClose }: DialogProps) {
  // A retry after a lost connection gets the first response.
  const [key] = useState(randomKey);
  const create = useAction(() => call('POST /admin/v1/examples', {}, { key }), {
    onSuccess: async ({ events: count }) => {
      await refresh('/');
      toast(t('examples.made', { events: count }));
      onCreated();
    },
  });
  const close = () => {
    onClose();
    // The calendar may have been used elsewhere in the meantime.
    if (create.error !== undefined) void queries.invalidateQueries(announced);
  };
  const { events, venues, organizers, tickets, attendees } = examples;
  const site = useSite();
  const isForeign = !examples.languages.some((language) => site.languages.includes(language));
  return (
    <DialogBox
      title={t('examples.title')}
      {...(!create.isPending && { onClose: close })}
      actions={
        <>
          <Button onPress={close} isDisabled={create.isPending}>
            {t('examples.cancel')}
          </Button>
          <Button look="primary" onPress={() => create.run()} isPending={create.isPending}>
            {t('examples.make')}
          </Button>
        </>
      }
    >
      <FormProblem error={create.error} />
      <p>{t('examples.what', { events, venues, organizers, tickets, attendees })}</p>
      {isForeign && <p>{t('examples.english')}</p>}
      <p className="soft">{t('examples.final')}</p>
      <p role="status" className="set-up-running">
        {create.isPending && (
          <>
            <progress aria-hidden="true" /> {t('examples.running')}
          </>
        )}
      </p>
    </DialogBox>
  );
}
