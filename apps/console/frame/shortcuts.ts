import { useEffect, useRef } from 'react';

export interface Shortcut {
  /** A single key such as `c`, two after another such as `g h`, or `Mod+s` with Ctrl or ⌘. */
  keys: string;
  /** What it does, for the list of all shortcuts. */
  label: string;
  run: () => void;
}

const shortcuts = new Map<string, Shortcut>();
const OFF = 'marquee-console-no-single-keys';

/** Whether keys without Ctrl or ⌘ do something. */
export const areSingleKeysOn = (): boolean => localStorage.getItem(OFF) === null;

export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(OFF);
  else localStorage.setItem(OFF, '1');
}

/** The shortcuts of the frame and of the screen that is open. */
export const shortcutList = (): Shortcut[] => [...shortcuts.values()];

/** Makes keys do something while a component is shown. */
export function useShortcut(keys: string, label: string, run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const shortcut = { keys, label, run: () => latest.current() };
    shortcuts.set(keys, shortcut);
    return () => {
      if (shortcuts.get(keys) === shortcut) shortcuts.delete(keys);
    };
  }, [keys, label]);
}

/** Milliseconds between the two keys of a sequence. */
const SEQUENCE = 1500;

/** Listens for the keys of all shortcuts. */
export function listenForShortcuts(): () => void {
  let first = { key: '', at: 0 };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    const isModified = event.ctrlKey || event.metaKey;
    if (!isModified && (isTyping(event.target) || !areSingleKeysOn() || isModalOpen())) return;
    const sequence = event.timeStamp - first.at < SEQUENCE ? `${first.key} ${event.key}` : '';
    const found = isModified
      ? shortcuts.get(`Mod+${event.key.length === 1 ? event.key.toLowerCase() : event.key}`)
      : (shortcuts.get(sequence) ?? shortcuts.get(event.key));
    first = isModified ? first : { key: event.key, at: event.timeStamp };
    if (!found) return;
    event.preventDefault();
    found.run();
  };
  document.addEventListener('keydown', onKeyDown);
  return () => document.removeEventListener('keydown', onKeyDown);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [role=menu], [role=listbox]') !== null);

const isModalOpen = (): boolean => document.querySelector('[role=dialog], [role=alertdialog]') !== null;
