import { useId } from 'react';
import { IconButton } from './button.tsx';

interface StepperProps {
  /** Accessible name. */
  label: string;
  value: number;
  max: number;
  onChange: (value: number) => void;
  labels: { less: string; more: string };
  autoFocus?: boolean;
}

/** A small number with buttons beside it; the arrow keys change it too. */
export function Stepper({ label, value, max, onChange, labels, autoFocus }: StepperProps) {
  const id = useId();
  const change = (next: number) => onChange(Math.max(0, Math.min(max, Number.isFinite(next) ? Math.floor(next) : 0)));
  return (
    <div className="stepper">
      <IconButton icon="minus" label={labels.less} isDisabled={value <= 0} onPress={() => change(value - 1)} />
      <input
        id={id}
        type="number"
        inputMode="numeric"
        aria-label={label}
        min={0}
        max={max}
        value={value}
        // biome-ignore lint/a11y/noAutofocus: the first field of a screen that is used by keyboard
        autoFocus={autoFocus}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => change(target.valueAsNumber)}
      />
      <IconButton icon="plus" label={labels.more} isDisabled={value >= max} onPress={() => change(value + 1)} />
    </div>
  );
}
