import { useEffect, useRef } from 'react';
import { Icon } from '../icon.tsx';

interface SelectBoxProps {
  label: string;
  /** Id of the box, and the ids of the elements that name it; by default its label does. */
  id?: string;
  labelledBy?: string;
  isSelected: boolean;
  /** Whether some of its rows are selected. */
  isPartly?: boolean;
  /** Whether it is in a row, which has a key for it, so that Tab skips it. */
  isInRow?: boolean;
  /** `isRange` with the Shift key. */
  onChange: (isSelected: boolean, isRange: boolean) => void;
}

/** Checkbox of a row or, in the header, of the page. */
export function SelectBox(props: SelectBoxProps) {
  const { label, id, labelledBy, isSelected, isPartly = false, isInRow = false, onChange } = props;
  const input = useRef<HTMLInputElement>(null);
  // The change event does not contain the Shift key.
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
        // Do not select the texts between two boxes.
        if (event.shiftKey) event.preventDefault();
      }}
    >
      <input
        ref={input}
        type="checkbox"
        className="visually-hidden"
        aria-label={label}
        {...(id && { id })}
        {...(labelledBy && { 'aria-labelledby': labelledBy })}
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
