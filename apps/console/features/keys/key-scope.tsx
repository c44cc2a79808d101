import { useQuery } from '@tanstack/react-query';
import { read } from '../../data/queries.ts';
import { when } from '../../i18n/when.ts';
import { t } from './routes.ts';

/** Which events a key is for. */
export function KeyScope({ event }: { event: number | null }) {
  const { data } = useQuery(read('GET /events/v1/events/{id}', { id: event ?? 0 }, { isOn: event !== null }));
  if (event === null) return t('every_event');
  return data ? `${data.title}, ${when.day(data.start_date)}` : t('event', { id: String(event) });
}
