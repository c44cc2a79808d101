import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { SearchField } from 'react-aria-components/SearchField';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { Icon } from '../../ui/icon.tsx';
import { t } from './routes.ts';
import { readTree, type TermRow } from './terms.ts';
import { hasWords, pathOf, withBelow } from './tree.ts';

/** Maximum number of listed choices; the others are found by a search. */
const MOST_SHOWN = 50;

const NO_TREE: { rows: readonly TermRow[] } = { rows: [] };

interface ParentPickerProps {
  value: number;
  onChange: (parent: number) => void;
  problem?: string | undefined;
  /** Category whose parent is chosen; undefined for a new one. */
  child?: number;
}

/** Chooses the parent of a category, or the top level. */
export function ParentPicker({ value, onChange, problem, child }: ParentPickerProps) {
  const id = useId();
  const { data: { rows } = NO_TREE } = useQuery(readTree());
  const [isOpen, setOpen] = useState(false);
  const chosen = value === 0 ? t('parent.top') : pathOf(value, rows).join(' › ') || `#${value}`;
  const choose = (parent: number) => {
    setOpen(false);
    onChange(parent);
  };
  return (
    <div className="field event-picker">
      <span className="label" aria-hidden="true">
        {t('parent')}
      </span>
      <Button
        icon="category"
        aria-label={`${t('parent')}: ${chosen}`}
        {...(problem !== undefined && { 'aria-describedby': id, 'data-problem': true })}
        onPress={() => setOpen(true)}
      >
        {chosen}
      </Button>
      {problem !== undefined && (
        <span id={id} className="field-error">
          {problem}
        </span>
      )}
      {isOpen && (
        <DialogBox title={t('parent')} onClose={() => setOpen(false)}>
          <Choices rows={rows} child={child} onChoose={choose} />
        </DialogBox>
      )}
    </div>
  );
}

interface ChoicesProps {
  rows: readonly TermRow[];
  child: number | undefined;
  onChoose: (parent: number) => void;
}

/** The top level, then all categories by their paths, without the child and its descendants. */
function Choices({ rows, child, onChoose }: ChoicesProps) {
  const [typed, setTyped] = useState('');
  const below = child === undefined ? new Set<number>() : withBelow(child, rows);
  const all = rows
    .filter(({ id }) => !below.has(id))
    .map(({ id }) => ({ id, path: pathOf(id, rows).join(' › ') }))
    .toSorted((one, other) => one.path.localeCompare(other.path));
  const choices = [{ id: 0, path: t('parent.top') }, ...all].filter(({ path }) => hasWords(typed.trim(), path));
  return (
    <Autocomplete inputValue={typed} onInputChange={setTyped}>
      <SearchField aria-label={t('parent.search')} autoFocus className="search-box">
        <Icon name="search" />
        <Input className="input" placeholder={t('parent.search')} />
      </SearchField>
      <Menu
        className="menu parent-menu"
        aria-label={t('parent')}
        items={choices.slice(0, MOST_SHOWN)}
        onAction={(id) => onChoose(Number(id))}
        renderEmptyState={() => <p className="palette-empty">{t('none_found')}</p>}
      >
        {({ id, path }) => (
          <MenuItem id={id} textValue={path} className="menu-item">
            {path}
          </MenuItem>
        )}
      </Menu>
      {choices.length > MOST_SHOWN && (
        <p className="hint">{t('parent.more', { count: choices.length - MOST_SHOWN })}</p>
      )}
    </Autocomplete>
  );
}
