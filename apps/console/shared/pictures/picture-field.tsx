import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useRight } from '../../data/account.ts';
import { t } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { labelled } from '../../ui/fields.tsx';

/** Dialog that chooses a picture; its code is loaded when it opens. */
const Picker = lazy(async () => ({ default: (await import('./picker.tsx')).Picker }));

/** A picture of the library in a form. */
export interface Picture {
  [name: string]: unknown;
  id: number;
  url: string;
}

interface PictureFieldProps {
  label: string;
  value: Picture | null;
  onChange: (picture: Picture | null) => void;
  /** Why the server refuses it. */
  problem?: string | undefined;
  /** Below the picture. */
  mark?: ReactNode;
}

/** Keeps the focus in the field: the button that removes disappears with the picture. */
function focusFirstButton(pressed: Element): void {
  const field = pressed.closest('fieldset');
  requestAnimationFrame(() => field?.querySelector('button')?.focus());
}

/** Picture of a record, chosen from the library or uploaded by users with that right. */
export function PictureField({ label, value, onChange, problem, mark }: PictureFieldProps) {
  const [isPicking, setPicking] = useState(false);
  const mayUpload = useRight('upload');
  return (
    <fieldset className="field picture-field" aria-invalid={problem !== undefined}>
      <legend>{label}</legend>
      {value && <img src={value.url} alt="" loading="lazy" />}
      {!value && <p className="soft">{t('picture.none')}</p>}
      <div className="actions">
        {mayUpload && (
          <Button icon="media" onPress={() => setPicking(true)}>
            {t(value ? 'picture.change' : 'picture.choose')}
          </Button>
        )}
        {value && (
          <Button
            icon="close"
            look="plain"
            onPress={({ target }) => {
              onChange(null);
              focusFirstButton(target);
            }}
          >
            {t('picture.remove')}
          </Button>
        )}
      </div>
      {problem && <span className="field-error">{labelled(problem, label)}</span>}
      {mark}
      {isPicking && (
        <Suspense fallback={null}>
          <Picker
            onPick={({ id, url }) => {
              onChange({ id, url });
              setPicking(false);
            }}
            onClose={() => setPicking(false)}
          />
        </Suspense>
      )}
    </fieldset>
  );
}
