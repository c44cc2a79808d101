import { type RefObject, useEffect, useRef } from 'react';

/** A ref for an element that takes the focus when a value changes and the button that had it is gone. */
export function useFocusOnChange<E extends HTMLElement>(value: unknown): RefObject<E | null> {
  const element = useRef<E>(null);
  const before = useRef(value);
  useEffect(() => {
    const isLost = document.activeElement === document.body;
    if (before.current !== value && isLost) element.current?.focus();
    before.current = value;
  }, [value]);
  return element;
}
