import { EditorContent, useEditor } from '@tiptap/react';
import { useId, useState } from 'react';
import { FieldNotes, labelled } from '../fields.tsx';
import { canonical } from './canonical.ts';
import { EXTENSIONS } from './extensions.ts';
import { LinkDialog } from './link-dialog.tsx';
import { parse, print, withoutPictures } from './markup.ts';
import { type RichTextProps, t } from './rich-text.tsx';
import { EditorToolbar } from './toolbar.tsx';

/** The text as readers see it, below the toolbar that formats it. */
export function RichEditor({ label, value, onChange, hint, problem }: RichTextProps) {
  const id = useId();
  const [first] = useState(value);
  const [isLinking, setLinking] = useState(false);
  const about = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  const editor = useEditor({
    extensions: EXTENSIONS,
    content: parse(first).toJSON(),
    // Input is not replaced while typing.
    enableInputRules: false,
    enablePasteRules: false,
    // Its style element would need a nonce; rich-text.css contains its rules.
    injectCSS: false,
    editorProps: {
      attributes: {
        class: 'rich-text-content',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': `${id}-label`,
        ...(about && { 'aria-describedby': about }),
        ...(problem !== undefined && { 'aria-invalid': 'true' }),
      },
      transformPastedHTML: withoutPictures,
      handleKeyDown: (_, event) => {
        const isLink = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k';
        if (!isLink) return false;
        event.preventDefault();
        setLinking(true);
        return true;
      },
    },
    onUpdate: ({ editor: { state } }) => {
      const html = print(state.doc);
      // A change that was undone is no change.
      onChange(canonical(html) === canonical(first) ? first : html);
    },
  });
  return (
    <div className="field rich-text">
      <span id={`${id}-label`} className="label">
        {label}
      </span>
      <div className="rich-text-box" data-invalid={problem !== undefined || undefined}>
        <EditorToolbar editor={editor} label={t('toolbar', { label })} onLink={() => setLinking(true)} />
        <EditorContent editor={editor} />
      </div>
      <FieldNotes id={id} hint={hint} problem={labelled(problem, label)} />
      {isLinking && <LinkDialog editor={editor} onClose={() => setLinking(false)} />}
    </div>
  );
}
