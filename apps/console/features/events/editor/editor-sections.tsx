import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { hasRight, useMe, useRight } from '../../../data/account.ts';
import { EVENT_TEXTS, type EventTextName } from '../../../data/event-texts.ts';
import { isPublished } from '../../../data/post-rights.ts';
import { read } from '../../../data/queries.ts';
import { zonesWith } from '../../../i18n/formats.ts';
import { PictureField } from '../../../shared/pictures/picture-field.tsx';
import { type Choice, ChoiceBox } from '../../../ui/choice-box.tsx';
import { MomentField, SelectField, Switch, TextField } from '../../../ui/fields.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { RichText } from '../../../ui/rich-text/rich-text.tsx';
import { t } from '../routes.ts';
import { type EditedEvent, EditorSection, labelOf } from './editor-section.tsx';
import type { EventFields } from './event-kind.ts';
import { PasswordField } from './password-field.tsx';

interface SectionProps {
  edited: EditedEvent;
}

/** Location: a venue, online, or both. */
export function PlaceSection({ edited: { values, field } }: SectionProps) {
  return (
    <EditorSection name="place">
      <ChoiceBox
        label={t('place')}
        {...field('venue')}
        useOptions={useVenues}
        mayCreate
        isSingle={values.venue.length < 2}
        hint={t('new.venue_hint')}
      />
      <TextField label={labelOf('website')} {...field('website')} hint={t('hint.website')} type="url" />
      <Flag field={field('show_map')} name="show_map" />
    </EditorSection>
  );
}

/** Hints of some of the texts. */
function hintOf(name: EventTextName): { hint?: string } {
  return name === 'excerpt' ? { hint: t('hint.excerpt') } : {};
}

export function TextSection({ edited: { field } }: SectionProps) {
  return (
    <EditorSection name="text">
      {EVENT_TEXTS.map(({ name, isLong }) => (
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
  const { ticketed, attendance } = record;
  const hasTickets = Array.isArray(ticketed) && ticketed.length > 0;
  return (
    <EditorSection name="tickets">
      {hasTickets ? (
        <p>
          {t('tickets.cost', { cost: record.cost })}{' '}
          {attendance && t('holders', { count: attendance.total_attendees, came: attendance.checked_in })}
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
}

function AuthorField({ value, onChange, problem }: FieldProps<'author'>) {
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
  name: 'featured' | 'sticky' | 'show_map' | 'hide_from_listings';
}) {
  return (
    <Switch isSelected={field.value} onChange={field.onChange}>
      {labelOf(name)}
    </Switch>
  );
}

const STATUSES = ['scheduled', 'cancelled', 'postponed', 'rescheduled', 'moved_online'] as const;

/** Title, time and event status. */
export function BasicsSection({ edited: { values, field } }: { edited: EditedEvent }) {
  const allDay = field('all_day');
  return (
    <EditorSection name="basics">
      <TextField label={labelOf('title')} {...field('title')} isRequired />
      <div className="form-row">
        <MomentField label={labelOf('start_date')} {...field('start_date')} isDay={values.all_day} />
        <MomentField label={labelOf('end_date')} {...field('end_date')} isDay={values.all_day} />
      </div>
      <Switch isSelected={allDay.value} onChange={allDay.onChange}>
        {labelOf('all_day')}
      </Switch>
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
    </EditorSection>
  );
}

const MOST = { per_page: 20 };
const query = (search: string) => ({ ...MOST, ...(search && { search }) });
const PREVIOUS = { keepsPrevious: true };

/** Finds venues by words in their names. */
function useVenues(search: string): readonly Choice[] {
  const { data } = useQuery(read('GET /events/v1/venues', query(search), PREVIOUS));
  return data?.venues.map(({ id, venue: name }) => ({ id, name })) ?? [];
}

function useOrganizers(search: string): readonly Choice[] {
  const { data } = useQuery(read('GET /events/v1/organizers', query(search), PREVIOUS));
  return data?.organizers.map(({ id, organizer: name }) => ({ id, name })) ?? [];
}

function useCategories(search: string): readonly Choice[] {
  const { data } = useQuery(read('GET /events/v1/categories', query(search), PREVIOUS));
  return data?.categories ?? [];
}

function useTags(search: string): readonly Choice[] {
  const { data } = useQuery(read('GET /events/v1/tags', query(search), PREVIOUS));
  return data?.tags ?? [];
}
