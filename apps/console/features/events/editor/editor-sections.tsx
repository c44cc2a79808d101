import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { hasRight, useMe, useRight, useSite } from '../../../data/account.ts';
import { type EventTextName, FORM_TEXTS } from '../../../data/event-texts.ts';
import { isPublished, mayManageTickets } from '../../../data/post-rights.ts';
import { read } from '../../../data/queries.ts';
import { prices, zonesWith } from '../../../i18n/formats.ts';
import { peopleOf } from '../../../shared/events/people.ts';
import { PictureField } from '../../../shared/pictures/picture-field.tsx';
import { ChoiceBox } from '../../../ui/choice-box.tsx';
import { MomentField, SelectField, Switch, TextField } from '../../../ui/fields.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { RichText } from '../../../ui/rich-text/rich-text.tsx';
import { useCategories, useOrganizers, useTags, VenueBox } from '../choices.tsx';
import { endAfter } from '../dates.ts';
import { t } from '../routes.ts';
import { type EditedEvent, EditorSection, labelOf } from './editor-section.tsx';
import type { EventFields } from './event-kind.ts';
import { PasswordField } from './password-field.tsx';

interface SectionProps {
  edited: EditedEvent;
}

const MODES = ['on_site', 'online', 'mixed'] as const;
const ACCESS = ['holders', 'everyone'] as const;

/** Location: a venue, online, or both. */
export function PlaceSection({ edited: { values, field } }: SectionProps) {
  return (
    <EditorSection name="place">
      <SelectField
        label={labelOf('attendance_mode')}
        {...field('attendance_mode')}
        choices={MODES.map((value) => ({ value, label: t(`attendance_mode.${value}`) }))}
      />
      {isOnline(values) && <OnlineFields field={field} />}
      <VenueBox {...field('venue')} />
      <TextField label={labelOf('website')} {...field('website')} hint={t('hint.website')} type="url" />
      <Flag field={field('show_map')} name="show_map" />
    </EditorSection>
  );
}

const isOnline = ({ attendance_mode, event_status }: EventFields): boolean =>
  attendance_mode !== 'on_site' || event_status === 'moved_online';

/** Address for attending online, and its readers. */
function OnlineFields({ field }: Pick<EditedEvent, 'field'>) {
  return (
    <div className="form-row">
      <TextField label={labelOf('online_url')} {...field('online_url')} hint={t('hint.online_url')} type="url" />
      <SelectField
        label={labelOf('online_access')}
        {...field('online_access')}
        choices={ACCESS.map((value) => ({ value, label: t(`online_access.${value}`) }))}
      />
    </div>
  );
}

/** Hints of some of the texts. */
const HINTS: Readonly<Partial<Record<EventTextName, 'hint.excerpt' | 'hint.accessibility'>>> = {
  excerpt: 'hint.excerpt',
  accessibility: 'hint.accessibility',
};

function hintOf(name: EventTextName): { hint?: string } {
  const { [name]: hint } = HINTS;
  return hint ? { hint: t(hint) } : {};
}

export function TextSection({ edited: { field } }: SectionProps) {
  return (
    <EditorSection name="text">
      {FORM_TEXTS.map(({ name, isLong }) => (
        <TextField key={name} label={labelOf(name)} {...field(name)} {...hintOf(name)} {...(isLong && { rows: 2 })} />
      ))}
      <RichText label={labelOf('description')} {...field('description')} />
    </EditorSection>
  );
}

export function PictureSection({ edited: { field } }: SectionProps) {
  return (
    <EditorSection name="picture">
      <PictureField label={labelOf('image')} {...field('image')} />
    </EditorSection>
  );
}

/** Price, and tickets sold. */
export function TicketsSection({ edited: { record, field } }: SectionProps) {
  const maySell = useRight('manage_tickets', 'manage_own_tickets');
  const { currency } = useSite();
  const { ticketed, attendance } = record;
  const hasTickets = Array.isArray(ticketed) && ticketed.length > 0;
  return (
    <EditorSection name="tickets">
      {hasTickets ? (
        <p>
          {t('tickets.cost', { cost: prices(record.cost_details.values, currency, t('new.entry.free')) })}{' '}
          {attendance && t('holders', { count: peopleOf(record), came: attendance.checked_in })}
        </p>
      ) : (
        <TextField label={labelOf('cost')} {...field('cost')} hint={t('hint.cost')} />
      )}
      {maySell && (
        <div>
          <Link className="button" to="/events/$id/tickets" params={{ id: String(record.id) }}>
            <Icon name="ticket" />
            {t(hasTickets ? 'tickets.open' : 'tickets.add')}
          </Link>
        </div>
      )}
    </EditorSection>
  );
}

/** Categories, tags and organizers. */
export function SortingSection({ edited: { field } }: SectionProps) {
  return (
    <EditorSection name="sorting">
      <ChoiceBox
        label={labelOf('categories')}
        {...field('categories')}
        useOptions={useCategories}
        mayCreate={useRight('manage_categories')}
      />
      <ChoiceBox label={labelOf('tags')} {...field('tags')} useOptions={useTags} mayCreate={useRight('manage_tags')} />
      <Flag field={field('featured')} name="featured" />
      <Flag field={field('sticky')} name="sticky" />
    </EditorSection>
  );
}

