import { type RefObject, useEffect, useRef } from 'react';

/** Gives the focus to the row that had it last, or to the first picture, if what had it since is gone. */
export function focusTable(): void {
  if (document.activeElement === document.body)
    document.querySelector<HTMLElement>('.table tbody tr[tabindex="0"], .pictures [role=row]')?.focus();
}

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
