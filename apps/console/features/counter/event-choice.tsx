import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Event } from '../../../../packages/client/src/marquee-client.ts';
import { nowIn } from '../../../client/when.ts';
import { ANY_DATE } from '../../data/any-date.ts';
import { read } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { whereOf } from '../../shared/events/listed-events.ts';
import { RecordSearch } from '../../shared/pickers/record-picker.tsx';
import { t } from './routes.ts';
import { byCounterOrder } from './sale.ts';

const SHOWN = 12;
/** Number of events to read: more than are shown, since some have RSVPs only. */
const READ = 40;
const KEEP = { keepsPrevious: true };

/** Whether an event has tickets that are sold; RSVPs are not. */
const isSold = ({ ticketed }: Event): boolean => Array.isArray(ticketed) && ticketed.includes('tc');

interface EventChoiceProps {
  label: string;
  /** Account whose events are offered; by default, all. */
  author: number | undefined;
  onChoose: (event: number) => void;
}

/** Chooses the event that is sold: published upcoming ones first, then past ones, and drafts last. */
export function EventChoice({ label, author, onChoose }: EventChoiceProps) {
  const [typed, setTyped] = useState('');
  const search = typed.trim();
  const words = { ticketed: true, per_page: READ, ...(author !== undefined && { author }), ...(search && { search }) };
  const coming = useQuery(
    read('GET /events/v1/events', { ...words, ends_after: 'now', status: ['publish', 'private'] }, KEEP),
  );
  // Drafts, and past events if words are searched for.
  const others = useQuery(
    read(
      'GET /events/v1/events',
      search ? { ...words, ...ANY_DATE, order: 'desc' } : { ...words, ends_after: 'now', status: ['draft', 'pending'] },
      KEEP,
    ),
  );
  const listed = [...(coming.data?.events ?? []), ...(others.data?.events ?? [])];
  const events = byCounterOrder(listed.filter(isSold), nowIn('UTC'));
  const found = events.slice(0, SHOWN).map((event) => ({
    id: event.id,
    name: event.title,
    detail: [when.span(event), whereOf(event)].filter(Boolean).join(' · '),
    ...(['draft', 'pending'].includes(event.status) && { mark: t('draft') }),
  }));
  return (
    <RecordSearch
      label={label}
      placeholder={t('search')}
      typed={typed}
      onType={setTyped}
      found={found}
      empty={t(coming.data && others.data ? 'none_found' : 'searching')}
      onChoose={onChoose}
    />
  );
}
