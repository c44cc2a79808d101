import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminAttendee, Attendee } from '../../../../packages/client/src/marquee-client.ts';
import { orderNumber } from '../../../../src/lib/order-number.ts';
import { call } from '../../../client/call.ts';
import { useRight } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { queries, read, refresh } from '../../data/queries.ts';
import { MANAGES_ATTENDEES, READS_ORDERS, SELLS } from '../../data/rights.ts';
import { money, when } from '../../i18n/formats.ts';
import { EventHeading, useEventsOf } from '../../shared/events/event-lines.tsx';
import { MailsOf } from '../../shared/mails/mails-of.tsx';
import { isUnpaid } from '../../shared/orders/unpaid.ts';
import { ConflictDialog } from '../../shared/record/conflict-dialog.tsx';
import { UnsavedBar } from '../../shared/record/unsaved-bar.tsx';
import { type RecordKind, useRecord } from '../../shared/record/use-record.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { Switch, TextField } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { CopyButton } from '../../ui/secret.tsx';
import { Failure, RowsLoading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { t } from './routes.ts';

const fieldsOf = ({ title, email = '', optout }: Attendee) => ({
  full_name: title ?? '',
  email,
  optout: optout === true,
});
type AttendeeFields = ReturnType<typeof fieldsOf>;

const attendeeKind: RecordKind<Attendee, AttendeeFields> = {
  path: '/admin/v1/attendees',
  read: (id) => read('GET /tickets/v1/attendees/{id}', { id }),
  write: (id, patch, options) => call('PATCH /tickets/v1/attendees/{id}', { id, ...patch }, options),
  fieldsOf,
  isDraft: () => false,
};

const labelOf = (name: string): string => t(`field.${name as keyof AttendeeFields}`);

/** Panel of one attendee beside the list: personal data, ticket and check-ins. */
export function AttendeePanel({ id, onClose }: { id: number; onClose: () => void }) {
  const mayManage = useRight(...MANAGES_ATTENDEES);
  const seesTicket = useRight(...READS_ORDERS);
  const { data, error, retry } = useRecord(attendeeKind, id);
  return (
    <DialogBox title={data ? (data.record.title ?? '') : t('attendee')} onClose={onClose} isPanel>
      {error !== undefined && error !== null && <Failure error={error} onRetry={retry} />}
      {!data && !error && <RowsLoading />}
      {data && <EventOf attendee={data.record} />}
      {data && !mayManage && (
        <>
          <p className="soft">
            {data.record.email}
            <br />
            {data.record.ticket?.title}
          </p>
          {seesTicket && <TicketOf id={id} mayManage={false} />}
        </>
      )}
      {data && mayManage && (
        <>
          <TextField label={labelOf('full_name')} {...data.field('full_name')} isRequired />
          <TextField label={labelOf('email')} {...data.field('email')} type="email" isRequired />
          <OptOut {...data.field('optout')} />
          <Answers record={data.record} />
          <UnsavedBar edited={data} />
          <ConflictDialog edited={data} labelOf={labelOf} />
          <TicketOf id={id} mayManage />
          <MailsOf attendee={id} />
        </>
      )}
    </DialogBox>
  );
}

function EventOf({ attendee: { post_id } }: { attendee: Attendee }) {
  const events = useEventsOf([post_id]);
  const event = events?.get(post_id);
  return event ? <EventHeading event={event} /> : null;
}

function OptOut({ value, onChange }: { value: boolean; onChange: (value: boolean) => void }) {
  return (
    <Switch isSelected={value} onChange={onChange}>
      {labelOf('optout')}
    </Switch>
  );
}

/** Answers to the registration questions. */
function Answers({ record: { information } }: { record: Attendee }) {
  const answers = Object.entries(information ?? {}).filter(([, value]) => typeof value === 'string');
  if (answers.length === 0) return null;
  return (
    <section>
      <h3>{t('answers')}</h3>
      <dl className="facts">
        {answers.map(([question, answer]) => (
          <div key={question}>
            <dt>{question}</dt>
            <dd>{String(answer)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The holder's ticket, and the log of check-ins. */
function TicketOf({ id, mayManage }: { id: number; mayManage: boolean }) {
  const maySell = useRight(...SELLS);
  const { data, error } = useQuery(read('GET /admin/v1/attendees/{id}', { id }));
  if (error) return <Failure error={error} />;
  if (!data) return null;
  return (
    <>
      {maySell && data.order_id !== null && isUnpaid(data.standing) && <Unpaid orderId={data.order_id} />}
      {mayManage ? <Holder attendee={data} /> : <QrCode text={data.content} label={t('code')} />}
      <section>
        <h3>{t('door')}</h3>
        {data.check_ins.length === 0 && <p className="soft">{t('door.none')}</p>}
        <ul className="plain-list">
          {data.check_ins.map(({ action, date_utc, device, source }) => (
            <li key={`${date_utc} ${action}`}>
              {t(`door.${action}`)} <span className="soft">{when.ago(date_utc)}</span>{' '}
              <span className="soft">{device || t(source === 'app' ? 'door.scan' : 'door.desk')}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

/** Amount that the order still has to be paid, and a button that records the payment. */
function Unpaid({ orderId }: { orderId: number }) {
  const { data: order } = useQuery(read('GET /admin/v1/orders/{id}', { id: orderId }));
  const [isAsking, setAsking] = useState(false);
  const pay = useAction(() => call('PATCH /admin/v1/orders/{id}', { id: orderId, status: 'completed' }), {
    onSuccess: async () => {
      await refresh('/admin/v1/');
      setAsking(false);
      toast(t('unpaid.done'));
    },
  });
  if (!order || !isUnpaid(order.status)) return null;
  const number = orderNumber(orderId);
  const amount = money(order.total.minor, order.currency);
  return (
    <section className="holder" aria-labelledby="unpaid">
      <h3 id="unpaid">{t('unpaid', { amount })}</h3>
      <p className="soft">{t('unpaid.order', { number, name: order.purchaser.name })}</p>
      <Button look="primary" onPress={() => setAsking(true)}>
        {t('unpaid.take', { amount })}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('unpaid.title', { amount })}
          action={t('unpaid.confirm')}
          isPending={pay.isPending}
          error={pay.error}
          onConfirm={pay.run}
          onClose={() => setAsking(false)}
        >
          <p>{t('unpaid.text', { number })}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function TicketLink({ url }: { url: string }) {
  return (
    <>
      <a className="button" href={url} target="_blank" rel="noreferrer">
        <Icon name="open" />
        {t('link.open')}
      </a>
      <CopyButton text={url} label={t('link.copy')} />
    </>
  );
}

interface HolderProps {
  /** Without the address of the ticket for users who may not manage attendees. */
  attendee: Omit<AdminAttendee, 'url'> & { url?: string };
}

function Holder({ attendee: { id, content, url } }: HolderProps) {
  const [isAsking, setAsking] = useState(false);
  const renew = useAction(() => call('POST /admin/v1/attendees/{id}/security-code', { id }), {
    onSuccess: async (renewed) => {
      queries.setQueryData(read('GET /admin/v1/attendees/{id}', { id }).queryKey, renewed);
      await refresh('/admin/v1/attendees');
      setAsking(false);
      toast(t('code.renewed'));
    },
  });
  return (
    <section className="holder">
      <h3>{t('ticket')}</h3>
      <QrCode text={content} label={t('code')} />
      <div className="actions">
        {url !== undefined && <TicketLink url={url} />}
        <Button icon="key" onPress={() => setAsking(true)}>
          {t('code.renew')}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          role="alertdialog"
          title={t('code.title')}
          action={t('code.renew')}
          cancel={t('code.keep')}
          isPending={renew.isPending}
          error={renew.error}
          onConfirm={renew.run}
          onClose={() => setAsking(false)}
        >
          <p>{t('code.text')}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
