import { type Editor, useEditorState } from '@tiptap/react';
import { Separator } from 'react-aria-components/Separator';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { Toolbar } from 'react-aria-components/Toolbar';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { IconButton } from '../button.tsx';
import type { IconName } from '../icon.tsx';
import { Icon } from '../icon.tsx';
import { t } from './rich-text.tsx';

interface Tool {
  key: 'bold' | 'italic' | 'link' | 'heading_2' | 'heading_3' | 'bullets' | 'numbers' | 'quote';
  icon: IconName;
  isOn: (editor: Editor) => boolean;
  run: (editor: Editor) => void;
}

const heading = (level: 2 | 3): Tool => ({
  key: `heading_${level}`,
  icon: `heading_${level}`,
  isOn: (editor) => editor.isActive('heading', { level }),
  run: (editor) => editor.chain().focus().toggleHeading({ level }).run(),
});

const INLINE: readonly Tool[] = [
  {
    key: 'bold',
    icon: 'bold',
    isOn: (editor) => editor.isActive('bold'),
    run: (editor) => editor.chain().focus().toggleBold().run(),
  },
  {
    key: 'italic',
    icon: 'italic',
    isOn: (editor) => editor.isActive('italic'),
    run: (editor) => editor.chain().focus().toggleItalic().run(),
  },
];

const BLOCKS: readonly Tool[] = [
  heading(2),
  heading(3),
  {
    key: 'bullets',
    icon: 'bullets',
    isOn: (editor) => editor.isActive('bulletList'),
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    key: 'numbers',
    icon: 'numbers',
    isOn: (editor) => editor.isActive('orderedList'),
    run: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  {
    key: 'quote',
    icon: 'quote',
    isOn: (editor) => editor.isActive('blockquote'),
    run: (editor) => editor.chain().focus().toggleBlockquote().run(),
  },
];

interface ToolbarProps {
  editor: Editor;
  label: string;
  onLink: () => void;
}

/** Formats the selected text. The arrow keys go from button to button. */
export function EditorToolbar({ editor, label, onLink }: ToolbarProps) {
  const link: Tool = { key: 'link', icon: 'link', isOn: () => editor.isActive('link'), run: onLink };
  const inline = [...INLINE, link];
  const state = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      on: [...inline, ...BLOCKS].filter(({ isOn }) => isOn(now)).map(({ key }) => key),
      mayUndo: now.can().undo(),
      mayRedo: now.can().redo(),
    }),
  });
  const buttons = (tools: readonly Tool[]) =>
    tools.map((tool) => <ToolButton key={tool.key} editor={editor} tool={tool} isOn={state.on.includes(tool.key)} />);
  return (
    <Toolbar className="rich-text-tools" aria-label={label}>
      {buttons(inline)}
      <Separator orientation="vertical" />
      {buttons(BLOCKS)}
      <Separator orientation="vertical" />
      <IconButton
        icon="undo"
        label={t('undo')}
        isDisabled={!state.mayUndo}
        onPress={() => editor.chain().focus().undo().run()}
      />
      <IconButton
        icon="redo"
        label={t('redo')}
        isDisabled={!state.mayRedo}
        onPress={() => editor.chain().focus().redo().run()}
      />
    </Toolbar>
  );
}

function ToolButton({ editor, tool: { key, icon, run }, isOn }: { editor: Editor; tool: Tool; isOn: boolean }) {
  return (
    <TooltipTrigger delay={500}>
      <ToggleButton aria-label={t(`tool.${key}`)} className="icon-button" isSelected={isOn} onPress={() => run(editor)}>
        <Icon name={icon} />
      </ToggleButton>
      <Tooltip className="tooltip" offset={6}>
        {t(`tool.${key}`)}
      </Tooltip>
    </TooltipTrigger>
  );
}
