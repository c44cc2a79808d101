import type { z } from 'zod';
import { can } from '../../../http/core/auth.ts';
import {
  type AnyEndpoint,
  assertFound,
  endpoint,
  type InputOf,
  type RequestContext,
} from '../../../http/core/endpoint.ts';
import { type Columns, csvFields, csvResponse, ROWS_PER_PART } from '../../../http/output/csv-response.ts';
import { csvText } from '../../../http/output/output.ts';
import { scalarText } from '../../../lib/text/scalar-text.ts';
import type { EventTickets } from '../ticketing.ts';
import type { eventSchema } from '../view.ts';
import { eventFilters, findTargets, type Target } from './event-filters.ts';
import { listForExport } from './list.ts';
import { renderEvents } from './render-event-list.ts';

type EventView = z.output<typeof eventSchema>;

/** Names of records linked to an event. */
const named = (records: EventView['venue'] | EventView['organizer'], member: 'venue' | 'organizer' | 'city'): string =>
  // The records of these members are objects.
  ([records].flat() as Readonly<Record<string, unknown>>[])
    .map((record) => scalarText(record[member]) ?? '')
    .filter((name) => name !== '')
    .join(', ');

const names = (terms: readonly { name: string }[]): string => terms.map(({ name }) => name).join(', ');

const COLUMNS = {
  id: { heading: 'column.id', cell: ({ id }) => id },
  title: { heading: 'column.title', cell: ({ title }) => title },
  status: { heading: 'column.status', cell: ({ status }) => status },
  event_status: { heading: 'column.event_status', cell: (event) => event.event_status },
  start_date: { heading: 'column.start_date', cell: (event) => event.start_date },
  end_date: { heading: 'column.end_date', cell: (event) => event.end_date },
  timezone: { heading: 'column.timezone', cell: (event) => event.timezone },
  all_day: { heading: 'column.all_day', cell: (event) => (event.all_day ? 1 : 0) },
  venue: { heading: 'column.venue', cell: (event) => named(event.venue, 'venue') },
  city: { heading: 'column.city', cell: (event) => named(event.venue, 'city') },
  organizer: { heading: 'column.organizer', cell: (event) => named(event.organizer, 'organizer') },
  categories: { heading: 'column.categories', cell: (event) => names(event.categories) },
  tags: { heading: 'column.tags', cell: (event) => names(event.tags) },
  cost: { heading: 'column.cost', cell: (event) => event.cost },
  featured: { heading: 'column.featured', cell: (event) => (event.featured ? 1 : 0) },
  website: { heading: 'column.website', cell: (event) => event.website },
  url: { heading: 'column.url', cell: (event) => event.url },
} as const satisfies Columns<string, EventView>;

const FIELDS = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

const fields = { ...eventFilters, ...csvFields(FIELDS) };
type ExportInput = Partial<InputOf<typeof fields>>;

/** Export of events as a file. */
export const eventExportEndpoints = (tickets: EventTickets): AnyEndpoint[] => [
  endpoint({
    namespace: 'admin',
    methods: ['GET'],
    path: '/events/export',
    name: 'events.export',
    summary: 'Export events as CSV',
    description:
      'For users who may edit events. Takes the filters of the list of events; without dates, events of all times. Sorted by start. The events in the file are selected when it begins; their data are read while it is written.',
    input: fields,
    responses: { 200: csvText },
    media: ['text/csv'],
    responseHeaders: ['Content-Disposition'],
    isStreamed: true,
    errors: ['rest_forbidden'],
    find: (input: ExportInput, ctx, addProblem): Promise<Target> => findTargets(input, ctx, addProblem),
    may: (viewer) => can(viewer, 'edit'),
    async handle(ctx, input: ExportInput, target) {
      const ids = await listForExport(ctx, input, assertFound(target));
      return csvResponse(ctx, {
        name: 'events',
        columns: COLUMNS,
        fields: input.fields,
        bom: input.bom,
        parts: () => partsOf(ctx, ids, tickets),
      });
    },
  }),
];

async function* partsOf(
  ctx: RequestContext,
  ids: readonly number[],
  tickets: EventTickets,
): AsyncGenerator<readonly EventView[]> {
  for (let from = 0; from < ids.length; from += ROWS_PER_PART) {
    const some = await renderEvents(ctx, ids.slice(from, from + ROWS_PER_PART), { tickets });
    yield some.map(({ body }) => body);
  }
}
