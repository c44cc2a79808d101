import { type ReactNode, useState } from 'react';
import type { Event, Ticket } from '../../../../packages/client/src/marquee-client.ts';
import { nowIn } from '../../../client/when.ts';
import { useSite } from '../../data/account.ts';
import { when } from '../../i18n/formats.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { saleAt } from './dates.ts';
import { readTickets } from './read-tickets.ts';
import { t } from './routes.ts';

/** Maximum number of listed events. */
const MOST_LISTED = 5;

type SaleOf = Pick<Ticket, 'post_id' | 'available_from' | 'available_until'>;

interface Unsold {
  event: Event;
  /** Local time of the site at which the sale begins; undefined if it has ended. */
  from: string | undefined;
}

/** Events whose tickets are all off sale at a local time of the site. */
async function eventsNotOnSale(events: readonly Event[], now: string): Promise<Unsold[]> {
  const sales = await readTickets(events);
  return events.flatMap((event) =>
    unsold(
      event,
      sales.filter(({ post_id }) => post_id === event.id),
      now,
    ),
  );
}

function unsold(event: Event, tickets: readonly SaleOf[], now: string): Unsold[] {
  const sale = saleAt(tickets, now);
  if (sale === 'none' || sale === 'open') return [];
  const first = tickets.map(({ available_from }) => available_from).toSorted()[0];
  return [{ event, from: sale === 'later' ? first : undefined }];
}

interface Asked {
  unsold: readonly Unsold[];
  answer: (isPublishing: boolean) => void;
}

/** Asks before events are published that have tickets, but none on sale; resolves to whether to publish. */
export function useSaleWarning(): [ask: (events: readonly Event[]) => Promise<boolean>, question: ReactNode] {
  const { timezone } = useSite();
  const [asked, setAsked] = useState<Asked>();
  const ask = async (events: readonly Event[]): Promise<boolean> => {
    const unsold = await eventsNotOnSale(events, nowIn(timezone));
    return unsold.length === 0 || new Promise((answer) => setAsked({ unsold, answer }));
  };
  const close = (isPublishing: boolean) => {
    asked?.answer(isPublishing);
    setAsked(undefined);
  };
  return [ask, asked && <SaleWarning unsold={asked.unsold} onAnswer={close} />];
}

function SaleWarning({ unsold, onAnswer }: { unsold: readonly Unsold[]; onAnswer: Asked['answer'] }) {
  const count = unsold.length;
  return (
    <DialogBox
      title={t('unsold.title', { count })}
      onClose={() => onAnswer(false)}
      actions={
        <>
          <Button onPress={() => onAnswer(false)}>{t('unsold.back')}</Button>
          <Button look="primary" onPress={() => onAnswer(true)}>
            {t('unsold.publish')}
          </Button>
        </>
      }
    >
      <p>{t('unsold.text', { count })}</p>
      <ul>
        {unsold.slice(0, MOST_LISTED).map(({ event, from }) => (
          <li key={event.id}>
            <strong>{event.title}</strong>, {when.day(event.start_date)}:{' '}
            {from ? t('unsold.later', { when: when.moment(from) }) : t('unsold.ended')}
          </li>
        ))}
      </ul>
      {count > MOST_LISTED && <p>{t('unsold.more', { count: count - MOST_LISTED })}</p>}
    </DialogBox>
  );
}
