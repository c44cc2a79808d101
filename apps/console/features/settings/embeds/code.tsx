import { useId } from 'react';
import { CopyButton } from '../../../ui/secret.tsx';

/** A code to be copied to another place. */
export function Code({ label, hint, text }: { label: string; hint: string; text: string }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <span id={`${id}-hint`} className="hint">
        {hint}
      </span>
      <textarea
        id={id}
        className="code"
        aria-describedby={`${id}-hint`}
        value={text}
        rows={4}
        readOnly
        onFocus={({ target }) => target.select()}
      />
      <div>
        <CopyButton text={text} />
      </div>
    </div>
  );
}
