import { t } from './routes.ts';
import type { TermRow } from './terms.ts';

/** How many events have a term, those to come first. */
export function Counts({ row: { events, upcoming } }: { row: Pick<TermRow, 'events' | 'upcoming'> }) {
  return (
    <span className="term-counts">
      <span>{upcoming > 0 && t('upcoming.count', { count: upcoming })}</span>
      <span className="soft">{events > 0 ? t('events.count', { count: events }) : t('events.none')}</span>
    </span>
  );
}
