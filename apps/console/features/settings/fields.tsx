import { type ReactNode, useState } from 'react';
import { TextField } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { t } from './routes.ts';

interface LockedFieldProps {
  label: string;
  value: ReactNode;
  /** Environment variable that sets it. */
  variable: string;
}

/** A setting that comes from the server's environment. */
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

/** Field for a positive integer. Other input is shown, but changes nothing. */
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
