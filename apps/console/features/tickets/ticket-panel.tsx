import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ShownTicket, Ticket } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { useAction } from '../../data/actions.ts';
import { read } from '../../data/queries.ts';
import { percent } from '../../i18n/formats.ts';
import { ConflictDialog } from '../../shared/record/conflict-dialog.tsx';
import { UnsavedBar } from '../../shared/record/unsaved-bar.tsx';
import { type EditedRecord, type RecordKind, useRecord } from '../../shared/record/use-record.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { DayField, MomentField, SelectField, TextField } from '../../ui/fields.tsx';
import { Failure, RowsLoading } from '../../ui/states.tsx';
import { MissingDates } from './missing-dates.tsx';
import { t } from './routes.ts';
import { changeOf, type TicketFields } from './ticket-fields.ts';

/** Defaults of omitted fields. */
const PRESET_PER_ORDER = 20;

function fieldsOf(ticket: ShownTicket): TicketFields {
  // Anyone who may change a ticket may also see every field.
  const { title, description, cost_details, capacity_details, available_from, available_until, sale_price_data } =
    ticket as Ticket;
  const sale = Array.isArray(sale_price_data) || sale_price_data.enabled === '' ? undefined : sale_price_data;
  const { max_per_order = PRESET_PER_ORDER, min_per_order = '', tax_rate_id = '' } = ticket as Ticket;
  const { min_price = '', requires_code } = ticket as Ticket;
  const { max = -1, global_stock_mode = '' } = capacity_details;
  return {
    name: title,
    description,
    price: cost_details.values[0] ?? '',
    mode: global_stock_mode,
    capacity: max > 0 ? String(max) : '',
    max_per_order: String(max_per_order),
    min_per_order: String(min_per_order),
    tax_rate_id: String(tax_rate_id),
    min_price,
    requires_code: requires_code ? 'yes' : '',
    from: available_from,
    until: available_until,
    reduced: sale?.sale_price ?? '',
    reduced_from: sale?.start_date ?? '',
    reduced_until: sale?.end_date ?? '',
  };
}

/** Tickets in a form. */
const ticketKind: RecordKind<ShownTicket & { revision?: number }, TicketFields> = {
  path: '/tickets/v1/tickets',
  read: (id) => read('GET /tickets/v1/tickets/{id}', { id }),
  async write(id, patch, options) {
    const present = await call('GET /tickets/v1/tickets/{id}', { id });
    const change = changeOf(patch, fieldsOf(present));
    return call('PATCH /tickets/v1/tickets/{id}', { id, post_id: present.post_id, ...change }, options);
  },
  fieldsOf,
  isDraft: () => false,
};

const MODES = ['own', 'global', 'capped', ''] as const;
const NAMED = { own: 'mode.own', global: 'mode.global', capped: 'mode.capped', '': 'mode.none' } as const;

type Label = Parameters<typeof t>[0];
type FieldName =
  | ('name' | 'description' | 'price' | 'mode' | 'capacity' | 'from' | 'until')
  | ('max_per_order' | 'min_per_order' | 'tax_rate_id' | 'min_price' | 'requires_code')
  | Reduced;
type Reduced = 'reduced' | 'reduced_from' | 'reduced_until';
const LABELS: Readonly<Record<FieldName, Label>> = {
  name: 'name',
  description: 'description',
  price: 'price',
  mode: 'places',
  capacity: 'places.own',
  max_per_order: 'per_order',
  min_per_order: 'per_order.least',
  tax_rate_id: 'tax',
  min_price: 'price.least',
  requires_code: 'requires_code',
  from: 'sale.from',
  until: 'sale.until',
  reduced: 'reduced',
  reduced_from: 'reduced.from',
  reduced_until: 'reduced.until',
};
const labelOf = (name: string): string => t(LABELS[name as 'name']);

interface PanelProps {
  id: number;
  onClose: () => void;
  onDelete: () => Promise<void>;
}

/** Panel of one ticket beside the list. */
export function TicketPanel({ id, onClose, onDelete }: PanelProps) {
  const { data, error, retry } = useRecord(ticketKind, id);
  const [isAsking, setAsking] = useState(false);
  return (
    <DialogBox
      title={data?.values.name ?? t('ticket')}
      onClose={onClose}
      isPanel
      actions={
        data && (
          <Button icon="trash" look="plain" onPress={() => setAsking(true)}>
            {t('delete')}
          </Button>
        )
      }
    >
      {error !== undefined && error !== null && <Failure error={error} onRetry={retry} />}
      {!data && !error && <RowsLoading />}
      {data && <Form edited={data} />}
      {data && isAsking && <DeleteDialog record={data.record} onDelete={onDelete} onClose={() => setAsking(false)} />}
    </DialogBox>
  );
}

type Edited = EditedRecord<ShownTicket, TicketFields>;

