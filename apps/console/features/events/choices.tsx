import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Venue } from '../../../../packages/client/src/marquee-client.ts';
import { queries, read } from '../../data/queries.ts';
import { type Choice, ChoiceBox } from '../../ui/choice-box.tsx';
import { t } from './routes.ts';

const searchInput = (search: string) => ({ per_page: 20, ...(search && { search }) });
const options = (isOn: boolean) => ({ isOn, keepsPrevious: true });

const venues = (search: string, isOn = true) => read('GET /events/v1/venues', searchInput(search), options(isOn));

const choiceOf = ({ id, venue, address, city }: Venue): Choice => ({
  id,
  name: venue,
  detail: [address, city].filter(Boolean).join(', '),
});

/** Options in a result; undefined until it is read, and none if it could not be. */
function optionsIn<D>({ data, isPending }: UseQueryResult<D>, optionsOf: (data: D) => readonly Choice[]) {
  if (isPending) return undefined;
  return data === undefined ? [] : optionsOf(data);
}

/** Finds venues by words in their names. */
export const useVenues = (search: string, isOn: boolean) =>
  optionsIn(useQuery(venues(search, isOn)), (found) => found.venues.map(choiceOf));

/** The venue of a site that has only one. */
export function useOnlyVenue(): Choice | undefined {
  const { data } = useQuery(venues(''));
  const [only] = data?.total === 1 ? data.venues : [];
  return only && choiceOf(only);
}

/** The venue with a name that was typed, but not chosen. */
export async function findVenueNamed(name: string): Promise<Choice | undefined> {
  const wanted = name.trim().toLowerCase();
  const answer = await queries.fetchQuery(venues(name.trim()));
  const venue = answer.venues.find((one) => one.venue.toLowerCase() === wanted);
  return venue && choiceOf(venue);
}

export const useOrganizers = (search: string, isOn: boolean) =>
  optionsIn(useQuery(read('GET /events/v1/organizers', searchInput(search), options(isOn))), ({ organizers }) =>
    organizers.map(({ id, organizer: name }) => ({ id, name })),
  );

export const useCategories = (search: string, isOn: boolean) =>
  optionsIn(
    useQuery(read('GET /events/v1/categories', searchInput(search), options(isOn))),
    ({ categories }) => categories,
  );

export const useTags = (search: string, isOn: boolean) =>
  optionsIn(useQuery(read('GET /events/v1/tags', searchInput(search), options(isOn))), ({ tags }) => tags);

interface VenueBoxProps {
  value: readonly Choice[];
  onChange: (value: Choice[]) => void;
  problem?: string | undefined;
  onUnfinished?: (typed: string) => void;
}

/** Chooses the venue of an event, or several where it already has several. */
export const VenueBox = ({ value, ...props }: VenueBoxProps) => (
  <ChoiceBox
    label={t('place')}
    value={value}
    {...props}
    useOptions={useVenues}
    mayCreate
    isSingle={value.length < 2}
    hint={t('new.venue_hint')}
  />
);
