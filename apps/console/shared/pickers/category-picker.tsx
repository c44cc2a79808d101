import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { SearchField } from 'react-aria-components/SearchField';
import type { Term } from '../../../../packages/client/src/marquee-client.ts';
import { read } from '../../data/queries.ts';
import { t } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { Icon } from '../../ui/icon.tsx';
import { describe } from '../../ui/states.tsx';

interface CategoryPickerProps {
  label: string;
  /** Id of the chosen category. */
  value: number | undefined;
  onChange: (category: number | undefined) => void;
}

/** A choice of one category, or of none, by searching. */
export function CategoryPicker({ label, value, onChange }: CategoryPickerProps) {
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(read('GET /events/v1/categories/{id}', { id: value ?? 0 }, { isOn: value !== undefined }));
  const chosen = value === undefined ? t('category.any') : (data?.name ?? `#${value}`);
  const choose = (category: number | undefined) => {
    setOpen(false);
    onChange(category);
  };
  return (
    <div className="field event-picker">
      <span className="label" aria-hidden="true">
        {label}
      </span>
      <Button aria-label={`${label}: ${chosen}`} onPress={() => setOpen(true)}>
        {chosen}
      </Button>
      {isOpen && (
        <DialogBox
          title={label}
          onClose={() => setOpen(false)}
          actions={value !== undefined && <Button onPress={() => choose(undefined)}>{t('category.any')}</Button>}
        >
          <CategorySearch label={label} onChoose={({ id }) => choose(id)} />
        </DialogBox>
      )}
    </div>
  );
}

interface CategorySearchProps {
  label: string;
  onChoose: (category: Term) => void;
}

/** Categories whose names have the words that are typed. */
export function CategorySearch({ label, onChoose }: CategorySearchProps) {
  const [typed, setTyped] = useState('');
  const search = typed.trim();
  const input = { per_page: 50, hide_empty: false, ...(search && { search }) };
  const { data, error } = useQuery(read('GET /events/v1/categories', input, { keepsPrevious: true }));
  const found = data?.categories ?? [];
  const choose = (id: number) => {
    const category = found.find((one) => one.id === id);
    if (category) onChoose(category);
  };
  return (
    <Autocomplete inputValue={typed} onInputChange={setTyped}>
      <SearchField aria-label={label} autoFocus className="search-box event-search">
        <Icon name="search" />
        <Input className="input" placeholder={t('category.search')} />
      </SearchField>
      <Menu
        className="menu event-menu"
        aria-label={t('palette.results')}
        items={found}
        onAction={(id) => choose(Number(id))}
        renderEmptyState={() => (
          <p className="palette-empty">{error ? describe(error) : t(data ? 'category.none' : 'loading')}</p>
        )}
      >
        {({ id, name, count }) => (
          <MenuItem id={id} textValue={name} className="menu-item">
            <span>{name}</span>
            <small>{count}</small>
          </MenuItem>
        )}
      </Menu>
    </Autocomplete>
  );
}
