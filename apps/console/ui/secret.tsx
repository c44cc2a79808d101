import { useId, useRef, useState } from 'react';
import { t } from '../i18n/texts.ts';
import { Button } from './button.tsx';

/** Copies a text. Not rendered on pages without https, which may not use the clipboard. */
export function CopyButton({ text, label = t('copy') }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  // Undefined on such pages, unlike the type says.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard) return null;
  const copy = () =>
    clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <Button icon={isCopied ? 'check' : 'copy'} onPress={() => void copy()}>
      {isCopied ? t('copied') : label}
    </Button>
  );
}

/** Shows a secret once, with a button to copy it. */
export function Secret({ label, value }: { label: string; value: string }) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input ref={field} id={id} className="secret" value={value} readOnly onFocus={() => field.current?.select()} />
      <div>
        <CopyButton text={value} />
      </div>
    </div>
  );
}
