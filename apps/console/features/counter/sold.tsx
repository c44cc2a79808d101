import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { FullOrder } from '../../../../packages/client/src/marquee-client.ts';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { t } from './routes.ts';

/** The sold tickets, with their codes to show or print. */
export function Sold({ order, onNext }: { order: FullOrder; onNext: () => void }) {
  const { id, attendees, items, total, url } = order;
  const done = useRef<HTMLParagraphElement>(null);
  // Not on a button: a second press of Enter would leave the codes unseen.
  useEffect(() => done.current?.focus(), []);
  useShortcut('n', t('next'), onNext);
  const titles = new Map(items.map(({ ticket_id, title }) => [ticket_id, title]));
  return (
    <Page
      title={t('sold', { total: total.formatted })}
      note={
        <Link to="/orders/$id" params={{ id: String(id) }}>
          {t('order', { number: `#${id}` })}
        </Link>
      }
      actions={
        <>
          <Button icon="print" onPress={() => print()}>
            {t('print')}
          </Button>
          <a className="button" href={url} target="_blank" rel="noreferrer">
            <Icon name="open" />
            {t('tickets')}
          </a>
          <Button look="primary" onPress={onNext}>
            {t('next')}
          </Button>
        </>
      }
    >
      <p ref={done} tabIndex={-1} className="soft counter-done">
        {t('done', { count: attendees.length })}
      </p>
      <ul className="codes">
        {attendees.map(({ id: attendee, name, ticket_id }, index) => (
          <li key={attendee}>
            <img
              src={`/calendar/tickets/v1/qr/${attendee}`}
              alt={t('code', { number: index + 1, title: titles.get(ticket_id) ?? '' })}
              width={192}
              height={192}
            />
            <strong>{titles.get(ticket_id)}</strong>
            <span className="soft">{name}</span>
          </li>
        ))}
      </ul>
    </Page>
  );
}
