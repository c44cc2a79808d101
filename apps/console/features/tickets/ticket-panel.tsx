import { useState } from 'react';
import type { ShownTicket, Ticket } from '../../../../packages/client/src/marquee-client.ts';
import { ConflictDialog } from '../../shared/record/conflict-dialog.tsx';
import { UnsavedBar } from '../../shared/record/unsaved-bar.tsx';
import { type EditedRecord, useRecord } from '../../shared/record/use-record.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { DayField, MomentField, SelectField, TextField } from '../../ui/fields.tsx';
import { Failure, FormProblem, RowsLoading } from '../../ui/states.tsx';
import { t } from './routes.ts';
import type { TicketFields } from './ticket-fields.ts';
import { ticketKind } from './ticket-kind.ts';

const MODES = ['own', 'global', 'capped', ''] as const;
const NAMED = { own: 'mode.own', global: 'mode.global', capped: 'mode.capped', '': 'mode.none' } as const;

type Label = Parameters<typeof t>[0];
type FieldName = 'name' | 'description' | 'price' | 'mode' | 'capacity' | 'max_per_order' | 'from' | 'until' | Reduced;
type Reduced = 'reduced' | 'reduced_from' | 'reduced_until';
const LABELS: Readonly<Record<FieldName, Label>> = {
  ...{ name: 'name', description: 'description', price: 'price', mode: 'places', capacity: 'places.own' },
  ...{ max_per_order: 'per_order', from: 'sale.from', until: 'sale.until' },
  ...{ reduced: 'reduced', reduced_from: 'reduced.from', reduced_until: 'reduced.until' },
};
/** Names come from the fields of the record. */
const labelOf = (name: string): string => t(LABELS[name as 'name']);

interface PanelProps {
  id: number;
  onClose: () => void;
  onDelete: () => Promise<void>;
}

/** One ticket at the side of the list. */
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

function Form({ edited }: { edited: EditedRecord<ShownTicket, TicketFields> }) {
  const { field, values, record } = edited;
  const isPriced = record.provider !== 'rsvp';
  const most = field('max_per_order');
  const mode = { ...field('mode'), value: MODES.find((one) => one === values.mode) ?? '' };
  return (
    <>
      <TextField label={labelOf('name')} {...field('name')} isRequired />
      <TextField label={labelOf('description')} {...field('description')} rows={2} />
      {isPriced && <TextField label={labelOf('price')} {...field('price')} inputMode="decimal" />}
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
        <>
          <TextField label={labelOf('reduced')} hint={t('reduced.hint')} {...field('reduced')} inputMode="decimal" />
          {values.reduced !== '' && (
            <div className="form-row">
              <DayField label={labelOf('reduced_from')} {...field('reduced_from')} />
              <DayField label={labelOf('reduced_until')} {...field('reduced_until')} />
            </div>
          )}
        </>
      )}
      <MomentField label={labelOf('from')} {...field('from')} />
      <MomentField label={labelOf('until')} {...field('until')} />
      <UnsavedBar edited={edited} />
      <ConflictDialog edited={edited} labelOf={labelOf} />
    </>
  );
}

interface DeleteProps {
  record: ShownTicket;
  onDelete: () => Promise<void>;
  onClose: () => void;
}

/** Says what deleting a ticket does, in numbers. */
function DeleteDialog({ record, onDelete, onClose }: DeleteProps) {
  const [error, setError] = useState<unknown>();
  // Who may delete a ticket sees all of it.
  const count = (record as Ticket).capacity_details.sold ?? 0;
  return (
    <DialogBox
      role="alertdialog"
      title={t('delete')}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('delete.keep')}</Button>
          <Button look="bad" onPress={() => void onDelete().catch(setError)}>
            {t('delete')}
          </Button>
        </>
      }
    >
      <p>{count === 0 ? t('delete.unsold') : t('delete.sold', { count })}</p>
      {error !== undefined && <FormProblem error={error} />}
    </DialogBox>
  );
}
