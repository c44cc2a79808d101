import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { queries, read } from '../../../data/queries.ts';
import { t } from '../routes.ts';

/** A record to filter by. */
interface Found {
  name: string;
  /** Value of the filter. */
  value: string;
}

/** Maximum number of suggestions. */
const MOST = 20;

const bySlug = ({ name, slug }: { name: string; slug: string }): Found => ({ name, value: decodeURIComponent(slug) });
const byId = (id: number, name: string): Found => ({ name, value: String(id) });

const FIND = {
  async category(search: string) {
    const input = { per_page: MOST, hide_empty: false, ...(search && { search }) };
    return (await queries.fetchQuery(read('GET /events/v1/categories', input))).categories.map(bySlug);
  },
  async tag(search: string) {
    const input = { per_page: MOST, hide_empty: false, ...(search && { search }) };
    return (await queries.fetchQuery(read('GET /events/v1/tags', input))).tags.map(bySlug);
  },
  async venue(search: string) {
    const input = { per_page: MOST, ...(search && { search }) };
    return (await queries.fetchQuery(read('GET /events/v1/venues', input))).venues.map(({ id, venue }) =>
      byId(id, venue),
    );
  },
  async organizer(search: string) {
    const input = { per_page: MOST, ...(search && { search }) };
    const { organizers } = await queries.fetchQuery(read('GET /events/v1/organizers', input));
    return organizers.map(({ id, organizer }) => byId(id, organizer));
  },
} as const;

export type FilterKind = keyof typeof FIND;

/** Record with the typed name; undefined if there is none or while it is searched. */
export function useRecordNamed(kind: FilterKind, typed: string) {
  const name = typed.trim();
  const { data, isFetching } = useQuery({
    queryKey: ['named', kind, name],
    queryFn: () => FIND[kind](name),
    placeholderData: (before) => before,
  });
  const record = data?.find((one) => one.name.toLowerCase() === name.toLowerCase());
  return { record, found: data ?? [], isMissing: name !== '' && !isFetching && data !== undefined && !record };
}

interface RecordFieldProps {
  kind: FilterKind;
  typed: string;
  onType: (typed: string) => void;
}

/** Field for the name of a record, with suggestions. */
export function RecordField({ kind, typed, onType }: RecordFieldProps) {
  const id = useId();
  const { found, isMissing } = useRecordNamed(kind, typed);
  return (
    <div className="field">
      <label htmlFor={id}>{t(`filter.${kind}`)}</label>
      <input
        id={id}
        list={`${id}-found`}
        value={typed}
        placeholder={t('filter.all')}
        aria-describedby={`${id}-hint`}
        autoComplete="off"
        onChange={({ target }) => onType(target.value)}
      />
      <datalist id={`${id}-found`}>
        {found.map(({ name, value }) => (
          <option key={value} value={name} />
        ))}
      </datalist>
      <span id={`${id}-hint`} className="hint" role="status">
        {isMissing && t('filter.missing')}
      </span>
    </div>
  );
}
