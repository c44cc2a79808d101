import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import { when } from '../../../i18n/when.ts';
import { Icon } from '../../../ui/icon.tsx';
import { t } from '../routes.ts';
import { StatusBadge } from '../status-badge.tsx';

/** An event for those who may not change it, and why. */
export function EventShown({ event, why }: { event: Event; why: string }) {
  const venues = [event.venue].flat().map(({ venue }) => venue);
  return (
    <section className="form-section event-shown" aria-label={t('event')}>
      <p>
        <StatusBadge event={event} />
      </p>
      <p>{when.span(event)}</p>
      {venues.length > 0 && <p>{venues.join(', ')}</p>}
      <p className="soft">{why}</p>
      <div>
        <a className="button" href={event.url} target="_blank" rel="noreferrer">
          <Icon name="open" />
          {t(event.status === 'publish' ? 'page' : 'preview')}
        </a>
      </div>
    </section>
  );
}
