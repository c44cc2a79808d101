import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import type { Merge } from '../../../../packages/client/src/marquee-client.ts';
import type { Fields } from '../../../client/merge.ts';
import { t } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { differing, fieldsOfSurvivor, type MergeChoices, type MergeField, sourceOf } from './merge-choices.ts';
import './merge-dialog.css';

/** A merge as it is sent: the survivor takes over the others and gets some of their fields. */
export interface MergeRequest<R> {
  survivor: R;
  from: readonly R[];
  fields: Fields;
}

interface MergeDialogProps<R extends { id: number }> {
  /** The verb and how many, for the title and the button: "Merge 3 venues". */
  action: string;
  /** Two or more; the first one is proposed to stay. */
  records: readonly R[];
  nameOf: (record: R) => string;
  /** What distinguishes a record from others of its name, such as its address and its number of events. */
  detailOf: (record: R) => string;
  fields: readonly MergeField<R>[];
  /** Counts what a merge would move; changes nothing. */
  preview: (request: MergeRequest<R>) => Promise<Merge>;
  /** What happens, in sentences: "14 events move to Harbour Hall." */
  consequences: (counted: Merge, survivor: R) => readonly string[];
  /** Merges, and closes the dialog. What it throws is shown. */
  onMerge: (request: MergeRequest<R>) => Promise<void>;
  onClose: () => void;
}

/** Asks which of some records stays, and with which values, and says what happens to the others. */
export function MergeDialog<R extends { id: number }>(props: MergeDialogProps<R>) {
  const { action, records, nameOf, detailOf, fields, preview, consequences, onMerge, onClose } = props;
  const [survivorId, setSurvivorId] = useState(records[0]?.id);
  const [choices, setChoices] = useState<MergeChoices>({});
  const [isMerging, setMerging] = useState(false);
  const [error, setError] = useState<unknown>();
  const survivor = records.find(({ id }) => id === survivorId) ?? records[0];
  const from = records.filter((record) => record !== survivor);
  const counted = useQuery({
    queryKey: ['merge preview', action, survivor?.id, from.map(({ id }) => id)],
    queryFn: () => preview({ survivor: survivor as R, from, fields: {} }),
    enabled: survivor !== undefined,
    gcTime: 0,
    staleTime: 0,
  });
  if (!survivor) return null;
  const merge = async () => {
    setMerging(true);
    try {
      await onMerge({ survivor, from, fields: fieldsOfSurvivor(fields, { records, survivor, choices }) });
    } catch (caught) {
      setError(caught);
      setMerging(false);
      void counted.refetch();
    }
  };
  const lines = fields.filter((field) => differing(field, records).length > 1);
  const problem = error ?? counted.error ?? undefined;
  return (
    <DialogBox
      title={action}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('merge.cancel')}</Button>
          <Button look="primary" isPending={isMerging} isDisabled={!counted.data} onPress={() => void merge()}>
            {action}
          </Button>
        </>
      }
    >
      <RadioGroup
        className="choices"
        value={String(survivor.id)}
        onChange={(id) => {
          setSurvivorId(Number(id));
          setChoices({});
        }}
      >
        <Label className="label">{t('merge.survivor')}</Label>
        {records.map((record) => (
          <Radio key={record.id} value={String(record.id)} className="choice">
            <span>{nameOf(record)}</span>
            <small>{detailOf(record)}</small>
          </Radio>
        ))}
      </RadioGroup>
      {lines.map((field) => (
        <FieldLine
          key={field.name}
          field={field}
          records={records}
          source={sourceOf(field, { records, survivor, choices })}
          onChoose={(id) => setChoices({ ...choices, [field.name]: id })}
        />
      ))}
      <div className="merge-consequences" role="status">
        {counted.data ? (
          consequences(counted.data, survivor).map((sentence) => <p key={sentence}>{sentence}</p>)
        ) : (
          <p>{counted.isPending ? t('merge.counting') : ''}</p>
        )}
        {counted.data && <p>{t('merge.undo')}</p>}
      </div>
      {problem !== undefined && <FormProblem error={problem} />}
    </DialogBox>
  );
}

interface FieldLineProps<R> {
  field: MergeField<R>;
  records: readonly R[];
  source: R;
  onChoose: (id: number) => void;
}

/** The values of a field, of which the survivor gets one. */
function FieldLine<R extends { id: number }>({ field, records, source, onChoose }: FieldLineProps<R>) {
  const values = differing(field, records);
  const value = values.find((one) => JSON.stringify(field.valueOf(one)) === JSON.stringify(field.valueOf(source)));
  return (
    <RadioGroup
      className="merge-line"
      value={String((value ?? source).id)}
      onChange={(id) => onChoose(Number(id))}
      orientation="horizontal"
    >
      <Label className="label">{field.label}</Label>
      <div className="merge-values">
        {values.map((record) => (
          <Radio key={record.id} value={String(record.id)} className="choice">
            {field.show(record) || t('merge.nothing')}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
