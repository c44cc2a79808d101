import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { device, scanning } from './state.ts';
import { LANGUAGES, type Language, language, speak, t } from './texts.ts';

/** Parts of several screens. */

interface PageProps {
  title: string;
  children: ComponentChildren;
  onBack?: () => void;
}

/**
 * Calls `leave` when Escape is pressed, wherever the focus is. Only one of several listeners acts; `false` passes the
 * key on.
 */
export function useEscape(leave: (() => unknown) | undefined): void {
  // Other effects run after the next frame, and perhaps after the next key.
  useLayoutEffect(() => {
    if (!leave) return;
    const listener = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (leave() !== false) event.preventDefault();
    };
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [leave]);
}

/** A screen that is not the one for scanning. Its heading gets the focus, so that screen readers say where they are. */
export function Page({ title, children, onBack }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  // If a verdict covers the screen, Escape leaves the verdict.
  useEscape(onBack && (() => !scanning.shown.value && onBack()));
  return (
    <>
      <header class="head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {onBack && (
          <button type="button" class="plain" onClick={onBack}>
            ‹ {t('back')}
          </button>
        )}
      </header>
      <main class="page">{children}</main>
    </>
  );
}

type ButtonProps = JSX.IntrinsicElements['button'] & { look?: 'primary' | 'small' | undefined };

export const Button = ({ look, class: more, ...props }: ButtonProps) => (
  <button type="button" {...props} class={['button', look, more].filter(Boolean).join(' ')} />
);

interface FieldProps {
  label: string;
  hint?: string;
  name: string;
  /** Attributes of the field itself. */
  field: JSX.IntrinsicElements['input'];
}

export function Field({ label, hint, name, field }: FieldProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input {...field} id={name} name={name} aria-describedby={hint && `${name}-hint`} />
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface ChoicesProps<T> {
  label: string;
  value: T;
  options: readonly { value: T; label: string; lang?: string }[];
  onChoose: (value: T) => void;
}

/** A few large buttons, one of them pressed. */
export function Choices<T extends string | number>({ label, value, options, onChoose }: ChoicesProps<T>) {
  return (
    <fieldset class="choices" aria-label={label}>
      {options.map((option) => (
        <button
          type="button"
          key={option.value}
          lang={option.lang}
          aria-pressed={option.value === value}
          onClick={() => onChoose(option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}

const OPTIONS = (Object.entries(LANGUAGES) as [Language, string][]).map(([value, label]) => ({
  value,
  label,
  lang: value,
}));

async function chooseLanguage(code: Language): Promise<void> {
  await speak(code);
  await device.choose({ language: code });
}

/** Chooses the language in two taps. */
export const Languages = () => (
  <Choices
    label={t('language')}
    value={language.value}
    options={OPTIONS}
    onChoose={(code) => void chooseLanguage(code)}
  />
);

/** A sentence that screen readers say when it appears. */
export const Problem = ({ text }: { text: string | undefined }) => (
  <p role="alert" class="problem" hidden={!text}>
    {text}
  </p>
);
