import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import type { Merge } from '../../../../packages/client/src/marquee-client.ts';
import type { Fields } from '../../../client/merge.ts';
import { useAction } from '../../data/actions.ts';
import { t } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { differing, fieldsOfSurvivor, type MergeChoices, type MergeField, sourceOf } from './merge-choices.ts';
import './merge-dialog.css';

/** A merge: the survivor takes over the others and some of their fields. */
export interface MergeRequest<R> {
  survivor: R;
  from: readonly R[];
  fields: Fields;
}

interface MergeDialogProps<R extends { id: number }> {
  /** Label of the title and the button, such as "Merge 3 venues". */
  action: string;
  /** Two or more records; the first is the proposed survivor. */
  records: readonly R[];
  nameOf: (record: R) => string;
  /** Details that distinguish records of the same name, such as address and number of events. */
  detailOf: (record: R) => string;
  fields: readonly MergeField<R>[];
  /** Counts the records that a merge would move, without changing anything. */
  preview: (request: MergeRequest<R>) => Promise<Merge>;
  /** Consequences, in sentences such as "14 events move to Harbour Hall." */
  consequences: (counted: Merge, survivor: R) => readonly string[];
  /** Merges and closes the dialog; errors are shown. */
  onMerge: (request: MergeRequest<R>) => Promise<void>;
  onClose: () => void;
}

/** Asks which of several records survives and which values it keeps, and shows the consequences for the others. */
export function MergeDialog<R extends { id: number }>(props: MergeDialogProps<R>) {
  const { action, records, nameOf, detailOf, fields, preview, consequences, onMerge, onClose } = props;
  const [survivorId, setSurvivorId] = useState(records[0]?.id);
  const [choices, setChoices] = useState<MergeChoices>({});
  const survivor = records.find(({ id }) => id === survivorId) ?? records[0];
  const from = records.filter((record) => record !== survivor);
  const counted = useCounted(action, { survivor, from }, preview);
  const merge = useAction(onMerge, { onError: () => void counted.refetch() });
  if (!survivor) return null;
  const choicesOfSurvivor = { records, survivor, choices };
  const lines = fields.filter((field) => differing(field, records).length > 1);
  const problem = merge.error ?? counted.error ?? undefined;
  return (
    <DialogBox
      title={action}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('merge.cancel')}</Button>
          <Button
            look="primary"
            isPending={merge.isPending}
            isDisabled={!counted.data}
            onPress={() => merge.run({ survivor, from, fields: fieldsOfSurvivor(fields, choicesOfSurvivor) })}
          >
            {action}
          </Button>
        </>
      }
    >
      <SurvivorChoice
        records={records}
        nameOf={nameOf}
        detailOf={detailOf}
        survivor={survivor}
        onChoose={(id) => {
          setSurvivorId(id);
          setChoices({});
        }}
      />
      {lines.map((field) => (
        <FieldLine
          key={field.name}
          field={field}
          records={records}
          source={sourceOf(field, choicesOfSurvivor)}
          onChoose={(id) => setChoices({ ...choices, [field.name]: id })}
        />
      ))}
      <Consequences sentences={counted.data && consequences(counted.data, survivor)} isCounting={counted.isPending} />
      <FormProblem error={problem} />
    </DialogBox>
  );
}

/** Numbers of records that a merge would move, counted for each survivor. */
const useCounted = <R extends { id: number }>(
  action: string,
  { survivor, from }: { survivor: R | undefined; from: readonly R[] },
  preview: MergeDialogProps<R>['preview'],
) =>
  useQuery({
    queryKey: ['merge preview', action, survivor?.id, from.map(({ id }) => id)],
    queryFn: () => preview({ survivor: survivor as R, from, fields: {} }),
    enabled: survivor !== undefined,
    gcTime: 0,
    staleTime: 0,
  });

interface ConsequencesProps {
  /** Undefined until they are counted. */
  sentences: readonly string[] | undefined;
  isCounting: boolean;
}

const Consequences = ({ sentences, isCounting }: ConsequencesProps) => (
  <div className="merge-consequences" role="status">
    {sentences ? (
      sentences.map((sentence) => <p key={sentence}>{sentence}</p>)
    ) : (
      <p>{isCounting ? t('merge.counting') : ''}</p>
    )}
    {sentences && <p>{t('merge.undo')}</p>}
  </div>
);

interface SurvivorChoiceProps<R extends { id: number }>
  extends Pick<MergeDialogProps<R>, 'records' | 'nameOf' | 'detailOf'> {
  survivor: R;
  onChoose: (id: number) => void;
}

function SurvivorChoice<R extends { id: number }>(props: SurvivorChoiceProps<R>) {
  const { records, nameOf, detailOf, survivor, onChoose } = props;
  return (
    <RadioGroup className="choices" value={String(survivor.id)} onChange={(id) => onChoose(Number(id))}>
      <Label className="label">{t('merge.survivor')}</Label>
      {records.map((record) => (
        <Radio key={record.id} value={String(record.id)} className="choice">
          <span>{nameOf(record)}</span>
          <small>{detailOf(record)}</small>
        </Radio>
      ))}
    </RadioGroup>
  );
}

interface FieldLineProps<R> {
  field: MergeField<R>;
  records: readonly R[];
  source: R;
  onChoose: (id: number) => void;
}

/** The differing values of a field; the survivor gets one of them. */
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
