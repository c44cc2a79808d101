import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../../client/call.ts';
import { isProblem } from '../../../../client/problem.ts';
import { hasRight, useMe } from '../../../data/account.ts';
import { useAction } from '../../../data/actions.ts';
import { ANY_DATE } from '../../../data/any-date.ts';
import { mayChange } from '../../../data/post-rights.ts';
import { read, refresh } from '../../../data/queries.ts';
import { when } from '../../../i18n/formats.ts';
import { ConflictDialog } from '../../../shared/record/conflict-dialog.tsx';
import { UnsavedBar } from '../../../shared/record/unsaved-bar.tsx';
import { useRecord } from '../../../shared/record/use-record.ts';
import { EventTabs } from '../../../shared/screen/event-tabs.tsx';
import { Page, PageLoading } from '../../../shared/screen/page.tsx';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Empty, Failure } from '../../../ui/states.tsx';
import { toastProblem } from '../../../ui/toast.tsx';
import { t } from '../routes.ts';
import { readOnlyReason, StatusBadge } from '../status-badge.tsx';
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
import { useTellingHolders } from './holders-dialog.tsx';
import { useOwnFields } from './own-fields.tsx';
import { PublishedNotice } from './published-notice.tsx';
import { StateCard } from './state-card.tsx';
import '../events.css';

const route = getRouteApi('/events/$id');

const EventRefundCard = lazy(async () => ({
  default: (await import('../event-refund/event-refund-card.tsx')).EventRefundCard,
}));
const SeriesCard = lazy(async () => ({ default: (await import('../repeat/series-card.tsx')).SeriesCard }));

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
      <Refund event={data.record} />
    </Page>
  );
}

/** Events in the trash cannot be read, but the list of the trash can restore them. */
function Trashed({ id, onRestored }: { id: number; onRestored: () => void }) {
  const me = useMe();
  const isOn = hasRight(me, 'edit');
  const { data } = useQuery(read('GET /events/v1/events', { ...ANY_DATE, include: [id], status: ['trash'] }, { isOn }));
  const mayRestore = data?.events.some((event) => mayChange(me, event));
  const restore = useAction(() => call('PATCH /events/v1/events/{id}', { id, status: 'draft' }), {
    onSuccess: () => {
      onRestored();
      void refresh('/events/v1/events');
    },
    onError: toastProblem,
  });
  return (
    <Empty text={t('in_trash')} icon="trash">
      {mayRestore && (
        <Button icon="undo" onPress={() => restore.run()}>
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
  const { edited: told, question } = useTellingHolders(saved);
  const { edited, question: ownQuestion } = useOwnFields(told);
  const { just } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title={edited.values.title} note={<Link to="/events">{t('all')}</Link>}>
      <EventTabs event={edited.record.id} />
      {just && edited.record.status === 'publish' && (
        <PublishedNotice event={edited.record} onClose={() => void navigate({ search: {}, replace: true })} />
      )}
      <div className="editor event-editor">
        <aside>
          <StateCard edited={edited} />
          <Refund event={edited.record} />
          {edited.record.series && (
            <Suspense fallback={null}>
              <SeriesCard event={edited.record} series={edited.record.series} />
            </Suspense>
          )}
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
      {ownQuestion}
    </Page>
  );
}

/** Refund of a cancelled event, for accounts that may refund all orders. */
function Refund({ event: { id, event_status } }: { event: Event }) {
  const me = useMe();
  if (event_status !== 'cancelled' || !hasRight(me, 'refund') || !hasRight(me, 'read_orders')) return null;
  return (
    <Suspense fallback={null}>
      <EventRefundCard event={id} />
    </Suspense>
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
