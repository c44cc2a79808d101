import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { SearchField } from 'react-aria-components/SearchField';
import { EVER } from '../../../client/ever.ts';
import { read } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { t } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { Icon } from '../../ui/icon.tsx';

interface EventPickerProps {
  label: string;
  /** Id of the chosen event. */
  value: number | undefined;
  onChange: (event: number | undefined) => void;
}

/** A choice of one event, or of none, by searching. */
export function EventPicker({ label, value, onChange }: EventPickerProps) {
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(read('GET /events/v1/events/{id}', { id: value ?? 0 }, { isOn: value !== undefined }));
  const chosen = value === undefined ? t('event.any') : (data?.title ?? `#${value}`);
  const choose = (event: number | undefined) => {
    setOpen(false);
    onChange(event);
  };
  return (
    <div className="field event-picker">
      <span className="label" aria-hidden="true">
        {label}
      </span>
      <Button icon="events" aria-label={`${label}: ${chosen}`} onPress={() => setOpen(true)}>
        {chosen}
      </Button>
      {isOpen && (
        <DialogBox
          title={label}
          onClose={() => setOpen(false)}
          actions={value !== undefined && <Button onPress={() => choose(undefined)}>{t('event.any')}</Button>}
        >
          <EventSearch label={label} onChoose={choose} />
        </DialogBox>
      )}
    </div>
  );
}

interface EventSearchProps {
  label: string;
  onChoose: (event: number) => void;
}

/** Events that take place next, or those that are searched for. */
export function EventSearch({ label, onChoose }: EventSearchProps) {
  const [typed, setTyped] = useState('');
  const search = typed.trim();
  const input = { per_page: 10, ...(search ? { ...EVER, search } : { ends_after: 'now' }) };
  const { data } = useQuery(read('GET /events/v1/events', input, { keepsPrevious: true }));
  return (
    <Autocomplete inputValue={typed} onInputChange={setTyped}>
      <SearchField aria-label={label} autoFocus className="search-box event-search">
        <Icon name="search" />
        <Input className="input" placeholder={t('event.search')} />
      </SearchField>
      <Menu
        className="menu event-menu"
        aria-label={t('palette.results')}
        items={data?.events ?? []}
        onAction={(id) => onChoose(Number(id))}
        renderEmptyState={() => <p className="palette-empty">{data ? t('palette.empty') : t('loading')}</p>}
      >
        {(event) => (
          <MenuItem id={event.id} textValue={event.title} className="menu-item">
            <span className="clamped">{event.title}</span>
            <small>{when.day(event.start_date)}</small>
          </MenuItem>
        )}
      </Menu>
    </Autocomplete>
  );
}
