import { useEffect, useState } from 'react';
import { t } from '../i18n/texts.ts';
import { Button, IconButton } from './button.tsx';
import { focusTable } from './focus.ts';
import { isModalOpen } from './shortcuts.ts';
import { describe } from './states.tsx';
import { createStore } from './store.ts';

export interface Toast {
  id: number;
  text: string;
  tone: 'good' | 'bad';
  /** Undoes the action. */
  undo?: () => Promise<unknown>;
}

/** Message whose action can be undone. */
export type UndoableToast = Required<Pick<Toast, 'id' | 'undo'>>;

const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

/** Milliseconds until a message disappears, and with it the button to undo the action. */
const TOAST_TIME = 10_000;

/** Maximum number of messages; older ones are dropped. */
const MOST = 3;

/** Reports an action, with a button to undo it if that is possible. */
export function toast(
  text: string,
  { tone = 'good', undo }: { tone?: Toast['tone']; undo?: Toast['undo'] } = {},
): void {
  lastId += 1;
  toasts.set([...toasts.get(), { id: lastId, text, tone, ...(undo && { undo }) }].slice(-MOST));
}

/** Shows why an action failed. */
export const toastProblem = (error: unknown): void => toast(describe(error), { tone: 'bad' });

const dismiss = (id: number): void => toasts.set(toasts.get().filter((one) => one.id !== id));

/** Messages about recent actions. Their timers stop while the pointer or the focus is on them. */
export function Toasts({ onUndo }: { onUndo: (toast: UndoableToast) => void }) {
  const shown = toasts.use();
  const [isPaused, setPaused] = useState(false);
  const pause = { onPointerEnter: () => setPaused(true), onFocus: () => setPaused(true) };
  const resume = { onPointerLeave: () => setPaused(false), onBlur: () => setPaused(false) };
  return (
    <section className="toasts" aria-label={t('toasts')} aria-live="polite" {...pause} {...resume}>
      {shown.map((one) => (
        <ToastLine key={one.id} toast={one} isPaused={isPaused} onUndo={onUndo} />
      ))}
    </section>
  );
}

interface ToastLineProps {
  toast: Toast;
  isPaused: boolean;
  onUndo: (toast: UndoableToast) => void;
}

function ToastLine({ toast: { id, text, tone, undo }, isPaused, onUndo }: ToastLineProps) {
  useEffect(() => {
    if (isPaused) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const run = () => {
      timer = setTimeout(() => (isModalOpen() ? wait() : dismiss(id)), TOAST_TIME);
    };
    // A dialog, such as a report of failures, covers the button to undo.
    const wait = () => {
      timer = setTimeout(() => (isModalOpen() ? wait() : run()), 500);
    };
    run();
    return () => clearTimeout(timer);
  }, [id, isPaused]);
  const close = () => {
    dismiss(id);
    // The focused button disappears with its message.
    requestAnimationFrame(() => {
      focusTable();
      if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
    });
  };
  return (
    <div className={`toast ${tone}`}>
      <span>{text}</span>
      {undo && (
        <Button
          look="plain"
          onPress={() => {
            close();
            onUndo({ id, undo });
          }}
        >
          {t('undo')}
        </Button>
      )}
      <IconButton icon="close" label={t('close')} onPress={close} />
    </div>
  );
}
