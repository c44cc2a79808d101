import { call } from '../../client/call.ts';
import { refresh } from '../frame/queries.ts';
import { TextField } from '../parts/text-field.tsx';
import { StepForm } from './step-form.tsx';
import { t } from './texts.ts';

/** The first venue, which the form of the first event then suggests. */
export function VenueStep({ onNext }: { onNext: () => void }) {
  return (
    <StepForm
      title={t('venue')}
      text={t('venue.text')}
      act={t('venue.act')}
      onNext={onNext}
      save={async (typed) => {
        const [address, city] = [typed('address').trim(), typed('city').trim()];
        const venue = { venue: typed('venue').trim(), ...(address && { address }), ...(city && { city }) };
        await call('POST /events/v1/venues', venue);
        void refresh('/events/v1/venues');
      }}
    >
      {(problems) => (
        <>
          <TextField name="venue" label={t('venue.name')} problem={problems.venue} isRequired autoFocus />
          <TextField name="address" label={t('venue.address')} problem={problems.address} />
          <TextField name="city" label={t('venue.city')} problem={problems.city} />
        </>
      )}
    </StepForm>
  );
}
