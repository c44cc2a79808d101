import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { ExamplesOffer } from './examples.tsx';
import { t } from './routes.ts';

/** Leads to the form of a new event, which comes back here when the event is made, or makes examples. */
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
      <ExamplesOffer onMade={onNext} />
    </section>
  );
}
