import { useQuery } from '@tanstack/react-query';
import { useRight } from '../../data/account.ts';
import { read } from '../../data/queries.ts';
import { READS_ORDERS } from '../../data/rights.ts';
import { when } from '../../i18n/formats.ts';
import { t } from './routes.ts';

const SHOWN = 50;

/** Holders of a series pass without a place at a date that was added later; nothing if all have one. */
export function MissingDates({ id }: { id: number }) {
  const isOn = useRight(...READS_ORDERS);
  const { data } = useQuery(read('GET /admin/v1/tickets/{id}/missing-dates', { id, per_page: SHOWN }, { isOn }));
  if (!data || data.total === 0) return null;
  return (
    <details>
      <summary>{t('pass.missing', { count: data.total })}</summary>
      <ul>
        {data.dates.map(({ attendee_id, event_id, full_name, event }) => (
          <li key={`${attendee_id} ${event_id}`}>
            {full_name}
            {event && <span className="soft"> {when.moment(event.start_date)}</span>}
          </li>
        ))}
      </ul>
      <p className="soft">{t('pass.missing.hint')}</p>
    </details>
  );
}
