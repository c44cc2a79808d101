import { type ReactNode, useId } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Switch as AriaSwitch, type SwitchProps } from 'react-aria-components/Switch';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { type TextFieldProps as AriaProps, TextField as AriaTextField } from 'react-aria-components/TextField';

interface TextFieldProps extends Omit<AriaProps, 'children' | 'className'> {
  label: string;
  /** One line below the field. */
  hint?: string | undefined;
  /** Why the server refuses the value. */
  problem?: string | undefined;
  /** Lines of a text with several of them. */
  rows?: number;
  placeholder?: string;
}

/** A field for text with its label, its hint and what is wrong with it. */
export function TextField({ label, hint, problem, rows, placeholder, ...props }: TextFieldProps) {
  const isRefused = problem !== undefined;
  return (
    // What the server refused must not keep the browser from sending another value.
    <AriaTextField
      {...props}
      isInvalid={isRefused}
      validationBehavior={isRefused ? 'aria' : 'native'}
      className="field"
    >
      <Label>{label}</Label>
      {rows ? <TextArea rows={rows} placeholder={placeholder} /> : <Input placeholder={placeholder} />}
      {hint && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-error">{problem}</FieldError>
    </AriaTextField>
  );
}

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

type CommonProps = Omit<FrameProps, 'children'>;

interface SelectFieldProps<V extends string> extends CommonProps {
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

interface MomentFieldProps extends CommonProps {
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

interface DayFieldProps {
  label: string;
  /** Such as `2027-03-06`; empty for none. */
  value: string;
  onChange: (value: string) => void;
}

/** A day that may be left out, by the picker of the browser. */
export function DayField({ label, value, onChange }: DayFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} type="date" value={value} onChange={({ target }) => onChange(target.value)} />
    </div>
  );
}

/** Something that is on or off at once. */
export function Switch({ children, ...props }: Omit<SwitchProps, 'children' | 'className'> & { children: ReactNode }) {
  return (
    <AriaSwitch {...props} className="switch">
      <span className="switch-track" aria-hidden="true" />
      {children}
    </AriaSwitch>
  );
}
