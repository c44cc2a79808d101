import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Event, FullOrder } from '../../../../packages/client/src/marquee-client.ts';
import { orderNumber } from '../../../../src/lib/order-number.ts';
import { useSite } from '../../data/account.ts';
import { money, when } from '../../i18n/formats.ts';
import { EventLines, useEventsOf } from '../../shared/events/event-lines.tsx';
import { whereOf } from '../../shared/events/listed-events.ts';
import { paymentName } from '../../shared/orders/order-status.tsx';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { usePaper } from '../../ui/paper.ts';
import { useShortcut } from '../../ui/shortcuts.ts';
import { t } from './routes.ts';

/** Sheets of printers, a roll of 80 mm as receipt printers have, and labels of 62 mm. */
const PAPERS = ['a4', 'roll', 'label'] as const;
type Paper = (typeof PAPERS)[number];

/** Printed part. */
type Part = 'tickets' | 'receipt';

const STORED = 'marquee-console-paper';

/** Paper that was last chosen in this browser. */
function storedPaper(): Paper {
  const chosen = localStorage.getItem(STORED);
  return PAPERS.find((paper) => paper === chosen) ?? 'a4';
}

const storePaper = (paper: Paper): void => localStorage.setItem(STORED, paper);

/** Milliseconds during which a second press of Enter does not leave the codes. */
const PAUSE = 600;

/** The sold tickets, with their codes to show or print, and a receipt. */
export function Sold({ order, onNext }: { order: FullOrder; onNext: () => void }) {
  const { id, attendees, items, total, currency, url } = order;
  const [paper, setPaper] = useState(storedPaper);
  const [printed, setPrinted] = useState<Part>('tickets');
  const events = useEventsOf(items.map(({ event_id }) => event_id));
  const shownAt = useRef(performance.now());
  const next = () => {
    if (performance.now() - shownAt.current > PAUSE) onNext();
  };
  usePaper(paper);
  useShortcut('n', t('next'), onNext);
  const printPart = (part: Part) => {
    flushSync(() => setPrinted(part));
    print();
  };
  return (
    <Page
      title={t('sold', { total: money(total.minor, currency) })}
      note={
        <Link to="/orders/$id" params={{ id: String(id) }}>
          {t('order', { number: orderNumber(id) })}
        </Link>
      }
      actions={
        <>
          {url && (
            <a className="button" href={url} target="_blank" rel="noreferrer">
              <Icon name="open" />
              {t('tickets')}
            </a>
          )}
          <Button look="primary" onPress={next} autoFocus>
            {t('next')}
          </Button>
        </>
      }
    >
      <p role="status" className="soft counter-done">
        {t('done', { count: attendees.length })}
      </p>
      <PrintActions paper={paper} onPaper={setPaper} onPrint={printPart} />
      <Codes order={order} events={events} paper={paper} isPrinted={printed === 'tickets'} />
      <Receipt order={order} events={events} paper={paper} isPrinted={printed === 'receipt'} />
    </Page>
  );
}

interface PrintedProps {
  order: FullOrder;
  events: ReadonlyMap<number, Event> | undefined;
  paper: Paper;
  isPrinted: boolean;
}

interface PrintActionsProps {
  paper: Paper;
  onPaper: (paper: Paper) => void;
  onPrint: (part: Part) => void;
}

function PrintActions({ paper, onPaper, onPrint }: PrintActionsProps) {
  return (
    <div className="counter-print">
      <SelectField
        label={t('paper')}
        value={paper}
        onChange={(chosen) => {
          storePaper(chosen);
          onPaper(chosen);
        }}
        choices={PAPERS.map((value: Paper) => ({ value, label: t(`paper.${value}`) }))}
      />
      <Button icon="print" onPress={() => onPrint('tickets')}>
        {t('print')}
      </Button>
      <Button icon="print" onPress={() => onPrint('receipt')}>
        {t('print_receipt')}
      </Button>
    </div>
  );
}

/** Codes of the places. */
function Codes({ order: { id, attendees, items }, events, paper, isPrinted }: PrintedProps) {
  const itemOf = new Map(items.map((item) => [item.ticket_id, item]));
  return (
    <ul className={`codes print-${paper}`} data-printed={isPrinted}>
      {attendees.map(({ id: attendee, name, ticket_id }, index) => {
        const item = itemOf.get(ticket_id);
        return (
          <li key={attendee}>
            <img
              src={`/calendar/tickets/v1/qr/${attendee}`}
              alt={t('code', { number: index + 1, title: item?.title ?? '' })}
              width={192}
              height={192}
            />
            {item && events && <EventLines event={events.get(item.event_id)} hasTimes />}
            <strong>{item?.title}</strong>
            <span className="soft">
              {name} · {t('order', { number: orderNumber(id) })}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Receipt, on paper only. */
function Receipt({ order, events, paper, isPrinted }: PrintedProps) {
  const { name, payment_ways: ways } = useSite();
  const { id, items, total, currency, gateway, date } = order;
  return (
    <section className={`receipt print-${paper}`} data-printed={isPrinted} aria-hidden="true">
      <h2>{name}</h2>
      <p>
        {t('receipt', { number: orderNumber(id) })}
        <br />
        {when.moment(date)}
      </p>
      <table>
        <tbody>
          {items.map(({ ticket_id, event_id, title, quantity, subtotal }) => {
            const event = events?.get(event_id);
            return (
              <tr key={ticket_id}>
                <td>
                  {quantity} × {title}
                  {event && (
                    <small>
                      {event.title}, {when.span(event)}
                      {whereOf(event) && `, ${whereOf(event)}`}
                    </small>
                  )}
                </td>
                <td>{money(subtotal.minor, currency)}</td>
              </tr>
            );
          })}
        </tbody>
        <tfoot>
          <tr>
            <td>{t('receipt.total')}</td>
            <td>{money(total.minor, currency)}</td>
          </tr>
          <tr>
            <td colSpan={2}>{t('receipt.paid', { way: paymentName(gateway, ways) })}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
