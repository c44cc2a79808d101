import { lazy, Suspense } from 'react';
import { loadTexts, textsOf } from '../../i18n/texts.ts';
import { RowsLoading } from '../states.tsx';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('rich-text');

export interface RichTextProps {
  label: string;
  /** HTML. */
  value: string;
  onChange: (html: string) => void;
  /** One line below the field. */
  hint?: string | undefined;
  /** Why the server refuses the value. */
  problem?: string | undefined;
}

/** The editor is large, so it is loaded when a text is opened. */
const Editor = lazy(async () => {
  const [{ Editor: component }] = await Promise.all([import('./editor.tsx'), loadTexts('rich-text')]);
  return { default: component };
});

/** A text with headings, lists and links. Markup that the editor does not know is never lost. */
export function RichText(props: RichTextProps) {
  return (
    <Suspense fallback={<RowsLoading rows={3} />}>
      <Editor {...props} />
    </Suspense>
  );
}
