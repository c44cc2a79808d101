import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Mail } from '../../../../packages/client/src/marquee-client.ts';
import { orderNumber } from '../../../../src/lib/order-number.ts';
import { when } from '../../i18n/formats.ts';
import { Button } from '../../ui/button.tsx';
import { MailPanel } from './mail-panel.tsx';
import { isUndelivered, t } from './mails.ts';
import './mails.css';

const LOOKS = {
  queued: 'badge',
  sent: 'badge good',
  held: 'badge bad',
  failed: 'badge bad',
  bounced: 'badge bad',
} as const;

interface MailCardsProps {
  mails: readonly Mail[];
  /** Whether each names its order. */
  withOrders?: boolean;
}

/** Mails with their delivery; one opens in a panel. */
export function MailCards({ mails, withOrders = false }: MailCardsProps) {
  const [opened, setOpened] = useState<number>();
  return (
    <>
      <ul className="cards mail-cards">
        {mails.map((mail) => (
          <MailCard key={mail.id} mail={mail} withOrder={withOrders} onOpen={() => setOpened(mail.id)} />
        ))}
      </ul>
      {opened !== undefined && <MailPanel id={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function MailCard({ mail, withOrder, onOpen }: { mail: Mail; withOrder: boolean; onOpen: () => void }) {
  const { id, kind, status, to, order, reply, sent_utc, created_utc, due_utc, attempts } = mail;
  const name = t(`kind.${kind}`);
  return (
    <li className="card">
      <div>
        <p>
          <span className="mail-kind">{name}</span> <span className={LOOKS[status]}>{t(`status.${status}`)}</span>
        </p>
        <p className="soft">
          {to} · {when.ago(sent_utc ?? created_utc)}
          {withOrder && order !== null && (
            <>
              {' · '}
              <Link to="/orders/$id" params={{ id: String(order) }}>
                {t('order', { number: orderNumber(order) })}
              </Link>
            </>
          )}
        </p>
        {status === 'queued' && attempts > 0 && due_utc && (
          <p className="soft">{t('again_at', { ago: when.ago(due_utc), count: attempts })}</p>
        )}
        {(isUndelivered(mail) || status === 'queued') && reply !== '' && <p className="soft mail-reply">{reply}</p>}
      </div>
      <Button aria-label={t('open_of', { kind: name, to, id: String(id) })} onPress={onOpen}>
        {t('open')}
      </Button>
    </li>
  );
}
