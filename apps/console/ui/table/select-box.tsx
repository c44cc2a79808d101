import { useEffect, useRef } from 'react';
import { Icon } from '../icon.tsx';

interface SelectBoxProps {
  label: string;
  isSelected: boolean;
  /** Whether some of what it stands for is selected. */
  isPartly?: boolean;
  /** In a row, which has keys of its own for it, it is no stop of the Tab key. */
  isInRow?: boolean;
  /** `isRange` with the Shift key. */
  onChange: (isSelected: boolean, isRange: boolean) => void;
}

/** The box of a row or, in the header, of the whole page. */
export function SelectBox({ label, isSelected, isPartly = false, isInRow = false, onChange }: SelectBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  // The change of a box that is pressed by its label does not tell of the key.
  const withShift = useRef(false);
  const isMixed = isPartly && !isSelected;
  useEffect(() => {
    if (input.current) input.current.indeterminate = isMixed;
  }, [isMixed]);
  return (
    <label
      className="checkbox"
      onMouseDown={(event) => {
        withShift.current = event.shiftKey;
        // The texts between two boxes are not selected.
        if (event.shiftKey) event.preventDefault();
      }}
    >
      <input
        ref={input}
        type="checkbox"
        className="visually-hidden"
        aria-label={label}
        checked={isSelected}
        tabIndex={isInRow ? -1 : 0}
        onChange={({ target }) => {
          onChange(target.checked, withShift.current);
          withShift.current = false;
        }}
      />
      <span className="checkbox-box">
        <Icon name={isMixed ? 'minus' : 'check'} />
      </span>
    </label>
  );
}
