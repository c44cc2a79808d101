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

/** Where the browser keeps which venue was made here, so that who comes back changes it and makes no second one. */
const MADE = 'marquee-set-up-venue';

interface StepProps {
  onNext: () => void;
}

/** The first venue, which the form of the first event then suggests. */
export function VenueStep(props: StepProps) {
  const made = Number(sessionStorage.getItem(MADE));
  return made > 0 ? <MadeVenue id={made} {...props} /> : <VenueForm {...props} />;
}

function MadeVenue({ id, ...props }: StepProps & { id: number }) {
  const { data, error, refetch } = useQuery(read('GET /events/v1/venues/{id}', { id }));
  // Another site on the same address, or somebody has removed it since.
  if (isProblem(error) && [404, 410].includes(error.status)) return <VenueForm {...props} />;
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  return data ? <VenueForm made={data} {...props} /> : <RowsLoading rows={3} />;
}

function VenueForm({ made, onNext }: StepProps & { made?: Venue }) {
  return (
    <StepForm
      title={t('venue')}
      text={t('venue.text')}
      act={t('venue.act')}
      onNext={onNext}
      save={async (typed) => {
        const [venue, address, city] = [typed('venue').trim(), typed('address').trim(), typed('city').trim()];
        const language = contentLanguage();
        if (made) await call('PATCH /events/v1/venues/{id}', { id: made.id, venue, address, city }, { language });
        else {
          const texts = { venue, ...(address && { address }), ...(city && { city }) };
          const { id } = await call('POST /events/v1/venues', texts, { language });
          sessionStorage.setItem(MADE, String(id));
        }
        void refresh('/events/v1/venues');
      }}
    >
      {(problems) => (
        <>
          <TextField
            name="venue"
            label={t('venue.name')}
            defaultValue={made?.venue ?? ''}
            problem={problems.venue}
            isRequired
            autoFocus
          />
          <TextField
            name="address"
            label={t('venue.address')}
            defaultValue={made?.address ?? ''}
            problem={problems.address}
          />
          <TextField name="city" label={t('venue.city')} defaultValue={made?.city ?? ''} problem={problems.city} />
        </>
      )}
    </StepForm>
  );
}
