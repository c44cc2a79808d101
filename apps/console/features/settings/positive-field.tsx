import { useState } from 'react';
import { TextField } from '../../ui/text-field.tsx';

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
