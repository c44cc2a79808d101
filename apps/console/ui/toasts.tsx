import { useEffect, useState } from 'react';
import { t } from '../i18n/common.ts';
import { Button, IconButton } from './button.tsx';
import { focusTable } from './focus-table.ts';
import { isModalOpen } from './shortcuts.ts';
import { describe } from './states.tsx';
import { dismiss, TOAST_TIME, type Toast, toast, useToasts } from './toast-store.ts';

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
