import { type RefObject, useEffect, useRef } from 'react';

/** Focuses the last focused row, or the first picture, if the focused element has disappeared. */
export function focusTable(): void {
  if (document.activeElement === document.body)
    document.querySelector<HTMLElement>('.table tbody tr[tabindex="0"], .pictures [role=row]')?.focus();
}

/** Ref to an element that gets the focus when a value changes and the focused button has disappeared. */
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
