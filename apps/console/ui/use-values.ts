import { useState } from 'react';

/** Values of a form that are no inputs of their own, and a function that changes some of them. */
export function useValues<T extends object>(first: T | (() => T)): [T, (changed: Partial<T>) => void] {
  const [values, setValues] = useState(first);
  return [values, (changed) => setValues((now) => ({ ...now, ...changed }))];
}
