import { useState } from 'react';
import { Button } from '../button.tsx';
import { TextField } from '../fields.tsx';
import { canonical } from './canonical.ts';
import { isKept, lostOf } from './markup.ts';
import { RichEditor } from './rich-editor.tsx';
import { type RichTextProps, t } from './rich-text.tsx';
import './rich-text.css';

interface Opened {
  /** The value that this editor was opened with or has written last. */
  value: string;
  isRich: boolean;
  /** Changes with each value from outside the editor. */
  round: number;
}

/** Opens a text in the rich editor, or as HTML if the rich editor would lose some of it. */
export function Editor(props: RichTextProps) {
  const { value, onChange } = props;
  const [opened, setOpened] = useState<Opened>(() => ({ value, isRich: isKept(value), round: 0 }));
  const isForeign = value !== opened.value && canonical(value) !== canonical(opened.value);
  // The value was discarded, changed elsewhere, or is of another language.
  if (isForeign) setOpened({ value, isRich: isKept(value), round: opened.round + 1 });
  const write = (html: string) => {
    setOpened((now) => ({ ...now, value: html }));
    onChange(html);
  };
  if (opened.isRich) return <RichEditor key={opened.round} {...props} onChange={write} />;
  const enrich = () => setOpened((now) => ({ ...now, isRich: isKept(value) }));
  return <PlainEditor key={opened.round} {...props} onChange={write} onEnrich={enrich} />;
}

/** Maximum number of lost elements that are named. */
const MOST = 5;

function reasonFor(html: string): string {
  const lost = lostOf(html).slice(0, MOST);
  return lost.length > 0 ? t('plain.lost', { what: lost.join(', ') }) : t('plain.other');
}

/** Editor of HTML source. */
function PlainEditor({ onEnrich, hint, ...props }: RichTextProps & { onEnrich: () => void }) {
  const [reason] = useState(() => reasonFor(props.value));
  const isPossible = isKept(props.value);
  return (
    <div className="plain-text">
      <TextField {...props} rows={12} hint={hint ? `${reason} ${hint}` : reason} />
      {isPossible && (
        <div>
          <Button icon="edit" onPress={onEnrich}>
            {t('plain.enrich')}
          </Button>
        </div>
      )}
    </div>
  );
}
