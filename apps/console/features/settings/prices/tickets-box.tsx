import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Event, ShownTicket, Ticket } from '../../../../../packages/client/src/marquee-client.ts';
import { ANY_DATE } from '../../../data/any-date.ts';
import { read } from '../../../data/queries.ts';
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
const NONE: readonly never[] = [];

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
  const input = { include: [...value], post_status: STATUSES, per_page: MOST };
  const { data } = useQuery(read('GET /tickets/v1/tickets', input, whileAny(value)));
  const known = useChoices(data?.tickets ?? NONE);
  const chosen = value.map((id): Choice => known.find((one) => one.id === id) ?? { id, name: `#${id}` });
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

const whileAny = (ids: readonly number[], isOn = true) => ({ isOn: isOn && ids.length > 0, keepsPrevious: true });

/** Hook that finds tickets of an event, by words in their names or their events' names, or of the next events. */
const optionsOf = (event: number | undefined) =>
  function useOptions(search: string, isOn: boolean): readonly Choice[] {
    const isOfAll = event === undefined;
    const wanted = search === '' ? { ends_after: 'now' } : { ...ANY_DATE, search };
    const input = { per_page: MOST_EVENTS, status: STATUSES, ...wanted };
    const events = useQuery(read('GET /events/v1/events', input, { isOn: isOn && isOfAll }));
    const found = isOfAll ? (events.data?.events ?? NONE).map(({ id }) => id) : [event];
    const ids = isOfAll || search === '' ? found : NONE;
    const ofEvents = useQuery(
      read('GET /tickets/v1/tickets', { ...OFFERED, include_post: [...ids] }, whileAny(ids, isOn)),
    );
    const words = { ...OFFERED, ...(!isOfAll && { include_post: [event] }), search };
    const named = useQuery(read('GET /tickets/v1/tickets', words, { isOn: isOn && search !== '' }));
    return useChoices([
      ...(ids.length > 0 ? (ofEvents.data?.tickets ?? NONE) : NONE),
      ...(search === '' ? NONE : (named.data?.tickets ?? NONE)),
    ]);
  };

/** Tickets with their events, each once. */
function useChoices(tickets: readonly ShownTicket[]): readonly Choice[] {
  const shown = tickets.filter((ticket): ticket is Ticket => ticket.id !== 0);
  const ids = [...new Set(shown.map(({ post_id }) => post_id))].sort((a, b) => a - b);
  const { data } = useQuery(
    read('GET /events/v1/events', { include: ids, status: STATUSES, per_page: MOST }, whileAny(ids)),
  );
  const events = new Map((data?.events ?? NONE).map((event) => [event.id, event]));
  return [...new Map(shown.map((ticket) => [ticket.id, choiceOf(ticket, events.get(ticket.post_id))])).values()];
}

function choiceOf({ id, title, requires_code }: Ticket, event: Event | undefined): Choice {
  const name = event ? `${title} · ${event.title}, ${when.day(event.start_date)}` : title;
  return { id, name, ...(requires_code && { detail: t('prices.tickets.hidden') }) };
}
