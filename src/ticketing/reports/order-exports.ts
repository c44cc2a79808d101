import { hasEventRights } from '../../http/core/auth.ts';
import { type AnyEndpoint, endpoint, type InputOf, type RequestContext } from '../../http/core/endpoint.ts';
import { type Columns, csvFields, csvResponse, partsById } from '../../http/output/csv-response.ts';
import { csvText } from '../../http/output/output.ts';
import { decimalsOf, numberOf, siteMoney } from '../../lib/money/money.ts';
import { orderNumber } from '../../lib/order-number.ts';
import { findAttendeesAfter } from '../attendees/filter.ts';
import type { Attendee } from '../attendees/store.ts';
import { loadHeldRelations } from '../orders/held-ticket.ts';
import { attendeeFilterOf, attendeeFilters, checkFilters } from '../orders/staff/attendee-list.ts';
import { checkOrderFilters, orderFilterOf, orderFilters } from '../orders/staff/filter.ts';
import { findOrdersAfter, type Order } from '../orders/store.ts';

/** Export of attendees and orders as files. */

interface ExportedAttendee {
  attendee: Attendee;
  event: string;
  begins: string;
  ticket: string;
  /** Digits after the decimal point of the currency. */
  decimals: number;
}

const ATTENDEE_COLUMNS = {
  id: { heading: 'column.id', cell: ({ attendee }) => attendee.id },
  full_name: { heading: 'column.full_name', cell: ({ attendee }) => attendee.full_name },
  email: { heading: 'column.email', cell: ({ attendee }) => attendee.email },
  event_id: { heading: 'column.event_id', cell: ({ attendee }) => attendee.event_id },
  event: { heading: 'column.event', cell: ({ event }) => event },
  start_date: { heading: 'column.start_date', cell: ({ begins }) => begins },
  ticket_id: { heading: 'column.ticket_id', cell: ({ attendee }) => attendee.ticket_id },
  ticket: { heading: 'column.ticket', cell: ({ ticket }) => ticket },
  order_id: { heading: 'column.order_id', cell: ({ attendee }) => attendee.order_id },
  pass_id: { heading: 'column.pass_id', cell: ({ attendee }) => attendee.pass_id },
  status: { heading: 'column.status', cell: ({ attendee }) => attendee.status },
  attendee_status: { heading: 'column.attendee_status', cell: ({ attendee }) => attendee.attendance_status },
  paid: { heading: 'column.paid', cell: ({ attendee, decimals }) => numberOf(attendee.price, decimals) },
  optout: { heading: 'column.optout', cell: ({ attendee }) => attendee.optout },
  date: { heading: 'column.date', cell: ({ attendee }) => attendee.date },
  checked_in: { heading: 'column.checked_in', cell: ({ attendee }) => attendee.checked_in },
  checkin_utc: { heading: 'column.checkin_utc', cell: ({ attendee }) => attendee.checkin_utc },
} as const satisfies Columns<string, ExportedAttendee>;

const attendeeFields = {
  ...attendeeFilters,
  ...csvFields(Object.keys(ATTENDEE_COLUMNS) as (keyof typeof ATTENDEE_COLUMNS)[]),
};
type AttendeeInput = Partial<InputOf<typeof attendeeFields>>;

const CONSISTENCY =
  'Sorted by id, each once. The file is read while it is sent: concurrent changes may or may not be included.';

const attendees = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/attendees/export',
  name: 'attendees.export',
  summary: 'Export attendees as CSV',
  description: `For users who may export attendees, of their own events for authors; takes the filters of the list for staff. ${CONSISTENCY}`,
  input: attendeeFields,
  responses: { 200: csvText },
  media: ['text/csv'],
  responseHeaders: ['Content-Disposition'],
  isStreamed: true,
  errors: ['rest_forbidden'],
  find: (input: AttendeeInput, ctx, addProblem) => checkFilters(input, { ctx, addProblem }),
  may: (viewer) => hasEventRights(viewer, 'export_attendees'),
  async handle(ctx, { fields, bom, format: _format, ...filters }: AttendeeInput) {
    const filter = attendeeFilterOf(filters, 'export_attendees', ctx);
    const read = partsById((slice) => findAttendeesAfter(ctx.context.db, filter, slice));
    return csvResponse(ctx, {
      ...{ name: 'attendees', columns: ATTENDEE_COLUMNS, fields, bom },
      parts: async function* () {
        for await (const rows of read) yield withNames(ctx, rows);
      },
    });
  },
});

async function withNames(ctx: RequestContext, rows: readonly Attendee[]): Promise<ExportedAttendee[]> {
  const { tickets, events } = await loadHeldRelations(ctx, rows);
  const { decimals } = siteMoney(ctx.context.config);
  return rows.map((attendee) => {
    const event = events.get(attendee.event_id);
    return {
      attendee,
      event: event?.title ?? '',
      begins: event?.start_date ?? '',
      ticket: tickets.get(attendee.ticket_id)?.title ?? attendee.ticket_title,
      decimals,
    };
  });
}

const ORDER_COLUMNS = {
  id: { heading: 'column.id', cell: ({ id }) => id },
  status: { heading: 'column.status', cell: ({ status }) => status },
  gateway: { heading: 'column.gateway', cell: ({ gateway }) => gateway },
  purchaser: { heading: 'column.purchaser', cell: (order) => order.purchaser_name },
  email: { heading: 'column.email', cell: (order) => order.purchaser_email },
  total: { heading: 'column.total', cell: (order) => numberOf(order.total, decimalsOf(order.currency)) },
  currency: { heading: 'column.currency', cell: ({ currency }) => currency },
  date: { heading: 'column.date', cell: ({ date }) => date },
  modified_utc: { heading: 'column.modified_utc', cell: (order) => order.modified_utc },
  note: { heading: 'column.note', cell: ({ note }) => note },
  number: { heading: 'column.number', cell: ({ id }) => orderNumber(id) },
} as const satisfies Columns<string, Order>;

const orderExportFields = {
  ...orderFilters,
  ...csvFields(Object.keys(ORDER_COLUMNS) as (keyof typeof ORDER_COLUMNS)[]),
};
type OrderInput = Partial<InputOf<typeof orderExportFields>>;

const orders = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/orders/export',
  name: 'orders.export',
  summary: 'Export orders as CSV',
  description: `Takes the filters of the list. For users who manage attendees, of their own events for authors. ${CONSISTENCY}`,
  input: orderExportFields,
  responses: { 200: csvText },
  media: ['text/csv'],
  responseHeaders: ['Content-Disposition'],
  isStreamed: true,
  errors: ['rest_forbidden'],
  find: (input: OrderInput, ctx, addProblem) => checkOrderFilters(input, { ctx, addProblem }),
  may: (viewer) => hasEventRights(viewer, 'manage_attendees'),
  async handle(ctx, { fields, bom, format: _format, ...filters }: OrderInput) {
    const filter = orderFilterOf(filters, 'manage_attendees', ctx);
    return csvResponse(ctx, {
      ...{ name: 'orders', columns: ORDER_COLUMNS, fields, bom },
      parts: () => partsById((slice) => findOrdersAfter(ctx.context.db, filter, slice)),
    });
  },
});

export const exportEndpoints: readonly AnyEndpoint[] = [attendees, orders];
