import { type ReactNode, useId } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Switch as AriaSwitch, type SwitchProps } from 'react-aria-components/Switch';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { type TextFieldProps as AriaProps, TextField as AriaTextField } from 'react-aria-components/TextField';
import { t } from '../i18n/texts.ts';

/** Name of a parameter at the beginning of a message of the server, such as `end_date must not be before the start.` */
const PARAMETER = /^[a-z][a-z0-9_]*(?= )/;

/** A problem that the server found, with the label of its field instead of the name of the parameter. */
export const labelled = (problem: string | undefined, label: string): string | undefined =>
  problem?.replace(PARAMETER, () => t('field.quoted', { label }));

interface TextFieldProps extends Omit<AriaProps, 'children' | 'className'> {
  label: string;
  /** One line below the field. */
  hint?: string | undefined;
  /** Why the server refuses the value. */
  problem?: string | undefined;
  /** Below the field. */
  mark?: ReactNode;
  /** Number of lines of a longer text. */
  rows?: number;
  placeholder?: string;
}

/** Text field with label, hint and problem. */
export function TextField({ label, hint, problem, mark, rows, placeholder, ...props }: TextFieldProps) {
  const isRefused = problem !== undefined;
  return (
    // A refused value must not keep the browser from submitting another one.
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
      <FieldError className="field-error">{labelled(problem, label)}</FieldError>
      {mark}
    </AriaTextField>
  );
}

interface FrameProps {
  label: string;
  hint?: string | undefined;
  problem?: string | undefined;
  /** Below the field. */
  mark?: ReactNode;
  children: (ids: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean }) => ReactNode;
}

interface FieldNotesProps {
  /** Id of the field; those of its notes are made from it. */
  id: string;
  hint: string | undefined;
  problem: string | undefined;
}

/** Hint and problem below a field, which names them in `aria-describedby`. */
export const FieldNotes = ({ id, hint, problem }: FieldNotesProps) => (
  <>
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
  </>
);

/** Label, hint and problem around a native field. */
function FieldFrame({ label, hint, problem, mark, children }: FrameProps) {
  const id = useId();
  const about = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ') || undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': about, 'aria-invalid': problem !== undefined })}
      <FieldNotes id={id} hint={hint} problem={labelled(problem, label)} />
      {mark}
    </div>
  );
}

type CommonProps = Omit<FrameProps, 'children'>;

interface SelectFieldProps<V extends string> extends CommonProps {
  value: V;
  onChange: (value: V) => void;
  choices: readonly { value: V; label: string }[];
}

/** Chooses one of a few values with a native list. */
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
  /** Local time such as `2027-03-06 18:30:00`. */
  value: string;
  onChange: (value: string) => void;
  /** Whether only the day can be chosen. */
  isDay?: boolean;
  /** Whether it may be emptied, for no time. */
  isClearable?: boolean;
}

/** Day and time, with the browser's picker. Local time, which is never converted. */
export function MomentField({ value, onChange, isDay = false, isClearable = false, ...frame }: MomentFieldProps) {
  const shown = isDay ? value.slice(0, 10) : value.slice(0, 16).replace(' ', 'T');
  const change = (typed: string) => {
    if (typed === '') return isClearable ? onChange('') : undefined;
    return onChange(isDay ? `${typed}${value.slice(10)}` : `${typed.replace('T', ' ')}:00`);
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

interface DayFieldProps extends CommonProps {
  /** Such as `2027-03-06`; empty for none. */
  value: string;
  onChange: (value: string) => void;
  isRequired?: boolean;
  autoFocus?: boolean;
}

/** Day, with the browser's picker. */
export function DayField({ value, onChange, isRequired = false, autoFocus = false, ...frame }: DayFieldProps) {
  return (
    <FieldFrame {...frame}>
      {(ids) => (
        <input
          {...ids}
          type="date"
          value={value}
          required={isRequired}
          // biome-ignore lint/a11y/noAutofocus: only in a dialog that the user has opened to choose a day
          autoFocus={autoFocus}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </FieldFrame>
  );
}

interface SwitchFieldProps extends Omit<SwitchProps, 'children' | 'className'> {
  /** Below the switch. */
  mark?: ReactNode;
  children: ReactNode;
}

/** Switch that takes effect at once. */
export function Switch({ mark, children, ...props }: SwitchFieldProps) {
  return (
    <>
      <AriaSwitch {...props} className="switch">
        <span className="switch-track" aria-hidden="true" />
        {children}
      </AriaSwitch>
      {mark}
    </>
  );
}
