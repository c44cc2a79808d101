import { useState } from 'react';
import { TextField } from '../parts/text-field.tsx';
import { coordinatesIn } from './coordinates.ts';
import { t } from './texts.ts';

interface CoordinatesFieldProps {
  /** Two numbers, or empty. */
  value: string;
  onChange: (value: string) => void;
  problem?: string | undefined;
}

/** Coordinates, typed or out of a pasted link of a map. What is neither is not taken over. */
export function CoordinatesField({ value, onChange, problem }: CoordinatesFieldProps) {
  const [typed, setTyped] = useState<string>();
  const change = (next: string) => {
    const found = coordinatesIn(next);
    setTyped(found || next === '' ? undefined : next);
    if (found) onChange(`${found.lat}, ${found.lng}`);
    else if (next === '') onChange('');
  };
  return (
    <TextField
      label={t('field.coordinates')}
      hint={t(typed === undefined ? 'coordinates.hint' : 'coordinates.unread')}
      value={typed ?? value}
      onChange={change}
      problem={problem}
    />
  );
}
