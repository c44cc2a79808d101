import type { Event } from '../../../packages/client/src/marquee-client.ts';
import { call } from '../../client/call.ts';
import { read } from '../frame/queries.ts';
import type { RecordKind } from '../record/use-record.ts';

/** The fields of an event that the form edits. */
export type EventFields = ReturnType<typeof fieldsOf>;

const fieldsOf = ({ title, start_date, end_date, all_day, excerpt, description, cost, website, ...rest }: Event) => ({
  ...{ title, start_date, end_date, excerpt, description, cost, website },
  all_day: all_day === true,
  event_status: rest.event_status ?? 'scheduled',
});

/** Events in a form. */
export const eventKind: RecordKind<Event, EventFields> = {
  path: '/events/v1/events',
  read: (id) => read('GET /events/v1/events/{id}', { id }),
  write: (id, patch, options) => call('PATCH /events/v1/events/{id}', { id, ...patch }, options),
  fieldsOf,
  isDraft: ({ status }) => status === 'draft' || status === 'pending',
};
