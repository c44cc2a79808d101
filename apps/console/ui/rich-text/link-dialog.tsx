import type { Editor } from '@tiptap/react';
import { type SubmitEvent, useId, useState } from 'react';
import { Button } from '../button.tsx';
import { DialogBox } from '../dialog-box.tsx';
import { TextField } from '../fields.tsx';
import { readAddress } from './address.ts';
import { t } from './rich-text.tsx';

/** The address of the selected text, and how it is set and removed. */
function useLink(editor: Editor, onClose: () => void) {
  const before = String(editor.getAttributes('link').href ?? '');
  const [typed, setTyped] = useState(before);
  const [text, setText] = useState('');
  const [isRefused, setRefused] = useState(false);
  const isTextAsked = before === '' && editor.state.selection.empty;
  const type = (next: string) => {
    setTyped(next);
    setRefused(false);
  };
  const close = () => {
    onClose();
    // The dialog first restores the focus; the editor takes it afterwards.
    setTimeout(() => editor.commands.focus());
  };
  const link = (event: SubmitEvent) => {
    event.preventDefault();
    // This form is nested in the form of the screen.
    event.stopPropagation();
    const href = readAddress(typed);
    if (href === undefined) return setRefused(true);
    const mark = { type: 'link', attrs: { href } };
    if (isTextAsked) editor.commands.insertContent({ type: 'text', text: text.trim() || typed.trim(), marks: [mark] });
    else editor.chain().extendMarkRange('link').setMark('link', { href }).run();
    close();
  };
  const unlink = () => {
    editor.chain().extendMarkRange('link').unsetMark('link').run();
    close();
  };
  return { before, typed, type, text, setText, isRefused, isTextAsked, link, unlink, close };
}

/** Asks for the address of the selected text, and for the text if none is selected. */
export function LinkDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const form = useId();
  const { before, typed, type, text, setText, isRefused, isTextAsked, ...acts } = useLink(editor, onClose);
  return (
    <DialogBox
      title={t('tool.link')}
      onClose={acts.close}
      actions={
        <>
          {before !== '' && <Button onPress={acts.unlink}>{t('link.remove')}</Button>}
          <Button look="primary" type="submit" form={form}>
            {t('link.set')}
          </Button>
        </>
      }
    >
      <form id={form} className="form" onSubmit={acts.link} noValidate>
        <TextField
          label={t('link.address')}
          hint={t('link.hint')}
          value={typed}
          onChange={type}
          problem={isRefused ? t('link.refused') : undefined}
          inputMode="url"
          autoFocus
        />
        {isTextAsked && <TextField label={t('link.text')} value={text} onChange={setText} />}
      </form>
    </DialogBox>
  );
}
