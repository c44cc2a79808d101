import { useId, useRef, useState } from 'react';
import { t } from '../i18n/texts.ts';
import { Button } from './button.tsx';

/** Copies a text. Pages that did not come over https may not do that by themselves, so there it does nothing. */
export function CopyButton({ text, label = t('copy') }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  // Undefined on such pages, whatever the types say.
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

/** A secret that is shown once, to be copied. */
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
