import { queryOptions, useQueries } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { Event } from '../../../packages/client/src/marquee-client.ts';
import { orderNumber } from '../../../src/lib/order-number.ts';
import { call } from '../../client/call.ts';
import { hasRight, useMe } from '../data/account.ts';
import { ANY_DATE } from '../data/any-date.ts';
import { contentLanguage } from '../data/content-language.ts';
import { type Capability, READS_ATTENDEES, READS_ORDERS } from '../data/rights.ts';
import { money, when } from '../i18n/formats.ts';
import type { CommonText } from '../i18n/texts.ts';
import { listedEvents, whereOf } from '../shared/events/listed-events.ts';
import type { IconName } from '../ui/icon.tsx';
import { inOrder } from './palette-order.ts';

/** Entry of the palette. */
interface FoundEntry {
  /** Path in the console, or id of a command. */
  path: string;
  text: string;
  icon: IconName;
  /** Detail such as date or city. */
  detail: string;
}

export interface FoundGroup {
  label: CommonText;
  entries: readonly FoundEntry[];
}

interface Source {
  label: CommonText;
  /** Rights of which one is needed for the search. */
  rights?: readonly Capability[];
  /** Screen of its entries; without it there is no search. */
  screen: string;
  /** Finds the first matches. */
  find: (search: string, options: { signal: AbortSignal; language?: string }) => Promise<FoundEntry[]>;
}

const FEW = 5;

/** Title, day and venue of an event. */
const describeEvent = (event: Event | undefined): string =>
  event ? [event.title, when.day(event.start_date), whereOf(event)].filter(Boolean).join(' · ') : '';

const SOURCES: readonly Source[] = [
  {
    label: 'palette.events',
    screen: '/events/$id',
    async find(search, options) {
      const coming = { ends_after: 'now', search, per_page: FEW };
      const { events } = await call('GET /events/v1/events', coming, options);
      // Add past events, latest first, if there is room for them.
      const past = { ...ANY_DATE, ends_before: 'now', order: 'desc', search, per_page: FEW - events.length } as const;
      const before = events.length < FEW ? (await call('GET /events/v1/events', past, options)).events : [];
      return [...events, ...before].map(({ id, title, start_date }) => ({
        path: `/events/${id}`,
        text: title,
        icon: 'events',
        detail: when.day(start_date),
      }));
    },
  },
  {
    label: 'palette.people',
    rights: READS_ATTENDEES,
    screen: '/attendees',
    async find(search, options) {
      const input = { search, per_page: FEW, with: ['event' as const] };
      const { attendees } = await call('GET /admin/v1/attendees', input, options);
      return attendees.map(({ id, full_name, event, ticket }) => ({
        path: `/attendees?open=${id}`,
        text: full_name,
        icon: 'person',
        detail: event ? [event.title, when.day(event.start_date), ticket].join(' · ') : ticket,
      }));
    },
  },
  {
    label: 'palette.orders',
    rights: READS_ORDERS,
    screen: '/orders/$id',
    async find(search, options) {
      const { orders } = await call('GET /admin/v1/orders', { search, per_page: FEW }, options);
      const ids = orders.flatMap((order) => order.events.map(({ id }) => id));
      const { events } =
        ids.length > 0 ? await call('GET /events/v1/events', listedEvents(ids), options) : { events: [] };
      const eventOf = (order: (typeof orders)[number]) => events.find(({ id }) => id === order.events[0]?.id);
      return orders.map((order) => ({
        path: `/orders/${order.id}`,
        text: `${orderNumber(order.id)} ${order.purchaser.name}`,
        icon: 'orders',
        detail: [describeEvent(eventOf(order)), money(order.total.minor, order.currency)].filter(Boolean).join(' · '),
      }));
    },
  },
  {
    label: 'palette.venues',
    rights: ['edit'],
    screen: '/venues/$id',
    async find(search, options) {
      const { venues } = await call('GET /events/v1/venues', { search, per_page: FEW }, options);
      return venues.map(({ id, venue, city }) => ({
        path: `/venues/${id}`,
        text: venue,
        icon: 'calendar',
        detail: city ?? '',
      }));
    },
  },
  {
    label: 'palette.organizers',
    rights: ['edit'],
    screen: '/organizers/$id',
    async find(search, options) {
      const { organizers } = await call('GET /events/v1/organizers', { search, per_page: FEW }, options);
      return organizers.map(({ id, organizer, email }) => ({
        path: `/organizers/${id}`,
        text: organizer,
        icon: 'people',
        detail: email ?? '',
      }));
    },
  },
];

/** Query of a source, in the content language. */
const queryOf = ({ label, find }: Source, search: string) => {
  const language = contentLanguage();
  return queryOptions({
    queryKey: [label, search, language],
    // Read once while it is shown, since the time of its response decides its position.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) => find(search, { signal, ...(language !== undefined && { language }) }),
  });
};

/** Milliseconds after the last keystroke. */
const TYPING = 150;

/** The input, once it has not changed for a moment. */
function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), TYPING);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}

interface Found {
  groups: readonly FoundGroup[];
  isSearching: boolean;
  hasFailed: boolean;
}

/**
 * Records that match the input, from two letters on. Responses to earlier input are dropped, and late ones are
 * appended, so that nothing moves under the cursor; only the order whose number was typed comes first.
 */
export function useFoundRecords(typed: string): Found {
  const me = useMe();
  const { routesByPath } = useRouter();
  const search = useSettled(typed);
  const isEnough = typed.length > 1 && search.length > 1;
  const sources = SOURCES.filter(
    ({ rights = [], screen }) => hasRight(me, ...rights) && Object.hasOwn(routesByPath, screen),
  );
  const found = useQueries({ queries: isEnough ? sources.map((one) => queryOf(one, search)) : [] });
  const answers = found.map(({ data: entries = [], dataUpdatedAt }, index) => ({
    label: sources[index]?.label,
    entries,
    at: dataUpdatedAt,
  }));
  const groups = inOrder(answers, search).flatMap(({ label, entries }) =>
    label && entries.length > 0 ? [{ label, entries }] : [],
  );
  const isSearching = (typed.length > 1 && typed !== search) || found.some(({ isFetching }) => isFetching);
  const hasAnswers = found.some(({ data }) => data);
  // Previous results stay until there are new ones.
  const latest = useRef<readonly FoundGroup[]>([]);
  useEffect(() => {
    if (hasAnswers || !isSearching) latest.current = groups;
  });
  return {
    groups: isEnough && isSearching && !hasAnswers ? latest.current : groups,
    isSearching,
    hasFailed: found.some(({ isError }) => isError),
  };
}
