import { useQuery } from '@tanstack/react-query';
import type { Venue } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { contentLanguage } from '../../data/content-language.ts';
import { read, refresh } from '../../data/queries.ts';
import { TextField } from '../../ui/fields.tsx';
import { Failure, RowsLoading } from '../../ui/states.tsx';
import { t } from './routes.ts';
import { StepForm } from './step-form.tsx';

/** Key of the created venue in session storage: going back edits it instead of creating a second one. */
const STORED = 'marquee-set-up-venue';

interface StepProps {
  onNext: () => void;
}

/** Creates the first venue, which the form of the first event then suggests. */
export function VenueStep(props: StepProps) {
  const created = Number(sessionStorage.getItem(STORED));
  return created > 0 ? <CreatedVenue id={created} {...props} /> : <VenueForm {...props} />;
}

function CreatedVenue({ id, ...props }: StepProps & { id: number }) {
  const { data, error, refetch } = useQuery(read('GET /events/v1/venues/{id}', { id }));
  // The venue belongs to another site at this address, or was deleted in the meantime.
  if (isProblem(error) && [404, 410].includes(error.status)) return <VenueForm {...props} />;
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  return data ? <VenueForm created={data} {...props} /> : <RowsLoading rows={3} />;
}

function VenueForm({ created, onNext }: StepProps & { created?: Venue }) {
  return (
    <StepForm
      title={t('venue')}
      text={t('venue.text')}
      action={t('venue.act')}
      onNext={onNext}
      save={async (typed) => {
        const [venue, address, city] = [typed('venue').trim(), typed('address').trim(), typed('city').trim()];
        const language = contentLanguage();
        if (created) await call('PATCH /events/v1/venues/{id}', { id: created.id, venue, address, city }, { language });
        else {
          const texts = { venue, ...(address && { address }), ...(city && { city }) };
          const { id } = await call('POST /events/v1/venues', texts, { language });
          sessionStorage.setItem(STORED, String(id));
        }
        void refresh('/events/v1/venues');
      }}
    >
      {(problems) => (
        <>
          <TextField
            name="venue"
            label={t('venue.name')}
            defaultValue={created?.venue ?? ''}
            problem={problems.venue}
            isRequired
            autoFocus
          />
          <TextField
            name="address"
            label={t('venue.address')}
            defaultValue={created?.address ?? ''}
            problem={problems.address}
          />
          <TextField name="city" label={t('venue.city')} defaultValue={created?.city ?? ''} problem={problems.city} />
        </>
      )}
    </StepForm>
  );
}
