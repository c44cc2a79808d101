import { useEffect, useRef } from 'react';

export interface Shortcut {
  /** A single key such as `c`, two after another such as `g h`, or `Mod+s` with Ctrl or ⌘. */
  keys: string;
  /** What it does, for the list of all shortcuts. */
  label: string;
  /** Absent for a key that an element listens for itself, and that is only listed. */
  run?: (() => void) | undefined;
}

/** Those for the same keys; the last one counts. */
const shortcuts = new Map<string, readonly Shortcut[]>();

const find = (keys: string): Shortcut | undefined => shortcuts.get(keys)?.at(-1);
const OFF = 'marquee-console-no-single-keys';

/** Whether keys without Ctrl or ⌘ do something. */
export const areSingleKeysOn = (): boolean => localStorage.getItem(OFF) === null;

export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(OFF);
  else localStorage.setItem(OFF, '1');
}

/** The shortcuts of the frame and of the screen that is open. */
export const shortcutList = (): Shortcut[] => [...shortcuts.values()].flatMap((same) => same.at(-1) ?? []);

interface ShortcutOptions {
  isOn?: boolean;
  /** Whether a screen may give the keys another meaning. */
  isFallback?: boolean;
}

/** Makes keys do something while a component is shown, instead of what they do elsewhere. */
export function useShortcut(
  keys: string,
  label: string,
  run?: () => void,
  { isOn = true, isFallback = false }: ShortcutOptions = {},
): void {
  const latest = useRef(run);
  latest.current = run;
  const isListed = run === undefined;
  useEffect(() => {
    if (!isOn) return undefined;
    const shortcut = { keys, label, run: isListed ? undefined : () => latest.current?.() };
    const others = shortcuts.get(keys) ?? [];
    shortcuts.set(keys, isFallback ? [shortcut, ...others] : [...others, shortcut]);
    return () => {
      const left = (shortcuts.get(keys) ?? []).filter((one) => one !== shortcut);
      if (left.length > 0) shortcuts.set(keys, left);
      else shortcuts.delete(keys);
    };
  }, [keys, label, isOn, isListed, isFallback]);
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
      ? find(`Mod+${event.key.length === 1 ? event.key.toLowerCase() : event.key}`)
      : (find(sequence) ?? find(event.key));
    first = isModified ? first : { key: event.key, at: event.timeStamp };
    if (!found?.run) return;
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

/** Whether a dialog covers the page. */
export const isModalOpen = (): boolean => document.querySelector('[role=dialog], [role=alertdialog]') !== null;
