import { useState } from 'react';
import { canonical } from './canonical.ts';
import { isKept } from './markup.ts';
import { PlainEditor } from './plain-editor.tsx';
import { RichEditor } from './rich-editor.tsx';
import './rich-text.css';
import type { RichTextProps } from './rich-text.tsx';

interface Opened {
  /** The value that this editor was opened with or has written last. */
  value: string;
  isRich: boolean;
  /** A new one for each value that comes from elsewhere. */
  round: number;
}

/** Opens a text where nothing of it is lost: in the rich editor, else as HTML. */
export function Editor(props: RichTextProps) {
  const { value, onChange } = props;
  const [opened, setOpened] = useState<Opened>(() => ({ value, isRich: isKept(value), round: 0 }));
  const isForeign = value !== opened.value && canonical(value) !== canonical(opened.value);
  // Discarded, taken over from somebody else, or of another language.
  if (isForeign) setOpened({ value, isRich: isKept(value), round: opened.round + 1 });
  const write = (html: string) => {
    setOpened((now) => ({ ...now, value: html }));
    onChange(html);
  };
  if (opened.isRich) return <RichEditor key={opened.round} {...props} onChange={write} />;
  const enrich = () => setOpened((now) => ({ ...now, isRich: isKept(value) }));
  return <PlainEditor key={opened.round} {...props} onChange={write} onEnrich={enrich} />;
}
