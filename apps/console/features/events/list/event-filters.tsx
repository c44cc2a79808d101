import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRight, useSite } from '../../../data/account.ts';
import { read } from '../../../data/queries.ts';
import { t as commonText, language } from '../../../i18n/texts.ts';
import { CategoryPicker, VenuePicker } from '../../../shared/pickers/record-picker.tsx';
import { DayField, SelectField } from '../../../ui/fields.tsx';
import { EVENT_STATUSES, type EventStatus, TAKING_PLACE } from '../filter-values.ts';
import { t } from '../routes.ts';
import { type EventFilters, isNarrowed } from './event-query.ts';

interface MoreFiltersProps {
  shown: EventFilters;
  onChange: (next: EventFilters) => void;
}

/** Filters that are rarely used. */
export function MoreFilters({ shown, onChange }: MoreFiltersProps) {
  const { category, author, venue, from = '', to = '', status, missing, series } = shown;
  const { languages } = useSite();
  const mayEdit = useRight('edit');
  const mayEditOthers = useRight('edit_others');
  const [isOpen, setOpen] = useState(isNarrowed({ ...shown, search: undefined }));
  return (
    <details className="more-filters" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{commonText('filters.more')}</summary>
      <div className="form-row">
        <CategoryPicker label={t('category')} value={category} onChange={(next) => onChange({ category: next })} />
        <VenuePicker label={t('place')} value={venue} onChange={(next) => onChange({ venue: next })} />
        <DayField label={t('from')} value={from} onChange={(next) => onChange({ from: next || undefined })} />
        <DayField label={t('to')} value={to} onChange={(next) => onChange({ to: next || undefined })} />
        <SelectField
          label={t('status')}
          value={status ?? ''}
          onChange={(next) => onChange({ status: EVENT_STATUSES.find((one) => one === next) })}
          choices={[
            { value: '', label: t('status.any') },
            ...EVENT_STATUSES.filter((value) => mayEdit || isForAll(value)).map((value) => ({
              value,
              label: statusName(value),
            })),
          ]}
        />
        {series !== undefined && (
          <SelectField
            label={t('series')}
            value="one"
            onChange={() => onChange({ series: undefined })}
            choices={[
              { value: 'one', label: t('series.only') },
              { value: 'all', label: t('series.only.all') },
            ]}
          />
        )}
        {mayEditOthers && isOpen && <AuthorField value={author} onChange={(next) => onChange({ author: next })} />}
        {mayEdit && languages.length > 1 && (
          <SelectField
            label={t('missing')}
            value={missing ?? ''}
            onChange={(next) => onChange({ missing: next || undefined })}
            choices={[
              { value: '', label: t('missing.none') },
              ...languages.map((value) => ({ value, label: nameOf(value) })),
            ]}
          />
        )}
      </div>
    </details>
  );
}

const nameOf = (code: string): string => new Intl.DisplayNames([language], { type: 'language' }).of(code) ?? code;

const isTakingPlace = (status: EventStatus) => TAKING_PLACE.find((one) => one === status);
const isForAll = (status: EventStatus): boolean => status === 'publish' || isTakingPlace(status) !== undefined;

function statusName(status: EventStatus): string {
  const taking = isTakingPlace(status);
  return taking ? t(`event_status.${taking}`) : t(`status.${status as 'publish'}`);
}

/** Maximum number of authors in the choice. */
const MOST_AUTHORS = 100;

interface AuthorFieldProps {
  value: number | undefined;
  onChange: (author: number | undefined) => void;
}

function AuthorField({ value, onChange }: AuthorFieldProps) {
  const { data } = useQuery(read('GET /admin/v1/authors', { per_page: MOST_AUTHORS }));
  const authors = (data?.authors ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  const chosen = value === undefined ? '' : String(value);
  // The address may name an author who is not in the list.
  const others =
    chosen === '' || authors.some((one) => one.value === chosen) ? [] : [{ value: chosen, label: `#${chosen}` }];
  return (
    <SelectField
      label={t('author')}
      value={chosen}
      onChange={(next) => onChange(Number(next) || undefined)}
      choices={[{ value: '', label: t('author.any') }, ...authors, ...others]}
    />
  );
}
