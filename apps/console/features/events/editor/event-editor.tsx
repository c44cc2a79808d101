import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { call } from '../../../../client/call.ts';
import { isProblem } from '../../../../client/problem.ts';
import { hasRight, useMe } from '../../../data/account.ts';
import { mayChange } from '../../../data/post-rights.ts';
import { ANY_DATE, read, refresh } from '../../../data/queries.ts';
import { ConflictDialog } from '../../../shared/record/conflict-dialog.tsx';
import { UnsavedBar } from '../../../shared/record/unsaved-bar.tsx';
import { useRecord } from '../../../shared/record/use-record.ts';
import { EventTabs } from '../../../shared/screen/event-tabs.tsx';
import { Page, PageLoading } from '../../../shared/screen/page.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty, Failure } from '../../../ui/states.tsx';
import { toastProblem } from '../../../ui/toast.tsx';
import { AddressesSection } from './addresses-section.tsx';
import { type EditedEvent, EditorIndex, labelOf } from './editor-section.tsx';
import {
  BasicsSection,
  PeopleSection,
  PictureSection,
  PlaceSection,
  SortingSection,
  TextSection,
  TicketsSection,
  VisibilitySection,
} from './editor-sections.tsx';
import { eventKind } from './event-kind.ts';
import '../events.css';
import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import { when } from '../../../i18n/formats.ts';
import { Icon } from '../../../ui/icon.tsx';
import { t } from '../routes.ts';
import { readOnlyReason, StatusBadge } from '../status-badge.tsx';
import { useTellingHolders } from './holders-dialog.tsx';
import { StateCard } from './state-card.tsx';

const route = getRouteApi('/events/$id');

/** Editor of one event. */
export function Screen() {
  const id = Number(route.useParams().id);
  const me = useMe();
  const { data, error, retry } = useRecord(eventKind, id);
  if (error)
    return (
      <Page title={t('event')} note={<Link to="/events">{t('all')}</Link>}>
        {isProblem(error, 'event-no-longer-available') ? (
          <Trashed id={id} onRestored={retry} />
        ) : (
          <Failure error={error} onRetry={retry} />
        )}
      </Page>
    );
  if (!data) return <PageLoading />;
  if (mayChange(me, data.record)) return <EventForm key={id} edited={data} />;
  return (
    <Page title={data.record.title} note={<Link to="/events">{t('all')}</Link>}>
      <EventTabs event={id} />
      <ReadOnlyEvent event={data.record} why={t(readOnlyReason(data.record, me))} />
    </Page>
  );
}

/** Events in the trash cannot be read, but the list of the trash can restore them. */
function Trashed({ id, onRestored }: { id: number; onRestored: () => void }) {
  const me = useMe();
  const isOn = hasRight(me, 'edit');
  const { data } = useQuery(read('GET /events/v1/events', { ...ANY_DATE, include: [id], status: ['trash'] }, { isOn }));
  const mayRestore = data?.events.some((event) => mayChange(me, event));
  const restore = async () => {
    try {
      await call('PATCH /events/v1/events/{id}', { id, status: 'draft' });
      onRestored();
      void refresh('/events/v1/events');
    } catch (error) {
      toastProblem(error);
    }
  };
  return (
    <Empty text={t('in_trash')} icon="trash">
      {mayRestore && (
        <Button icon="undo" onPress={() => void restore()}>
          {t('restore')}
        </Button>
      )}
    </Empty>
  );
}

/** Readable value of a field in the dialog about conflicts. */
const show = (_: string, value: unknown): string => {
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  // Choices have names and pictures addresses; all other fields are texts and numbers.
  if (Array.isArray(value)) return value.map(({ name }: { name: string }) => name).join(', ');
  if (typeof value === 'object' && value !== null) return String(Reflect.get(value, 'url'));
  return String(value ?? '');
};

function EventForm({ edited: saved }: { edited: EditedEvent }) {
  const { edited, question } = useTellingHolders(saved);
  return (
    <Page title={edited.values.title} note={<Link to="/events">{t('all')}</Link>}>
      <EventTabs event={edited.record.id} />
      <div className="editor event-editor">
        <aside>
          <StateCard edited={edited} />
          <EditorIndex />
        </aside>
        <div>
          <BasicsSection edited={edited} />
          <PlaceSection edited={edited} />
          <TextSection edited={edited} />
          <PictureSection edited={edited} />
          <TicketsSection edited={edited} />
          <SortingSection edited={edited} />
          <PeopleSection edited={edited} />
          <VisibilitySection edited={edited} />
          <AddressesSection edited={edited} />
        </div>
      </div>
      <UnsavedBar edited={edited} />
      <ConflictDialog edited={edited} labelOf={labelOf} show={show} />
      {question}
    </Page>
  );
}

/** Read-only view of an event, with the reason. */
function ReadOnlyEvent({ event, why }: { event: Event; why: string }) {
  const venues = [event.venue].flat().map(({ venue }) => venue);
  return (
    <section className="form-section event-shown" aria-label={t('event')}>
      <p>
        <StatusBadge event={event} />
      </p>
      <p>{when.span(event)}</p>
      {venues.length > 0 && <p>{venues.join(', ')}</p>}
      <p className="soft">{why}</p>
      <div>
        <a className="button" href={event.url} target="_blank" rel="noreferrer">
          <Icon name="open" />
          {t(event.status === 'publish' ? 'page' : 'preview')}
        </a>
      </div>
    </section>
  );
}
