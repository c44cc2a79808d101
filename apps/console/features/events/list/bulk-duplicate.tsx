import { useState } from 'react';
import type { BatchCall, Event } from '../../../../../packages/client/src/marquee-client.ts';
import { ifUnchanged } from '../../../../client/batch.ts';
import { useRight } from '../../../data/account.ts';
import { useBatch } from '../../../data/bulk-action.ts';
import { when } from '../../../i18n/formats.ts';
import { SelectField, TextField } from '../../../ui/fields.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { BulkReport } from '../../../ui/table/bulk-bar.tsx';
import type { Selection } from '../../../ui/table/selection.ts';
import { DISTANCES, type Distance, movedBy } from '../dates.ts';
import { t } from '../routes.ts';
import { changeCall, settle } from './event-changes.ts';

interface BulkDuplicateProps {
  selection: Selection<Event>;
  onClose: () => void;
}

/** Asks how much later the copies of many events take place, and makes them as drafts. */
export function BulkDuplicate({ selection: { rows, count, read, clear }, onClose }: BulkDuplicateProps) {
  const [distance, setDistance] = useState('1');
  const [unit, setUnit] = useState<Distance>('weeks');
  const [isAsking, setAsking] = useState(true);
  const with_tickets = useRight('manage_own_tickets', 'manage_tickets');
  const later = (start: string) => movedBy(start, Number(distance), unit);
  const bulk = useBatch(
    ({ id, start_date }: Event): BatchCall => ({
      method: 'POST',
      path: `/calendar/admin/v1/events/${id}/duplicate`,
      body: { with_tickets, start_date: later(start_date) },
    }),
  );
  const copy = async () => {
    setAsking(false);
    const state = await bulk.start(t('acts.duplicate'), read, async (done) => {
      clear();
      await settle('copied', done, (_, made) => ifUnchanged(changeCall(made.id, { status: 'trash' }), made));
    });
    if (state.failed.length === 0) onClose();
  };
  const isValid = /^[1-9]\d{0,2}$/.test(distance);
  const [first] = rows;
  return (
    <>
      {isAsking && (
        <FormDialog
          title={t('copy.many', { count })}
          action={t('copy.make', { count })}
          onSubmit={() => isValid && void copy()}
          onClose={onClose}
        >
          <p>{t('copy.many_text')}</p>
          <DistanceFields distance={distance} unit={unit} onDistance={setDistance} onUnit={setUnit} />
          {isValid && first && (
            <p className="hint clamped copy-example" role="status">
              {t('copy.example', { title: first.title, when: when.day(later(first.start_date)) })}
            </p>
          )}
        </FormDialog>
      )}
      <BulkReport bulk={bulk} nameOf={({ title }) => title} onClose={onClose} />
    </>
  );
}

interface DistanceFieldsProps {
  distance: string;
  unit: Distance;
  onDistance: (distance: string) => void;
  onUnit: (unit: Distance) => void;
}

const DistanceFields = ({ distance, unit, onDistance, onUnit }: DistanceFieldsProps) => (
  <div className="form-row">
    <TextField
      label={t('copy.later')}
      value={distance}
      onChange={onDistance}
      inputMode="numeric"
      pattern="[1-9][0-9]{0,2}"
      isRequired
      autoFocus
    />
    <SelectField
      label={t('copy.unit')}
      value={unit}
      onChange={onUnit}
      choices={DISTANCES.map((value) => ({ value, label: t(`copy.unit.${value}`) }))}
    />
  </div>
);