export function PeopleSection({ edited: { field } }: SectionProps) {
  const mayNameAuthors = useRight('edit_others');
  return (
    <EditorSection name="people">
      <ChoiceBox label={labelOf('organizer')} {...field('organizer')} useOptions={useOrganizers} mayCreate />
      {mayNameAuthors && <AuthorField {...field('author')} />}
    </EditorSection>
  );
}

interface FieldProps<K extends keyof EventFields> {
  value: EventFields[K];
  onChange: (value: EventFields[K]) => void;
  problem: string | undefined;
  mark?: ReactNode;
}

function AuthorField({ value, onChange, problem, mark }: FieldProps<'author'>) {
  const { data } = useQuery(read('GET /admin/v1/authors', { per_page: 100 }));
  const authors = data?.authors ?? [];
  const choices = authors.map(({ id, name }) => ({ value: String(id), label: name }));
  // The author may be on a later page, or may no longer create records.
  const known = authors.some(({ id }) => id === value) ? [] : [{ value: String(value), label: `#${value}` }];
  return (
    <SelectField
      label={labelOf('author')}
      value={String(value)}
      onChange={(id) => onChange(Number(id))}
      problem={problem}
      mark={mark}
      choices={[...known, ...choices]}
    />
  );
}

/** Visibility and publication. */
export function VisibilitySection({ edited: { record, values, field } }: SectionProps) {
  const mayPublish = hasRight(useMe(), 'publish');
  return (
    <EditorSection name="visibility">
      {mayPublish && (
        <div className="form-row">
          {isPublished(record.status) && (
            <SelectField label={t('status')} {...field('status')} choices={statusChoices(record.status)} />
          )}
          <MomentField label={labelOf('date')} {...field('date')} hint={t('hint.date')} />
        </div>
      )}
      <PasswordField {...field('post_password')} />
      <Flag field={field('hide_from_listings')} name="hide_from_listings" />
      {values.status === 'private' && <p className="hint">{t('hint.private')}</p>}
    </EditorSection>
  );
}

/** Statuses that the form offers for a published or scheduled event, the current one first. */
const statusChoices = (present: string) =>
  [present === 'future' ? ('future' as const) : ('publish' as const), 'private' as const, 'draft' as const].map(
    (value) => ({ value, label: t(`status.${value}`) }),
  );

function Flag({
  field,
  name,
}: {
  field: FieldProps<'featured'>;
  name: 'featured' | 'sticky' | 'show_map' | 'hide_from_listings' | 'sale_stays_open';
}) {
  return (
    <Switch isSelected={field.value} onChange={field.onChange} mark={field.mark}>
      {labelOf(name)}
    </Switch>
  );
}

const STATUSES = ['scheduled', 'cancelled', 'postponed', 'rescheduled', 'moved_online'] as const;

/** Title, time and event status. */
export function BasicsSection({ edited }: { edited: EditedEvent }) {
  const { values, field, record } = edited;
  const allDay = field('all_day');
  const sells = mayManageTickets(useMe(), record) && Array.isArray(record.ticketed);
  const changeStart = (start: string) => {
    field('start_date').onChange(start);
    field('end_date').onChange(endAfter(start, values));
    if (sells) field('moves_sales').onChange(start !== record.start_date);
  };
  const sales = field('moves_sales');
  return (
    <EditorSection name="basics">
      <TextField label={labelOf('title')} {...field('title')} isRequired />
      <div className="form-row">
        <MomentField
          label={labelOf('start_date')}
          {...field('start_date')}
          onChange={changeStart}
          isDay={values.all_day}
        />
        <MomentField label={labelOf('end_date')} {...field('end_date')} isDay={values.all_day} />
      </div>
      {sells && values.start_date !== record.start_date && (
        <Switch isSelected={sales.value} onChange={sales.onChange}>
          {labelOf('moves_sales')}
        </Switch>
      )}
      <Switch isSelected={allDay.value} onChange={allDay.onChange}>
        {labelOf('all_day')}
      </Switch>
      <TextField label={labelOf('door_time')} {...field('door_time')} type="time" />
      <div className="form-row">
        <SelectField label={labelOf('timezone')} {...field('timezone')} choices={zonesWith(values.timezone)} />
        <SelectField
          label={labelOf('event_status')}
          {...field('event_status')}
          choices={STATUSES.map((value) => ({ value, label: t(`event_status.${value}`) }))}
        />
      </div>
      {values.event_status !== 'scheduled' && (
        <TextField
          label={labelOf('event_status_reason')}
          {...field('event_status_reason')}
          hint={t('acts.note_hint')}
          rows={2}
        />
      )}
      {values.event_status === 'postponed' && <Flag field={field('sale_stays_open')} name="sale_stays_open" />}
    </EditorSection>
  );
}
