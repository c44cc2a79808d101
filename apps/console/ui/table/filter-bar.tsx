import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Input } from 'react-aria-components/Input';
import { SearchField } from 'react-aria-components/SearchField';
import { t } from '../../i18n/texts.ts';
import { SelectField } from '../fields.tsx';
import { Icon } from '../icon.tsx';
import { useShortcut } from '../shortcuts.ts';

/** Filters above a list; each is part of the address. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <search className="filters" aria-label={t('filters')}>
      {children}
    </search>
  );
}

/** Milliseconds after the last keystroke. */
const TYPING = 150;

interface SearchBoxProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** Filters by words while typing. */
export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  const [sent, setSent] = useState(value);
  // A value that was not typed comes from the address, for example by going back.
  if (value !== shown) {
    setShown(value);
    setSent(value);
    if (value !== sent) setTyped(value);
  }
  const send = useEffectEvent(() => {
    setSent(typed);
    onChange(typed);
  });
  const input = useRef<HTMLInputElement>(null);
  useShortcut('/', label, () => input.current?.select());
  useEffect(() => {
    if (typed === value) return undefined;
    const timer = setTimeout(() => send(), TYPING);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return (
    <SearchField aria-label={label} value={typed} onChange={setTyped} className="search-box">
      <Icon name="search" />
      <Input ref={input} className="input" placeholder={label} />
    </SearchField>
  );
}

interface Choice<V extends string> {
  value: V;
  label: string;
}

interface ViewsProps<V extends string> {
  label: string;
  choices: readonly Choice<V>[];
  value: V;
  onChange: (value: V) => void;
}

/** Views of a list, such as "upcoming" and "drafts". */
export function Views<V extends string>({ label, choices, value, onChange }: ViewsProps<V>) {
  return (
    <fieldset className="views">
      <legend className="visually-hidden">{label}</legend>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  );
}

interface ChoiceFilterProps<V extends string> {
  label: string;
  /** Label of the choice that filters nothing. */
  all: string;
  value: V | undefined;
  values: readonly V[];
  nameOf: (value: V) => string;
  onChange: (value: V | undefined) => void;
}

/** Filters by one of a few values. */
export function ChoiceFilter<V extends string>({ label, all, value, values, nameOf, onChange }: ChoiceFilterProps<V>) {
  return (
    <SelectField<V | ''>
      label={label}
      value={value ?? ''}
      onChange={(next) => onChange(values.find((one) => one === next))}
      choices={[{ value: '', label: all }, ...values.map((one) => ({ value: one, label: nameOf(one) }))]}
    />
  );
}
