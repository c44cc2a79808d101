import { useState } from 'react';
import type { FullOrder } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { useRight } from '../../data/account.ts';
import { MANAGES_ATTENDEES } from '../../data/rights.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { TextField } from '../../ui/fields.tsx';
import { type DataColumn, DataTable } from '../../ui/table/data-table.tsx';
import { toast } from '../../ui/toast.tsx';
import { Preview } from './preview.tsx';
import { RefundDialog } from './refund-dialog.tsx';
import { t } from './routes.ts';

type Attendee = FullOrder['attendees'][number];

const columns = (order: FullOrder): DataColumn<Attendee>[] => [
  { id: 'name', label: t('field.name'), render: ({ name }) => <span className="row-title">{name}</span> },
  {
    id: 'ticket',
    label: t('ticket'),
    render: ({ ticket_id, pass }) => (
      <>
        {order.items.find((item) => item.ticket_id === ticket_id)?.title}
        {pass && <span className="badge">{t('pass')}</span>}
      </>
    ),
  },
  { id: 'state', label: t('state'), render: (attendee) => <AttendeeState attendee={attendee} /> },
];

function AttendeeState({ attendee: { status, checked_in } }: { attendee: Attendee }) {
  if (status !== 'publish') return <span className="badge">{t('attendee.archived')}</span>;
  if (checked_in) return <span className="badge good">{t('attendee.in')}</span>;
  return <span className="badge">{t('attendee.expected')}</span>;
}

/** Attendees of an order; seats can be cancelled one by one. */
export function Attendees({ order }: { order: FullOrder }) {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [isCancelling, setCancelling] = useState(false);
  const [shown, setShown] = useState<Attendee>();
  const places = order.attendees.filter(({ id, status }) => selected.has(id) && status === 'publish');
  const CancelDialog = useRight('refund') && order.paid.minor > 0 ? RefundDialog : Cancellation;
  const mayCancel = useRight(...MANAGES_ATTENDEES) && order.next.length > 0;
  return (
    <section className="form-section" aria-labelledby="attendees">
      <h2 id="attendees">{t('attendees')}</h2>
      <div>
        <DataTable
          label={t('attendees')}
          columns={columns(order)}
          rows={order.attendees}
          {...(mayCancel && { selected, onSelect: setSelected })}
          onOpen={setShown}
        />
      </div>
      {places.length > 0 && (
        <div className="actions">
          <Button onPress={() => setCancelling(true)}>{t('cancel', { count: places.length })}</Button>
        </div>
      )}
      {isCancelling && (
        <CancelDialog
          order={order}
          places={places.map(({ id }) => id)}
          onClose={() => setCancelling(false)}
          onDone={() => setSelected(new Set())}
        />
      )}
      {shown && <Code order={order} attendee={shown} onClose={() => setShown(undefined)} />}
    </section>
  );
}

interface CancellationProps {
  order: FullOrder;
  /** Ids of attendees. */
  places: readonly number[];
  onClose: () => void;
  onDone: () => void;
}

/** Previews the cancellation of seats, and asks for the reason. */
function Cancellation({ order, places, onClose, onDone }: CancellationProps) {
  const [reason, setReason] = useState('');
  // Keep the selection while the order is read again.
  const [ids] = useState(() => [...places]);
  const { id } = order;
  const done = () => {
    onClose();
    onDone();
    toast(t('cancelled', { count: ids.length }));
  };
  return (
    <Preview
      order={order}
      title={t('cancel', { count: ids.length })}
      verb={t('cancel', { count: ids.length })}
      name={`cancel ${ids}`}
      isFinal
      act={({ dry_run, revision }) =>
        call(
          'POST /admin/v1/orders/{id}/cancel-places',
          { id, attendees: ids, dry_run, ...(reason && !dry_run && { reason }) },
          { revision },
        )
      }
      onDone={done}
      onClose={onClose}
    >
      <TextField label={t('reason')} value={reason} onChange={setReason} hint={t('reason.hint')} maxLength={500} />
    </Preview>
  );
}

/** Code of a ticket. */
function Code({ order, attendee, onClose }: { order: FullOrder; attendee: Attendee; onClose: () => void }) {
  const { id, name, email, status } = attendee;
  const isAdmitted = status === 'publish' && order.status === 'completed';
  return (
    <DialogBox title={name} onClose={onClose}>
      {email && <p className="soft">{email}</p>}
      {isAdmitted ? (
        <img
          className="code"
          src={`/calendar/tickets/v1/qr/${id}`}
          alt={t('code.of', { name })}
          width={256}
          height={256}
        />
      ) : (
        <p>{t('code.none')}</p>
      )}
    </DialogBox>
  );
}
