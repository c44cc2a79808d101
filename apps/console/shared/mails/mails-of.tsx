import { useQuery } from '@tanstack/react-query';
import { useRight } from '../../data/account.ts';
import { read } from '../../data/queries.ts';
import { MANAGES_ATTENDEES } from '../../data/rights.ts';
import { MailCards } from './mail-cards.tsx';
import { isUndelivered, t } from './mails.ts';

/** Number of shown mails; few records have more. */
const MOST = 20;

/** Mails about an order or an attendee, with their delivery. */
export const MailsOf = (subject: { order: number } | { attendee: number }) =>
  useRight(...MANAGES_ATTENDEES) ? <List {...subject} /> : null;

function List(subject: { order: number } | { attendee: number }) {
  const { data } = useQuery({ ...read('GET /admin/v1/mails', { ...subject, per_page: MOST }), staleTime: 0 });
  if (!data || data.mails.length === 0) return null;
  return (
    <section className="form-section" aria-labelledby="mails">
      <h2 id="mails">{t('title')}</h2>
      <MailCards mails={data.mails} />
    </section>
  );
}

/** Says that the last mail about an order has not arrived. */
export const MailNotice = ({ order }: { order: number }) =>
  useRight(...MANAGES_ATTENDEES) ? <Notice order={order} /> : null;

function Notice({ order }: { order: number }) {
  const { data } = useQuery({ ...read('GET /admin/v1/mails', { order, per_page: MOST }), staleTime: 0 });
  const last = data?.mails[0];
  if (!last || !isUndelivered(last)) return null;
  return (
    <p className="notice" role="status">
      {t(`notice.${last.status as 'held' | 'failed' | 'bounced'}`, { to: last.to })}
    </p>
  );
}
