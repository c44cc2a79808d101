import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import { ifUnchanged } from '../../../../client/batch.ts';
import { useRight } from '../../../data/account.ts';
import { useBatch } from '../../../data/bulk-action.ts';
import { Button } from '../../../ui/button.tsx';
import { type Choice, ChoiceBox } from '../../../ui/choice-box.tsx';
import { DialogBox } from '../../../ui/dialog-box.tsx';
import { SelectField, TextField } from '../../../ui/fields.tsx';
import { describe } from '../../../ui/states.tsx';
import { BulkReport } from '../../../ui/table/bulk-bar.tsx';
import type { Selection } from '../../../ui/table/selection.ts';
import { toastProblem } from '../../../ui/toast.tsx';
import { useOrganizers, useTags, useVenues } from '../choices.tsx';
import { t } from '../routes.ts';
import { useSaleWarning } from '../sale-warning.tsx';
import { BULK_FIELDS, type BulkChange, type BulkField, bodyOf, formerOf } from './bulk-change.ts';
import { changeCall, settle } from './event-changes.ts';

interface EditDialogProps {
  selection: Selection<Event>;
  onClose: () => void;
}

interface Values {
  records: readonly Choice[];
  text: string;
}

const NOTHING: Values = { records: [], text: '' };

/** Sets one field of many events, after a preview in numbers. */
export function EditDialog({ selection: { count, read, clear }, onClose }: EditDialogProps) {
  const [field, setField] = useState<BulkField>('venue');
  const [values, setValues] = useState(NOTHING);
  const change = changeOf(field, values);
  // The selection stays the same while the dialog is open.
  const { data: events, error } = useQuery({
    queryKey: ['bulk edit'],
    queryFn: ({ signal }) => read({ signal }),
    gcTime: 0,
  });
  const changing = change && events?.filter((event) => bodyOf(change, event) !== undefined);
  const close = () => {
    clear();
    onClose();
  };
  const { batch, start, question } = useEdit(change, close);
  if (batch.run) return <BulkReport bulk={batch} nameOf={({ title }) => title} onClose={close} />;
  return (
    <DialogBox
      title={t('edit.of', { count })}
      onClose={onClose}
      actions={
        changing !== undefined &&
        changing.length > 0 && (
          <Button look="primary" onPress={() => void start(changing).catch(toastProblem)}>
            {t('edit.start', { count: changing.length })}
          </Button>
        )
      }
    >
      <SelectField
        label={t('edit.field')}
        value={field}
        onChange={(next) => {
          setField(next);
          setValues(NOTHING);
        }}
        choices={BULK_FIELDS.map((value) => ({ value, label: t(`edit.${value}`) }))}
      />
      <ValueField field={field} values={values} onChange={setValues} />
      {error && <p role="alert">{describe(error)}</p>}
      {events && change && changing && <Preview events={events} changing={changing} change={change} />}
      {question}
    </DialogBox>
  );
}

/** Sets the field of events, and offers to undo that. Asks first if it publishes events whose tickets are not on sale. */
function useEdit(change: BulkChange | undefined, onEdited: () => void) {
  const [mayPublishUnsold, question] = useSaleWarning();
  const batch = useBatch((event: Event) =>
    // The write replaces the whole field, so the event must be unchanged.
    ifUnchanged(changeCall(event.id, (change && bodyOf(change, event)) ?? {}), event),
  );
  const start = async (events: readonly Event[]) => {
    if (!change) return;
    const publishes = change.field === 'status' && change.value === 'publish';
    if (publishes && !(await mayPublishUnsold(events))) return;
    await batch.start(t('edit.set', { field: t(`edit.${change.field}`) }), events, async (state) => {
      await settle('edited', state, (row, now) => ifUnchanged(changeCall(row.id, formerOf(change, row)), now));
      if (state.changed.length === state.of) onEdited();
    });
  };
  return { batch, start, question };
}

const STATUSES = ['publish', 'draft', 'pending', 'private'] as const;

interface ValueFieldProps {
  field: BulkField;
  values: Values;
  onChange: (values: Values) => void;
}

function ValueField({ field, values, onChange }: ValueFieldProps) {
  const mayPublish = useRight('publish');
  const choose = (records: readonly Choice[]) => onChange({ ...NOTHING, records });
  const write = (text: string) => onChange({ ...NOTHING, text });
  const box = { value: values.records, onChange: choose };
  if (field === 'venue') return <ChoiceBox label={t('edit.venue')} {...box} useOptions={useVenues} isSingle />;
  if (field === 'organizer')
    return <ChoiceBox label={t('edit.organizer')} {...box} useOptions={useOrganizers} hint={t('edit.replaces')} />;
  if (field === 'tags') return <ChoiceBox label={t('edit.tags')} {...box} useOptions={useTags} hint={t('edit.adds')} />;
  if (field === 'cost')
    return <TextField label={t('edit.cost')} value={values.text} onChange={write} hint={t('edit.cost_hint')} />;
  const statuses = STATUSES.filter((status) => mayPublish || status === 'draft' || status === 'pending');
  return (
    <SelectField
      label={t('status')}
      value={values.text}
      onChange={write}
      choices={[
        { value: '', label: t('edit.choose') },
        ...statuses.map((value) => ({ value, label: t(`status.${value}`) })),
      ]}
    />
  );
}

/** The change that the form describes; undefined until a value is chosen. */
function changeOf(field: BulkField, { records, text }: Values): BulkChange | undefined {
  const chosen = records.flatMap(({ id }) => (id === undefined ? [] : [{ id }]));
  if (field === 'cost') return text.trim() === '' ? undefined : { field, value: text.trim() };
  if (field === 'status') return text === '' ? undefined : { field, value: text };
  if (chosen.length === 0) return undefined;
  return field === 'venue' ? { field, value: chosen[0] } : { field, value: chosen };
}

interface PreviewProps {
  events: readonly Event[];
  changing: readonly Event[];
  change: BulkChange;
}

/** Maximum number of listed titles. */
const MOST_LINES = 8;

/** Tells which events change, and which stay as they are. */
function Preview({ events, changing, change }: PreviewProps) {
  const rest = events.length - changing.length;
  return (
    <div className="bulk-preview" role="status">
      <p>
        <strong>{t('edit.changes', { count: changing.length })}</strong>{' '}
        {rest > 0 && t(change.field === 'cost' ? 'edit.rest_cost' : 'edit.rest', { count: rest })}
      </p>
      <ul>
        {changing.slice(0, MOST_LINES).map(({ id, title }) => (
          <li key={id} className="clamped">
            {title}
          </li>
        ))}
      </ul>
      {changing.length > MOST_LINES && (
        <p className="soft">{t('edit.more', { count: changing.length - MOST_LINES })}</p>
      )}
    </div>
  );
}
