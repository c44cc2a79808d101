import type { ShownTicket, Ticket } from '../../../packages/client/src/marquee-client.ts';
import { call } from '../../client/call.ts';
import { read } from '../frame/queries.ts';
import type { RecordKind } from '../record/use-record.ts';
import { changeOf, type TicketFields } from './ticket-fields.ts';

function fieldsOf(ticket: ShownTicket): TicketFields {
  // Who may change a ticket sees all of it.
  const { title, description, cost_details, capacity_details, available_from, available_until } = ticket as Ticket;
  const { max = -1, global_stock_mode = '' } = capacity_details;
  return {
    ...{ name: title, description, price: cost_details.values[0] ?? '', mode: global_stock_mode },
    ...{ capacity: max > 0 ? String(max) : '', from: available_from, until: available_until },
  };
}

/** Tickets in a form. */
export const ticketKind: RecordKind<ShownTicket & { revision?: number }, TicketFields> = {
  path: '/tickets/v1/tickets',
  read: (id) => read('GET /tickets/v1/tickets/{id}', { id }),
  async write(id, patch, options) {
    const { post_id } = await call('GET /tickets/v1/tickets/{id}', { id });
    return call('PATCH /tickets/v1/tickets/{id}', { id, post_id, ...changeOf(patch) }, options);
  },
  fieldsOf,
  isDraft: () => false,
};
