import { type ReactNode, useState } from 'react';
import { fieldProblems, isProblem } from '../../../../client/problem.ts';
import { useSite } from '../../../data/account.ts';
import { useAction } from '../../../data/actions.ts';
import { refresh } from '../../../data/queries.ts';
import { amountField, minorUnits, rateField, rateUnits } from '../../../i18n/formats.ts';
import { type FieldValue, FormDialog } from '../../../ui/form-dialog.tsx';
import { FormProblem } from '../../../ui/states.tsx';
import { t } from '../routes.ts';
import { lineOf, type PriceText } from './price-texts.ts';

export interface PriceRecord {
  id: number;
  revision: number;
}

/** Writes of a kind of record. */
export interface PriceWrites<R extends PriceRecord, B> {
  /** Path of its list, which is read again afterwards. */
  path: string;
  create: (body: B) => Promise<R>;
  change: (id: number, body: B, options: { revision: number }) => Promise<R>;
}

/** Reads the fields of a dialog; a field that is not a number gets a problem. */
interface FieldReader {
  text: FieldValue;
  /** Minor units; 0 for an empty field. */
  amount: (name: string) => number;
  /** Thousandths of a percent; 0 for an empty field. */
  rate: (name: string) => number;
  /** null for an empty field. */
  count: (name: string) => number | null;
}

type Problems = Readonly<Record<string, string>>;

function readerOf(text: FieldValue, currency: string): { reader: FieldReader; problems: Record<string, string> } {
  const problems: Record<string, string> = {};
  const read = (name: string, units: number | null | undefined, problem: () => string): number => {
    if (units === null) problems[name] = problem();
    return units ?? 0;
  };
  const wrongAmount = () => t('prices.wrong_amount', { example: amountField(1250, currency) });
  const wrongRate = () => t('prices.wrong_rate', { example: rateField(8875) });
  const reader: FieldReader = {
    text,
    amount: (name) => read(name, minorUnits(text(name), currency), wrongAmount),
    rate: (name) => read(name, rateUnits(text(name)), wrongRate),
    count: (name) => (text(name) === '' ? null : Number(text(name))),
  };
  return { reader, problems };
}

interface PriceDialogProps<R extends PriceRecord, B> {
  /** Title for a new record. */
  title: string;
  /** Absent for a new one. */
  record: R | undefined;
  writes: PriceWrites<R, B>;
  textOf: (record: R) => PriceText;
  /** Names of the fields that show their own problems. */
  fields: readonly string[];
  read: (reader: FieldReader) => B;
  onClose: () => void;
  children: (problems: Problems) => ReactNode;
}

/**
 * Creates a record that prices are made of, or changes the revision that it was opened with. After a conflict, the input
 * stays, and may be saved in place of the other change.
 */
export function PriceDialog<R extends PriceRecord, B>(props: PriceDialogProps<R, B>) {
  const { title, record, writes, textOf, fields, read, onClose, children } = props;
  const { currency } = useSite();
  const [wrong, setWrong] = useState<Problems>({});
  const [theirs, setTheirs] = useState<R>();
  const save = useAction(
    (body: B) =>
      record ? writes.change(record.id, body, { revision: (theirs ?? record).revision }) : writes.create(body),
    {
      onSuccess: () => {
        onClose();
        return refresh(writes.path);
      },
      onError: (error) => {
        if (!isProblem(error, 'edit-conflict')) return;
        // The current record, of the same kind.
        setTheirs(error.data.record as R);
        void refresh(writes.path);
      },
    },
  );
  const submit = (value: FieldValue) => {
    const { reader, problems } = readerOf(value, currency);
    const body = read(reader);
    save.reset();
    setWrong(problems);
    if (Object.keys(problems).length === 0) save.run(body);
  };
  return (
    <FormDialog
      title={record ? t('prices.edit_of', { name: textOf(record).name }) : title}
      action={t(theirs ? 'prices.save_anyway' : 'prices.save')}
      isPending={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      {theirs ? (
        <p className="form-problem" role="alert">
          {t('prices.conflict', { now: lineOf(textOf(theirs)) })}
        </p>
      ) : null}
      {!isProblem(save.error, 'edit-conflict') && <FormProblem error={save.error} fields={fields} />}
      {children({ ...fieldProblems(save.error), ...wrong })}
    </FormDialog>
  );
}
