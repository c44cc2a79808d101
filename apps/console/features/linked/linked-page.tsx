import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useId } from 'react';
import type { Fields } from '../../../client/merge.ts';
import { useMe } from '../../data/account.ts';
import { mayChange } from '../../data/post-rights.ts';
import { read } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { PictureField } from '../../shared/pictures/picture-field.tsx';
import { ConflictDialog } from '../../shared/record/conflict-dialog.tsx';
import { UnsavedBar } from '../../shared/record/unsaved-bar.tsx';
import type { EditedRecord } from '../../shared/record/use-record.ts';
import { Page, PageLoading } from '../../shared/screen/page.tsx';
import { RichText } from '../../ui/rich-text/rich-text.tsx';
import { Failure, LoadedList } from '../../ui/states.tsx';
import { eventsOf, type Kind, type Linked, nameOf, SCREENS } from './kinds.ts';
import { shownText } from './merge-fields.ts';
import { t } from './routes.ts';
import { StateCard } from './state-card.tsx';
import './linked.css';

interface LinkedPageProps<R, F> {
  kind: Kind;
  found: { data: EditedRecord<R, F> | undefined; error: unknown; retry: () => void };
  /** Returns to the list. */
  onLeave: () => void;
  form: (edited: EditedRecord<R, F>) => ReactNode;
}

/** One record: form, status, and events that use it; read-only for users who may not change it. */
export function LinkedPage<R extends Linked, F extends Fields>(props: LinkedPageProps<R, F>) {
  const { kind, found, onLeave, form } = props;
  const { data: edited, error, retry } = found;
  const me = useMe();
  const back = <Link to={`/${kind}`}>{t(`all.${kind}`)}</Link>;
  if (error !== undefined && error !== null)
    return (
      <Page title={t(kind)} note={back}>
        <Failure error={error} onRetry={retry} />
      </Page>
    );
  if (!edited) return <PageLoading />;
  const { record } = edited;
  const isForm = record.status !== 'trash' && mayChange(me, record);
  return (
    <Page title={nameOf(record)} note={back}>
      <div className="editor">
        <div>{isForm ? form(edited) : <ReadOnlyRecord kind={kind} record={record} />}</div>
        <aside className="linked-side">
          <StateCard kind={kind} edited={edited} onLeave={onLeave} />
          <UsedBy kind={kind} id={record.id} />
        </aside>
      </div>
      {isForm && <UnsavedBar edited={edited} />}
      <ConflictDialog edited={edited} labelOf={labelOf} show={show} />
    </Page>
  );
}

const labelOf = (name: string): string => t(`field.${name as 'address'}`);

/** Readable value of a field in the dialog about conflicts. */
function show(_: string, value: unknown): string {
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (typeof value === 'object' && value !== null) return String(Reflect.get(value, 'url'));
  return String(value ?? '');
}

/** A part of the form. */
export function Section({ name, children }: { name: 'place' | 'map' | 'contact' | 'text'; children: ReactNode }) {
  const id = useId();
  return (
    <section className="form-section" aria-labelledby={id}>
      <h2 id={id}>{t(`section.${name}`)}</h2>
      {children}
    </section>
  );
}

interface TextSectionProps {
  description: Omit<ComponentProps<typeof RichText>, 'label'>;
  image: Omit<ComponentProps<typeof PictureField>, 'label'>;
}

export function TextSection({ description, image }: TextSectionProps) {
  return (
    <Section name="text">
      <RichText label={t('field.description')} {...description} />
      <PictureField label={t('field.image')} {...image} />
    </Section>
  );
}

/** Read-only view of a record. */
function ReadOnlyRecord({ kind, record }: { kind: Kind; record: Linked }) {
  // The name is the title of the page.
  const lines = SCREENS[kind].texts.slice(1).flatMap((name) => {
    const text = shownText(record, name);
    return text === '' ? [] : [{ name, text }];
  });
  return (
    <section className="form-section" aria-label={t('details')}>
      {lines.length === 0 && <p className="soft">{t('details.none')}</p>}
      <dl className="linked-facts">
        {lines.map(({ name, text }) => (
          <div key={name}>
            <dt>{t(`field.${name}`)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Events that are listed; the others are counted. */
const MOST_LISTED = 10;

/** Links to the upcoming events of a record. */
function UsedBy({ kind, id }: { kind: Kind; id: number }) {
  const heading = useId();
  const list = useQuery(
    read('GET /events/v1/events', {
      ...eventsOf(kind, id),
      ends_after: 'now',
      per_page: MOST_LISTED,
    }),
  );
  return (
    <section className="form-section" aria-labelledby={heading}>
      <h2 id={heading}>{t('used_by')}</h2>
      <LoadedList query={list} rows={2} empty={<p className="soft">{t('used_by.none')}</p>}>
        {(data) => (
          <ul className="linked-events">
            {data.events.map((event) => (
              <li key={event.id}>
                <Link className="clamped" to="/events/$id" params={{ id: String(event.id) }}>
                  {event.title}
                </Link>
                <small className="soft">{when.span(event)}</small>
              </li>
            ))}
          </ul>
        )}
      </LoadedList>
      {list.data && list.data.total > MOST_LISTED && (
        <p className="soft">{t('more', { count: list.data.total - MOST_LISTED })}</p>
      )}
    </section>
  );
}
