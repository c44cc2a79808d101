import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Event, Input, ShownTicket, Ticket } from '../../../../../packages/client/src/marquee-client.ts';
import { ANY_DATE } from '../../../data/any-date.ts';
import { contentLanguage } from '../../../data/content-language.ts';
import { readNow } from '../../../data/queries.ts';
import { when } from '../../../i18n/formats.ts';
import { type Choice, ChoiceBox } from '../../../ui/choice-box.tsx';
import { t } from '../routes.ts';

/** Maximum number of tickets that are named. */
const MOST = 50;
const MOST_EVENTS = 10;
/** Statuses of the events: codes are often created before publication. */
const STATUSES = ['publish', 'future', 'draft', 'pending', 'private'];
/** RSVPs have no codes. */
const OFFERED = { provider: ['tc'], post_status: STATUSES, per_page: MOST };

interface TicketsBoxProps {
  /** Ids of the chosen tickets. */
  value: readonly number[];
  onChange: (ids: number[]) => void;
  /** Event whose tickets are offered; those of all by default. */
  event: number | undefined;
  problem: string | undefined;
}

/** Chooses tickets by words in their names, or in the names of their events. */
export function TicketsBox({ value, onChange, event, problem }: TicketsBoxProps) {
  const useOptions = useMemo(() => optionsOf(event), [event]);
  const known = useChoices({ include: value }, value.length > 0, (signal) =>
    readTickets({ include: [...value], post_status: STATUSES, per_page: MOST }, signal),
  );
  const chosen = value.map((id): Choice => known?.find((one) => one.id === id) ?? { id, name: `#${id}` });
  return (
    <ChoiceBox
      label={t('prices.tickets')}
      value={chosen}
      onChange={(choices) => onChange([...new Set(choices.flatMap(({ id }) => id ?? []))])}
      useOptions={useOptions}
      hint={t('prices.tickets.hint')}
      problem={problem}
    />
  );
}

/** Hook that finds tickets of an event, by words in their names or their events' names, or of the next events. */
const optionsOf = (event: number | undefined) =>
  function useOptions(search: string, isOn: boolean) {
    return useChoices({ search, event }, isOn, (signal) => findTickets(search, event, signal));
  };

/**
 * Choices of tickets, each once, complete with their events. The previous choices stay until others are read; undefined
 * before the first.
 *
 * @param key parameters of `find`, besides the content language
 */
function useChoices(key: object, isOn: boolean, find: (signal: AbortSignal) => Promise<Ticket[]>) {
  const { data, isError } = useQuery({
    // Begins as the keys of `read`, so that `refresh` finds it after changes of tickets.
    queryKey: ['GET /tickets/v1/tickets', key, contentLanguage()],
    enabled: isOn,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const tickets = await find(signal);
      const events = await eventsOf(tickets, signal);
      return [...new Map(tickets.map((ticket) => [ticket.id, choiceOf(ticket, events.get(ticket.post_id))])).values()];
    },
  });
  return isError ? [] : data;
}

async function findTickets(search: string, event: number | undefined, signal: AbortSignal): Promise<Ticket[]> {
  if (event !== undefined) return readTickets({ ...OFFERED, include_post: [event], ...(search && { search }) }, signal);
  const wanted = search === '' ? { ends_after: 'now' } : { ...ANY_DATE, search };
  const ofEvents = async () => {
    const input = { per_page: MOST_EVENTS, status: STATUSES, ...wanted };
    const { events } = await readNow('GET /events/v1/events', input, signal);
    return events.length === 0 ? [] : readTickets({ ...OFFERED, include_post: events.map(({ id }) => id) }, signal);
  };
  const named = search === '' ? [] : readTickets({ ...OFFERED, search }, signal);
  return (await Promise.all([ofEvents(), named])).flat();
}

async function readTickets(input: Input<'GET /tickets/v1/tickets'>, signal: AbortSignal): Promise<Ticket[]> {
  const { tickets } = await readNow('GET /tickets/v1/tickets', input, signal);
  return tickets.filter((ticket: ShownTicket): ticket is Ticket => ticket.id !== 0);
}

async function eventsOf(tickets: readonly Ticket[], signal: AbortSignal): Promise<ReadonlyMap<number, Event>> {
  const include = [...new Set(tickets.map(({ post_id }) => post_id))].sort((a, b) => a - b);
  if (include.length === 0) return new Map();
  const { events } = await readNow('GET /events/v1/events', { include, status: STATUSES, per_page: MOST }, signal);
  return new Map(events.map((event) => [event.id, event]));
}

function choiceOf({ id, title, requires_code }: Ticket, event: Event | undefined): Choice {
  const name = event ? `${title} · ${event.title}, ${when.day(event.start_date)}` : title;
  return { id, name, ...(requires_code && { detail: t('prices.tickets.hidden') }) };
}
