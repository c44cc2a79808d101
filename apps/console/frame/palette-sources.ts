import { useQuery } from '@tanstack/react-query';
import { EVER } from '../../client/ever.ts';
import type { IconName } from '../../client/icons.ts';
import { when } from '../when.ts';
import { read } from './queries.ts';

/** Something that the palette leads to. */
export interface FoundEntry {
  /** Path in the console. */
  path: string;
  text: string;
  icon: IconName;
  /** What it is, or when and where. */
  detail: string;
}

/** Records that what was typed finds; from two letters on. */
export function useFound(typed: string): FoundEntry[] {
  const isEnough = typed.length > 1;
  const input = { ...EVER, search: typed, per_page: 5 };
  const { data } = useQuery(read('GET /events/v1/events', input, { isOn: isEnough, keepsPrevious: true }));
  if (!isEnough) return [];
  const events = data?.events ?? [];
  return events.map((event) => ({
    path: `/events/${event.id}`,
    text: event.title,
    icon: 'events',
    detail: when.day(event.start_date),
  }));
}
