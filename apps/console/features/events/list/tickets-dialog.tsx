import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Event, Ticket } from '../../../../../packages/client/src/marquee-client.ts';
import { callEach } from '../../../../client/batch.ts';
import { call } from '../../../../client/call.ts';
import { useMe, useSite } from '../../../data/account.ts';
import { useBulk } from '../../../data/bulk-action.ts';
import { mayManageTickets } from '../../../data/post-rights.ts';
import { refresh } from '../../../data/queries.ts';
import { when } from '../../../i18n/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { DialogBox } from '../../../ui/dialog-box.tsx';
import { SelectField, TextField } from '../../../ui/fields.tsx';
import { Failure, RowsLoading } from '../../../ui/states.tsx';
import { BulkReport } from '../../../ui/table/bulk-bar.tsx';
import type { Selection } from '../../../ui/table/selection.ts';
import { toast } from '../../../ui/toast.tsx';
import { readTickets } from '../read-tickets.ts';
import { t } from '../routes.ts';
import {
  CLOSINGS,
  OPENINGS,
  type PlannedChange,
  planChanges,
  type TicketBody,
  type TicketChange,
} from './ticket-change.ts';

const FIELDS = ['sale', 'capacity'] as const;

interface Values {
  field: (typeof FIELDS)[number];
  opens: (typeof OPENINGS)[number];
  closes: (typeof CLOSINGS)[number];
  days: string;
  hours: string;
  places: string;
}

const FIRST: Values = { field: 'sale', opens: 'keep', closes: 'keep', days: '30', hours: '1', places: '' };

/** The change that the form describes; undefined until it is complete. */
function changeOf({ field, opens, closes, days, hours, places }: Values): TicketChange | undefined {
  if (field === 'capacity') return places === '' ? undefined : { field, places: Number(places) };
  if (opens === 'keep' && closes === 'keep') return undefined;
  if ((opens === 'days' && days === '') || (closes === 'hours' && hours === '')) return undefined;
  return { field, opens, closes, days: Number(days), hours: Number(hours) };
}

/** Writes a ticket if it is unchanged; its one-time token is for one ticket, so that a batch cannot write several. */
const write = ({ id, ticket }: PlannedChange, body: TicketBody, revision: number | undefined) =>
  call(
    'PATCH /tickets/v1/tickets/{id}',
    { id, post_id: ticket.post_id, ...body },
    revision === undefined ? {} : { revision },
  );

/**
 * Undoes all changes that no other user has changed since.
 * @throws {Problem} the first one, after all calls have been sent
 */
async function undoAll(changed: readonly PlannedChange[], answers: readonly unknown[]): Promise<void> {
  // Each response is the changed ticket.
  const revisionOf = (index: number) => (answers[index] as { revision?: number }).revision;
  const undone = await callEach(changed.map((one, index) => () => write(one, one.former, revisionOf(index))));
  const failed = undone.find(({ problem }) => problem);
  if (failed) throw failed.problem;
}

const refreshAll = () =>
  Promise.all([refresh('/tickets/v1/tickets'), refresh('/admin/v1/'), refresh('/events/v1/events')]);

/** Events of the selection whose tickets the account may change, with their tickets. */
function useTicketsOf(read: Selection<Event>['read']) {
  const me = useMe();
  return useQuery({
    // The selection stays the same while the dialog is open.
    queryKey: ['bulk tickets'],
    queryFn: async ({ signal }) => {
      const all = await read({ signal });
      const events = all.filter((event) => mayManageTickets(me, event));
      return { events, tickets: await readTickets(events, signal) };
    },
    staleTime: 0,
    gcTime: 0,
  });
}

/** Writes planned changes, and offers to undo them. */
function useTicketChanges(onChanged: () => void) {
  const bulk = useBulk((one: PlannedChange) => () => write(one, one.body, one.ticket.revision), callEach);
  const start = (changes: readonly PlannedChange[]) =>
    bulk.start(t('tickets.title'), changes, async ({ changed, answers, of }) => {
      await refreshAll();
      const undo = async () => {
        try {
          await undoAll(changed, answers);
        } finally {
          await refreshAll();
        }
      };
      if (changed.length > 0) toast(t('tickets.changed', { count: changed.length }), { undo });
      if (changed.length === of) onChanged();
    });
  return { bulk, start };
}

interface TicketsDialogProps {
  selection: Selection<Event>;
  onClose: () => void;
}

