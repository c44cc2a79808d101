import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { SearchField } from 'react-aria-components/SearchField';
import type { Term } from '../../../../packages/client/src/marquee-client.ts';
import { ANY_DATE } from '../../data/any-date.ts';
import { read } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { t } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { describe } from '../../ui/states.tsx';

interface PickerProps {
  label: string;
  /** Id of the chosen record. */
  value: number | undefined;
  onChange: (id: number | undefined) => void;
}

interface RecordPickerProps extends PickerProps {
  icon?: IconName;
  /** Name of the chosen record, once it has been read. */
  name: string | undefined;
  /** Label for no choice. */
  any: string;
  search: (choose: (id: number) => void) => ReactNode;
}

/** A button with the chosen record, which opens a search for another one. */
function RecordPicker({ label, value, onChange, icon, name, any, search }: RecordPickerProps) {
  const [isOpen, setOpen] = useState(false);
  const chosen = value === undefined ? any : (name ?? `#${value}`);
  const choose = (id: number | undefined) => {
    setOpen(false);
    onChange(id);
  };
  return (
    <div className="field record-picker">
      <span className="label" aria-hidden="true">
        {label}
      </span>
      <Button {...(icon && { icon })} aria-label={`${label}: ${chosen}`} onPress={() => setOpen(true)}>
        {chosen}
      </Button>
      {isOpen && (
        <DialogBox
          title={label}
          onClose={() => setOpen(false)}
          actions={value !== undefined && <Button onPress={() => choose(undefined)}>{any}</Button>}
        >
          {search(choose)}
        </DialogBox>
      )}
    </div>
  );
}

interface Found {
  id: number;
  name: string;
  /** Date or count that distinguishes records of the same name. */
  detail: string | number;
  /** State that sets it apart, such as a draft. */
  mark?: string;
}

interface RecordSearchProps {
  label: string;
  placeholder: string;
  typed: string;
  onType: (typed: string) => void;
  found: readonly Found[];
  /** Shown if there are none. */
  empty: string;
  onChoose: (id: number) => void;
}

/** Finds records by words, and chooses one. */
export function RecordSearch({ label, placeholder, typed, onType, found, empty, onChoose }: RecordSearchProps) {
  return (
    <Autocomplete inputValue={typed} onInputChange={onType}>
      <SearchField aria-label={label} autoFocus className="search-box record-search">
        <Icon name="search" />
        <Input className="input" placeholder={placeholder} />
      </SearchField>
      <Menu
        className="menu record-menu"
        aria-label={t('palette.results')}
        items={found}
        onAction={(id) => onChoose(Number(id))}
        renderEmptyState={() => <p className="palette-empty">{empty}</p>}
      >
        {({ id, name, detail, mark }) => (
          <MenuItem id={id} textValue={name} className="menu-item">
            <span className="clamped">
              {name} {mark && <span className="badge warn">{mark}</span>}
            </span>
            <small>{detail}</small>
          </MenuItem>
        )}
      </Menu>
    </Autocomplete>
  );
}

/** Chooses one event or none. */
export function EventPicker({ any = t('event.any'), ...props }: PickerProps & { any?: string }) {
  const { label, value } = props;
  const { data } = useQuery(read('GET /events/v1/events/{id}', { id: value ?? 0 }, { isOn: value !== undefined }));
  return (
    <RecordPicker
      {...props}
      icon="events"
      name={data?.title}
      any={any}
      search={(choose) => <EventSearch label={label} onChoose={choose} />}
    />
  );
}

interface EventSearchProps {
  label: string;
  onChoose: (event: number) => void;
}

/** Finds events by words; without any, those that take place next. */
function EventSearch({ label, onChoose }: EventSearchProps) {
  const [typed, setTyped] = useState('');
  const search = typed.trim();
  const input = { per_page: 10, ...(search ? { ...ANY_DATE, search } : { ends_after: 'now' }) };
  const { data } = useQuery(read('GET /events/v1/events', input, { keepsPrevious: true }));
  const found = data?.events.map(({ id, title, start_date }) => ({ id, name: title, detail: when.day(start_date) }));
  return (
    <RecordSearch
      label={label}
      placeholder={t('event.search')}
      typed={typed}
      onType={setTyped}
      found={found ?? []}
      empty={t(data ? 'palette.empty' : 'loading')}
      onChoose={onChoose}
    />
  );
}

/** Chooses one venue or none. */
export function VenuePicker(props: PickerProps) {
  const { label, value } = props;
  const { data } = useQuery(read('GET /events/v1/venues/{id}', { id: value ?? 0 }, { isOn: value !== undefined }));
  return (
    <RecordPicker
      {...props}
      icon="venue"
      name={data?.venue}
      any={t('venue.any')}
      search={(choose) => <VenueSearch label={label} onChoose={choose} />}
    />
  );
}

/** Finds venues by words in their names. */
function VenueSearch({ label, onChoose }: EventSearchProps) {
  const [typed, setTyped] = useState('');
  const search = typed.trim();
  const input = { per_page: 20, ...(search && { search }) };
  const { data, error } = useQuery(read('GET /events/v1/venues', input, { keepsPrevious: true }));
  const found = data?.venues.map(({ id, venue, city }) => ({ id, name: venue, detail: city ?? '' }));
  return (
    <RecordSearch
      label={label}
      placeholder={t('venue.search')}
      typed={typed}
      onType={setTyped}
      found={found ?? []}
      empty={error ? describe(error) : t(data ? 'palette.empty' : 'loading')}
      onChoose={onChoose}
    />
  );
}

/** Chooses one category or none. */
export function CategoryPicker(props: PickerProps) {
  const { label, value } = props;
  const { data } = useQuery(read('GET /events/v1/categories/{id}', { id: value ?? 0 }, { isOn: value !== undefined }));
  return (
    <RecordPicker
      {...props}
      name={data?.name}
      any={t('category.any')}
      search={(choose) => <CategorySearch label={label} onChoose={({ id }) => choose(id)} />}
    />
  );
}

interface CategorySearchProps {
  label: string;
  onChoose: (category: Term) => void;
}

/** Finds categories by words in their names. */
export function CategorySearch({ label, onChoose }: CategorySearchProps) {
  const [typed, setTyped] = useState('');
  const search = typed.trim();
  const input = { per_page: 50, hide_empty: false, ...(search && { search }) };
  const { data, error } = useQuery(read('GET /events/v1/categories', input, { keepsPrevious: true }));
  const categories = data?.categories ?? [];
  const choose = (id: number) => {
    const category = categories.find((one) => one.id === id);
    if (category) onChoose(category);
  };
  return (
    <RecordSearch
      label={label}
      placeholder={t('category.search')}
      typed={typed}
      onType={setTyped}
      found={categories.map(({ id, name, count }) => ({ id, name, detail: count }))}
      empty={error ? describe(error) : t(data ? 'category.none' : 'loading')}
      onChoose={choose}
    />
  );
}
