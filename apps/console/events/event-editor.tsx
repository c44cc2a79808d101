import { getRouteApi, Link } from '@tanstack/react-router';
import type { Event } from '../../../packages/client/src/marquee-client.ts';
import { EventTabs } from '../parts/event-tabs.tsx';
import { Icon } from '../parts/icon.tsx';
import { MomentField, SelectField } from '../parts/native-field.tsx';
import { Page, PageLoading } from '../parts/page.tsx';
import { RichText } from '../parts/rich-text/rich-text.tsx';
import { Failure } from '../parts/states.tsx';
import { Switch } from '../parts/switch.tsx';
import { TextField } from '../parts/text-field.tsx';
import { ConflictDialog } from '../record/conflict-dialog.tsx';
import { UnsavedBar } from '../record/unsaved-bar.tsx';
import { type EditedRecord, useRecord } from '../record/use-record.ts';
import { when } from '../when.ts';
import { EventActs } from './event-acts.tsx';
import './events.css';
import { type EventFields, eventKind } from './event-kind.ts';
import { StatusBadge } from './status-badge.tsx';
import { t } from './texts.ts';

const route = getRouteApi('/events/$id');

/** One event in a form. */
export function Screen() {
  const id = Number(route.useParams().id);
  const { data, error, retry } = useRecord(eventKind, id);
  if (error)
    return (
      <Page title={t('event')}>
        <Failure error={error} onRetry={retry} />
      </Page>
    );
  if (!data) return <PageLoading />;
  return <EventForm key={id} edited={data} />;
}

const labelOf = (name: string): string => t(`field.${name as keyof EventFields}`);

/** Whether the form moves an event that people have tickets for. */
const isMoved = ({ record, changed }: EditedRecord<Event, EventFields>): boolean =>
  (record.attendance?.total_attendees ?? 0) > 0 && changed.some((name) => name === 'start_date' || name === 'end_date');

function EventForm({ edited }: { edited: EditedRecord<Event, EventFields> }) {
  const { record, values, field } = edited;
  return (
    <Page title={values.title} note={<Link to="/events">{t('all')}</Link>}>
      <EventTabs event={record.id} />
      <div className="editor">
        <div>
          <section className="form-section" aria-labelledby="basics">
            <h2 id="basics">{t('section.basics')}</h2>
            <TextField label={labelOf('title')} {...field('title')} isRequired />
            <div className="form-row">
              <MomentField label={labelOf('start_date')} {...field('start_date')} isDay={values.all_day} />
              <MomentField label={labelOf('end_date')} {...field('end_date')} isDay={values.all_day} />
            </div>
            {isMoved(edited) && (
              <p className="hint" role="status">
                {t('acts.holders', { count: record.attendance?.total_attendees ?? 0 })}
              </p>
            )}
            <AllDay {...field('all_day')} />
            <SelectField label={labelOf('event_status')} {...field('event_status')} choices={statusChoices()} />
          </section>
          <section className="form-section" aria-labelledby="text">
            <h2 id="text">{t('section.text')}</h2>
            <TextField label={labelOf('excerpt')} {...field('excerpt')} rows={2} />
            <RichText label={labelOf('description')} {...field('description')} />
          </section>
          <section className="form-section" aria-labelledby="more">
            <h2 id="more">{t('section.more')}</h2>
            <div className="form-row">
              <TextField label={labelOf('cost')} {...field('cost')} />
              <TextField label={labelOf('website')} {...field('website')} type="url" />
            </div>
          </section>
        </div>
        <Aside record={record} edited={edited} />
      </div>
      <UnsavedBar edited={edited} />
      <ConflictDialog edited={edited} labelOf={labelOf} />
    </Page>
  );
}

const STATUSES = ['scheduled', 'cancelled', 'postponed', 'rescheduled', 'moved_online'] as const;
const statusChoices = () => STATUSES.map((value) => ({ value, label: t(`event_status.${value}`) }));

function AllDay({ value, onChange }: { value: boolean; onChange: (value: boolean) => void }) {
  return (
    <Switch isSelected={value} onChange={onChange}>
      {labelOf('all_day')}
    </Switch>
  );
}

function Aside({ record, edited }: { record: Event; edited: EditedRecord<Event, EventFields> }) {
  return (
    <section className="form-section" aria-label={t('status')}>
      <p>
        <StatusBadge event={record} />
      </p>
      <p className="soft">{t('changed', { when: when.ago(record.modified_utc) })}</p>
      {record.status === 'publish' && (
        <a className="button" href={record.url} target="_blank" rel="noreferrer">
          <Icon name="open" />
          {t('page')}
        </a>
      )}
      {record.attendance && record.attendance.total_attendees > 0 && (
        <p className="soft">
          {t('holders', { count: record.attendance.total_attendees, came: record.attendance.checked_in })}
        </p>
      )}
      <EventActs event={record} save={edited.save} />
    </section>
  );
}