/** Sets the sale or the places of the tickets of many events, after a preview. */
export function TicketsDialog({ selection: { count, read, clear }, onClose }: TicketsDialogProps) {
  const { timezone: zone } = useSite();
  const [values, setValues] = useState(FIRST);
  const { data, error, refetch } = useTicketsOf(read);
  const change = changeOf(values);
  const planned = data && change && planChanges(change, data.tickets, { events: data.events, zone });
  const close = () => {
    clear();
    onClose();
  };
  const { bulk, start } = useTicketChanges(close);
  if (bulk.run)
    return (
      <BulkReport
        bulk={bulk}
        nameOf={({ event, ticket }) => `${event.title}: ${ticket.title}`}
        renew={(one, record) => ({ ...one, ticket: record as Ticket })}
        onClose={close}
      />
    );
  return (
    <DialogBox
      title={t('tickets.of', { count })}
      onClose={onClose}
      actions={
        planned &&
        planned.length > 0 && (
          <Button look="primary" onPress={() => void start(planned)}>
            {t('tickets.start', { count: planned.length })}
          </Button>
        )
      }
    >
      <Fields values={values} onChange={(changes) => setValues({ ...values, ...changes })} />
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <RowsLoading rows={2} />}
      {data && planned && <Preview planned={planned} of={data.tickets.length} />}
    </DialogBox>
  );
}

interface FieldsProps {
  values: Values;
  onChange: (changes: Partial<Values>) => void;
}

function Fields({ values: { field, opens, closes, days, hours, places }, onChange }: FieldsProps) {
  const number = (name: 'days' | 'hours' | 'places', value: string) => ({
    label: t(`tickets.${name}`),
    value,
    onChange: (typed: string) => onChange({ [name]: typed.replace(/\D/g, '').slice(0, 6) }),
    inputMode: 'numeric' as const,
  });
  return (
    <>
      <SelectField
        label={t('edit.field')}
        value={field}
        onChange={(next) => onChange({ field: next })}
        choices={FIELDS.map((value) => ({ value, label: t(`tickets.${value}`) }))}
      />
      {field === 'capacity' && <TextField {...number('places', places)} hint={t('tickets.places_hint')} />}
      {field === 'sale' && (
        <>
          <div className="form-row">
            <SelectField
              label={t('tickets.opens')}
              value={opens}
              onChange={(next) => onChange({ opens: next })}
              choices={OPENINGS.map((value) => ({ value, label: t(`tickets.opens.${value}`) }))}
            />
            {opens === 'days' && <TextField {...number('days', days)} />}
          </div>
          <div className="form-row">
            <SelectField
              label={t('tickets.closes')}
              value={closes}
              onChange={(next) => onChange({ closes: next })}
              choices={CLOSINGS.map((value) => ({ value, label: t(`tickets.closes.${value}`) }))}
            />
            {closes === 'hours' && <TextField {...number('hours', hours)} />}
          </div>
        </>
      )}
    </>
  );
}

/** Maximum number of listed tickets. */
const MOST_LINES = 6;

/** Tells which tickets change and how, and how many stay as they are. */
function Preview({ planned, of }: { planned: readonly PlannedChange[]; of: number }) {
  const rest = of - planned.length;
  return (
    <div className="bulk-preview" role="status">
      <p>
        <strong>{t('tickets.changes', { count: planned.length })}</strong>{' '}
        {rest > 0 && t('tickets.rest', { count: rest })}
      </p>
      <ul>
        {planned.slice(0, MOST_LINES).map((one) => (
          <li key={one.id}>{`${one.event.title}, ${one.ticket.title}: ${becomes(one)}`}</li>
        ))}
      </ul>
      {planned.length > MOST_LINES && <p className="soft">{t('edit.more', { count: planned.length - MOST_LINES })}</p>}
    </div>
  );
}

/** New values of a ticket, in words. */
function becomes({
  body: { start_date, start_time, end_date, end_time, ticket: stock },
  ticket,
}: PlannedChange): string {
  const from = start_date && t('tickets.from', { when: when.moment(`${start_date} ${start_time}`) });
  const until = end_date && t('tickets.until', { when: when.moment(`${end_date} ${end_time}`) });
  if (from || until) return [from, until].filter(Boolean).join(', ');
  const places = Number(stock?.event_capacity ?? stock?.capacity ?? 0);
  const { sold = 0, max = 0, global_stock_mode: mode } = ticket.capacity_details;
  const isLess = sold > places && mode !== 'global';
  const former = mode === '' || max < 0 ? t('tickets.unlimited') : String(max);
  return t(isLess ? 'tickets.becomes_less' : 'tickets.becomes', { former, places, sold });
}
