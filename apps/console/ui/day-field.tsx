import { useId } from 'react';

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
