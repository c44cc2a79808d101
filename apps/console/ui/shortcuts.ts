import { useEffect, useEffectEvent } from 'react';

export interface Shortcut {
  /** A single key such as `c`, a sequence such as `g h`, or `Mod+s` with Ctrl or ⌘. */
  keys: string;
  /** Description for the list of shortcuts. */
  label: string;
  /** Absent for a key that an element handles itself: it is only listed. */
  run?: (() => void) | undefined;
}

/** Shortcuts by their keys; the last one for the same keys applies. */
const shortcuts = new Map<string, readonly Shortcut[]>();

const find = (keys: string): Shortcut | undefined => shortcuts.get(keys)?.at(-1);
const OFF = 'marquee-console-no-single-keys';

/** Whether shortcuts without Ctrl or ⌘ are enabled. */
export const areSingleKeysOn = (): boolean => localStorage.getItem(OFF) === null;

export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(OFF);
  else localStorage.setItem(OFF, '1');
}

/** Shortcuts of the frame and of the current screen. */
export const shortcutList = (): Shortcut[] => [...shortcuts.values()].flatMap((same) => same.at(-1) ?? []);

interface ShortcutOptions {
  isOn?: boolean;
  /** Whether a screen may override it. */
  isFallback?: boolean;
}

/** Registers a shortcut while a component is mounted; it overrides earlier ones for the same keys. */
export function useShortcut(
  keys: string,
  label: string,
  run?: () => void,
  { isOn = true, isFallback = false }: ShortcutOptions = {},
): void {
  const runLatest = useEffectEvent(() => run?.());
  const isListed = run === undefined;
  useEffect(() => {
    if (!isOn) return undefined;
    const shortcut = { keys, label, run: isListed ? undefined : () => runLatest() };
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

/** Handles the keys of all shortcuts. Returns how to stop. */
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
