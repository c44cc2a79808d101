import { type ReactNode, useState } from 'react';
import { TextField } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { t } from './routes.ts';

interface LockedFieldProps {
  label: string;
  value: ReactNode;
  /** The variable of the server's environment that decides it. */
  variable: string;
}

/** A setting that the environment of the server decides. */
export function LockedField({ label, value, variable }: LockedFieldProps) {
  return (
    <dl className="locked">
      <dt className="label">{label}</dt>
      <dd>
        <Icon name="lock" />
        <span>{value}</span>
      </dd>
      <dd className="hint">{t('locked', { variable })}</dd>
    </dl>
  );
}

interface PositiveFieldProps {
  label: string;
  hint?: string;
  problem?: string | undefined;
  value: number;
  onChange: (number: number) => void;
}

/** A whole number from 1. What is no such number is shown while it is typed, and changes nothing. */
export function PositiveField({ value, onChange, ...frame }: PositiveFieldProps) {
  const [typed, setTyped] = useState<string>();
  const change = (next: string) => {
    setTyped(next);
    if (/^[1-9]\d{0,5}$/.test(next.trim())) onChange(Number(next));
  };
  return (
    <TextField
      {...frame}
      inputMode="numeric"
      value={typed ?? String(value)}
      onChange={change}
      onBlur={() => setTyped(undefined)}
    />
  );
}
