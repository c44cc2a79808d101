import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { queries, read } from '../../../data/queries.ts';
import { t } from '../routes.ts';

const query = (name: string) =>
  read('GET /events/v1/venues', { ...(name && { search: name }), per_page: 20 }, { keepsPrevious: true });

const isCalled = (name: string) => {
  const wanted = name.trim().toLowerCase();
  return ({ venue }: { venue: string }) => venue.toLowerCase() === wanted;
};

/** An existing venue with the name, else a new one to create with the event; undefined without a name. */
export async function venueNamed(name: string): Promise<number | { venue: string } | undefined> {
  const trimmed = name.trim();
  if (trimmed === '') return undefined;
  const { venues } = await queries.fetchQuery(query(trimmed));
  return venues.find(isCalled(trimmed))?.id ?? { venue: trimmed };
}

interface VenueBoxProps {
  value: string;
  onChange: (name: string) => void;
}

/** Field for the name of a venue, with existing ones as suggestions. An unknown name creates a venue. */
export function VenueBox({ value, onChange }: VenueBoxProps) {
  const id = useId();
  const name = value.trim();
  const { data, isFetching } = useQuery(query(name));
  const isNew = name !== '' && data !== undefined && !isFetching && !data.venues.some(isCalled(name));
  return (
    <div className="field">
      <label htmlFor={id}>{t('place')}</label>
      <input
        id={id}
        className="input"
        list={`${id}-venues`}
        value={value}
        aria-describedby={`${id}-hint`}
        autoComplete="off"
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={`${id}-venues`}>
        {data?.venues.map((venue) => (
          <option key={venue.id} value={venue.venue} label={venue.city ?? ''} />
        ))}
      </datalist>
      <span id={`${id}-hint`} className="hint" role="status">
        {t(isNew ? 'new.venue_new' : 'new.venue_hint')}
      </span>
    </div>
  );
}
