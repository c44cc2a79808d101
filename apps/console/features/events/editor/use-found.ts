import { useQuery } from '@tanstack/react-query';
import { read } from '../../../data/queries.ts';
import type { Choice } from '../../../ui/choice-box.tsx';

const MOST = { per_page: 20 };
const asked = (search: string) => ({ ...MOST, ...(search && { search }) });
const PREVIOUS = { keepsPrevious: true };

/** Venues with some words, for a choice; so are the following. */
export function useVenues(search: string): readonly Choice[] {
  const { data } = useQuery(read('GET /events/v1/venues', asked(search), PREVIOUS));
  return data?.venues.map(({ id, venue: name }) => ({ id, name })) ?? [];
}

export function useOrganizers(search: string): readonly Choice[] {
  const { data } = useQuery(read('GET /events/v1/organizers', asked(search), PREVIOUS));
  return data?.organizers.map(({ id, organizer: name }) => ({ id, name })) ?? [];
}

export function useCategories(search: string): readonly Choice[] {
  const { data } = useQuery(read('GET /events/v1/categories', asked(search), PREVIOUS));
  return data?.categories ?? [];
}

export function useTags(search: string): readonly Choice[] {
  const { data } = useQuery(read('GET /events/v1/tags', asked(search), PREVIOUS));
  return data?.tags ?? [];
}
