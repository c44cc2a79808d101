import { type ReactNode, useRef } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { t } from './routes.ts';

interface RowsFieldProps<T> {
  label: string;
  hint?: string;
  problem?: string | undefined;
  value: readonly T[];
  onChange: (rows: T[]) => void;
  /** Renders the fields of a row. */
  children: (row: T, change: (changes: Partial<T>) => void) => ReactNode;
  /** Name of a row in the labels of its buttons. */
  nameOf: (row: T) => string;
  /** Whether the order of the rows matters. */
  isOrdered?: boolean;
  /** Buttons below the list that add rows. */
  actions: ReactNode;
}

/** Editable list of rows. The focus moves to an added row, or to the one after a removed row. */
export function RowsField<T extends object>({ label, hint, problem, value, onChange, ...props }: RowsFieldProps<T>) {
  const { children, nameOf, isOrdered = false, actions } = props;
  const list = useRef<HTMLFieldSetElement>(null);
  const change = (index: number, changes: Partial<T>) =>
    onChange(value.map((row, at) => (at === index ? { ...row, ...changes } : row)));
  const remove = (index: number) => {
    onChange(value.toSpliced(index, 1));
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('.rows-actions button')?.focus());
  };
  const moveUp = (index: number) => {
    const [before, row] = value.slice(index - 1, index + 1);
    if (before && row) onChange(value.toSpliced(index - 1, 2, row, before));
  };
  return (
    <fieldset ref={list} className="rows" aria-invalid={problem !== undefined} tabIndex={problem ? -1 : undefined}>
      <legend className="label">{label}</legend>
      {hint && <p className="hint">{hint}</p>}
      {problem && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
      {value.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and keep nothing of their own
        <fieldset key={index} className="row-fields" aria-label={nameOf(row) || t('rows.new')}>
          <div className="form-row">{children(row, (changes) => change(index, changes))}</div>
          <div className="row-acts">
            {isOrdered && index > 0 && (
              <IconButton icon="up" label={t('rows.up', { name: nameOf(row) })} onPress={() => moveUp(index)} />
            )}
            <IconButton icon="trash" label={t('rows.remove', { name: nameOf(row) })} onPress={() => remove(index)} />
          </div>
        </fieldset>
      ))}
      <div className="actions rows-actions">{actions}</div>
    </fieldset>
  );
}

/** Focuses the last row of a button's list once it is rendered. */
function focusLastRow(from: Element): void {
  const list = from.closest('.rows');
  requestAnimationFrame(() => {
    const row = [...(list?.querySelectorAll('.row-fields') ?? [])].at(-1);
    row?.querySelector<HTMLElement>('input, select')?.focus();
  });
}

interface AddButtonProps {
  children: ReactNode;
  onAdd: () => void;
}

/** Adds a row below a list. */
export function AddButton({ children, onAdd }: AddButtonProps) {
  return (
    <Button
      icon="plus"
      onPress={({ target }) => {
        onAdd();
        focusLastRow(target);
      }}
    >
      {children}
    </Button>
  );
}
