import { lazy, type ReactNode, Suspense } from 'react';
import { textsOf } from '../../i18n/texts.ts';
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
  /** Below the field. */
  mark?: ReactNode;
}

/** The editor is large, so it is loaded when a text is opened. */
const Editor = lazy(async () => ({ default: (await import('./editor.tsx')).Editor }));

/** A text with headings, lists and links. Markup that the editor does not know is never lost. */
export function RichText({ mark, ...props }: RichTextProps) {
  return (
    <>
      <Suspense fallback={<RowsLoading rows={3} />}>
        <Editor {...props} />
      </Suspense>
      {mark}
    </>
  );
}
