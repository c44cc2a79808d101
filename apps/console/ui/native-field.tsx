import { type ReactNode, useId } from 'react';

interface FrameProps {
  label: string;
  hint?: string | undefined;
  problem?: string | undefined;
  children: (ids: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean }) => ReactNode;
}

/** Label, hint and problem around a field of the browser's own. */
function FieldFrame({ label, hint, problem, children }: FrameProps) {
  const id = useId();
  const about = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ') || undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': about, 'aria-invalid': problem !== undefined })}
      {hint && (
        <span id={`${id}-hint`} className="hint">
          {hint}
        </span>
      )}
      {problem && (
        <span id={`${id}-problem`} className="field-error">
          {problem}
        </span>
      )}
    </div>
  );
}

type Common = Omit<FrameProps, 'children'>;

interface SelectFieldProps<V extends string> extends Common {
  value: V;
  onChange: (value: V) => void;
  choices: readonly { value: V; label: string }[];
}

/** A choice of one of a few values; phones show their own list. */
export function SelectField<V extends string>({ value, onChange, choices, ...frame }: SelectFieldProps<V>) {
  return (
    <FieldFrame {...frame}>
      {(ids) => (
        <select {...ids} value={value} onChange={({ target }) => onChange(target.value as V)}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}

interface MomentFieldProps extends Common {
  /** A wall clock such as `2027-03-06 18:30:00`. */
  value: string;
  onChange: (value: string) => void;
  /** Whether only the day counts. */
  isDay?: boolean;
}

/** A day with its time, by the picker of the browser. It is a wall clock and never converted. */
export function MomentField({ value, onChange, isDay = false, ...frame }: MomentFieldProps) {
  const shown = isDay ? value.slice(0, 10) : value.slice(0, 16).replace(' ', 'T');
  const change = (typed: string) => {
    if (typed !== '') onChange(isDay ? `${typed}${value.slice(10)}` : `${typed.replace('T', ' ')}:00`);
  };
  return (
    <FieldFrame {...frame}>
      {(ids) => (
        <input
          {...ids}
          type={isDay ? 'date' : 'datetime-local'}
          value={shown}
          onChange={({ target }) => change(target.value)}
        />
      )}
    </FieldFrame>
  );
}