function Form({ edited }: { edited: Edited }) {
  const { field, record } = edited;
  const isPriced = record.provider !== 'rsvp';
  return (
    <>
      {'pass' in record && record.pass && (
        <>
          <p className="notice info">{t('pass.note', { count: record.pass.dates })}</p>
          <MissingDates id={record.id} />
        </>
      )}
      <TextField label={labelOf('name')} {...field('name')} isRequired />
      <TextField label={labelOf('description')} {...field('description')} rows={2} />
      {isPriced && (
        <>
          <TextField label={labelOf('price')} {...field('price')} inputMode="decimal" />
          <TextField
            label={labelOf('min_price')}
            hint={t('price.least.hint')}
            {...field('min_price')}
            inputMode="decimal"
          />
        </>
      )}
      <PlaceFields edited={edited} isPriced={isPriced} />
      {isPriced && <SaleFields edited={edited} />}
      <MomentField label={labelOf('from')} {...field('from')} />
      <MomentField label={labelOf('until')} {...field('until')} />
      <UnsavedBar edited={edited} />
      <ConflictDialog edited={edited} labelOf={labelOf} />
    </>
  );
}

/** Number of places, in all and per order. */
function PlaceFields({ edited: { field, values }, isPriced }: { edited: Edited; isPriced: boolean }) {
  const most = field('max_per_order');
  const least = field('min_per_order');
  const mode = { ...field('mode'), value: MODES.find((one) => one === values.mode) ?? '' };
  return (
    <>
      {isPriced && (
        <SelectField
          label={labelOf('mode')}
          {...mode}
          choices={MODES.map((value) => ({ value, label: t(NAMED[value]) }))}
        />
      )}
      {(values.mode === 'own' || values.mode === 'capped' || !isPriced) && (
        <TextField
          label={t(values.mode === 'capped' ? 'places.most' : 'places.own')}
          {...field('capacity')}
          inputMode="numeric"
        />
      )}
      <TextField
        label={labelOf('max_per_order')}
        hint={t('per_order.hint')}
        {...most}
        onChange={(text) => most.onChange(text.replace(/\D/g, ''))}
        inputMode="numeric"
      />
      {isPriced && (
        <TextField
          label={labelOf('min_per_order')}
          {...least}
          onChange={(text) => least.onChange(text.replace(/\D/g, ''))}
          inputMode="numeric"
        />
      )}
    </>
  );
}

/** Tax, who may buy a ticket, and a reduced price. */
function SaleFields({ edited: { field, values } }: { edited: Edited }) {
  return (
    <>
      <TaxField {...field('tax_rate_id')} />
      <SelectField
        label={labelOf('requires_code')}
        hint={t('requires_code.hint')}
        {...field('requires_code')}
        choices={audiences()}
      />
      <TextField label={labelOf('reduced')} hint={t('reduced.hint')} {...field('reduced')} inputMode="decimal" />
      {values.reduced !== '' && (
        <div className="form-row">
          <DayField label={labelOf('reduced_from')} {...field('reduced_from')} />
          <DayField label={labelOf('reduced_until')} {...field('reduced_until')} />
        </div>
      )}
    </>
  );
}

/** Options for the audience of a ticket. */
const audiences = () => [
  { value: '', label: t('requires_code.no') },
  { value: 'yes', label: t('requires_code.yes') },
];

type TaxFieldProps = ReturnType<EditedRecord<ShownTicket, TicketFields>['field']>;

/** Tax of a ticket; absent on a site without tax rates. */
function TaxField(field: TaxFieldProps) {
  const { data } = useQuery(read('GET /admin/v1/tax-rates', { per_page: 100 }));
  if (!data || data.tax_rates.length === 0) return null;
  const rates = data.tax_rates.map(({ id, name, rate }) => ({ value: String(id), label: `${name} ${percent(rate)}` }));
  return (
    <SelectField label={labelOf('tax_rate_id')} {...field} choices={[{ value: '', label: t('tax.none') }, ...rates]} />
  );
}

interface DeleteProps {
  record: ShownTicket;
  onDelete: () => Promise<void>;
  onClose: () => void;
}

/** Asks before a ticket is deleted, with the number of tickets sold. */
function DeleteDialog({ record, onDelete, onClose }: DeleteProps) {
  const remove = useAction(onDelete);
  // Anyone who may delete a ticket may also see every field.
  const count = (record as Ticket).capacity_details.sold ?? 0;
  return (
    <ConfirmDialog
      role="alertdialog"
      title={t('delete')}
      action={t('delete')}
      cancel={t('delete.keep')}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={remove.run}
      onClose={onClose}
    >
      <p>{count === 0 ? t('delete.unsold') : t('delete.sold', { count })}</p>
      {'pass' in record && record.pass && <p>{t('pass.delete')}</p>}
    </ConfirmDialog>
  );
}
