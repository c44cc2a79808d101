import type { ShownTicket, Ticket } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { read } from '../../data/queries.ts';
import type { RecordKind } from '../../shared/record/use-record.ts';
import { changeOf, type TicketFields } from './ticket-fields.ts';

/** What the interface leaves out. */
const PRESET_PER_ORDER = 20;

function fieldsOf(ticket: ShownTicket): TicketFields {
  // Who may change a ticket sees all of it.
  const { title, description, cost_details, capacity_details, available_from, available_until, sale_price_data } =
    ticket as Ticket;
  const sale = Array.isArray(sale_price_data) || sale_price_data.enabled === '' ? undefined : sale_price_data;
  const { max_per_order = PRESET_PER_ORDER } = ticket as Ticket;
  const { max = -1, global_stock_mode = '' } = capacity_details;
  return {
    ...{ name: title, description, price: cost_details.values[0] ?? '', mode: global_stock_mode },
    ...{
      capacity: max > 0 ? String(max) : '',
      max_per_order: String(max_per_order),
      from: available_from,
      until: available_until,
    },
    ...{ reduced: sale?.sale_price ?? '', reduced_from: sale?.start_date ?? '', reduced_until: sale?.end_date ?? '' },
  };
}

/** Tickets in a form. */
export const ticketKind: RecordKind<ShownTicket & { revision?: number }, TicketFields> = {
  path: '/tickets/v1/tickets',
  read: (id) => read('GET /tickets/v1/tickets/{id}', { id }),
  async write(id, patch, options) {
    const present = await call('GET /tickets/v1/tickets/{id}', { id });
    const change = changeOf(patch, fieldsOf(present));
    return call('PATCH /tickets/v1/tickets/{id}', { id, post_id: present.post_id, ...change }, options);
  },
  fieldsOf,
  isDraft: () => false,
};
