import { useEffect, useState, useSyncExternalStore } from 'react';
import { t } from '../i18n/texts.ts';
import { Button, IconButton } from './button.tsx';
import { focusTable } from './focus.ts';
import { isModalOpen } from './shortcuts.ts';
import { describe } from './states.tsx';

export interface Toast {
  id: number;
  text: string;
  tone: 'good' | 'bad';
  /** What takes the act back. */
  undo?: () => Promise<unknown>;
}

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Milliseconds that a message stays, which is also how long an act can be undone there. */
const TOAST_TIME = 10_000;

/** As many messages as fit above the rail; older ones go. */
const MOST = 3;

/** Says what has been done, with a button that undoes it where that is possible. */
export function toast(
  text: string,
  { tone = 'good', undo }: { tone?: Toast['tone']; undo?: Toast['undo'] } = {},
): void {
  lastId += 1;
  set([...toasts, { id: lastId, text, tone, ...(undo && { undo }) }].slice(-MOST));
}

const dismiss = (id: number): void => set(toasts.filter((one) => one.id !== id));

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

const useToasts = (): readonly Toast[] => useSyncExternalStore(subscribe, () => toasts);

/** The messages about what has just been done. They stay while somebody points at them or has the focus there. */
export function Toasts() {
  const toasts = useToasts();
  const [isHeld, setHeld] = useState(false);
  const hold = { onPointerEnter: () => setHeld(true), onFocus: () => setHeld(true) };
  const release = { onPointerLeave: () => setHeld(false), onBlur: () => setHeld(false) };
  return (
    <section className="toasts" aria-label={t('toasts')} aria-live="polite" {...hold} {...release}>
      {toasts.map((one) => (
        <ToastLine key={one.id} toast={one} isHeld={isHeld} />
      ))}
    </section>
  );
}

function ToastLine({ toast: { id, text, tone, undo }, isHeld }: { toast: Toast; isHeld: boolean }) {
  useEffect(() => {
    if (isHeld) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const run = () => {
      timer = setTimeout(() => (isModalOpen() ? wait() : dismiss(id)), TOAST_TIME);
    };
    // Behind a dialog, such as the report of what failed, nobody can press "Undo".
    const wait = () => {
      timer = setTimeout(() => (isModalOpen() ? wait() : run()), 500);
    };
    run();
    return () => clearTimeout(timer);
  }, [id, isHeld]);
  const leave = () => {
    dismiss(id);
    // The button that had the focus goes with its message.
    requestAnimationFrame(() => {
      focusTable();
      if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
    });
  };
  const takeBack = async () => {
    leave();
    await undo?.().then(
      () => toast(t('undone')),
      (error: unknown) => toast(describe(error), { tone: 'bad' }),
    );
  };
  return (
    <div className={`toast ${tone}`}>
      <span>{text}</span>
      {undo && (
        <Button look="plain" onPress={() => void takeBack()}>
          {t('undo')}
        </Button>
      )}
      <IconButton icon="close" label={t('close')} onPress={leave} />
    </div>
  );
}
