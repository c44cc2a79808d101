import type { ShownTicket, Ticket, TicketStock } from '../../../packages/client/src/marquee-client.ts';
import { call } from '../../client/call.ts';
import { read } from '../frame/queries.ts';
import type { RecordKind } from '../record/use-record.ts';

/** The fields of a ticket that the form edits, each as it stands in its field. */
export interface TicketFields {
  [name: string]: string;
  name: string;
  description: string;
  price: string;
  mode: string;
  /** Places; empty for no limit. */
  capacity: string;
  /** Wall clocks of the first and the last moment of the sale; empty for none. */
  from: string;
  until: string;
}

function fieldsOf(ticket: ShownTicket): TicketFields {
  // Who may change a ticket sees all of it.
  const { title, description, cost_details, capacity_details, available_from, available_until } = ticket as Ticket;
  const { max = -1, global_stock_mode = '' } = capacity_details;
  return {
    ...{ name: title, description, price: cost_details.values[0] ?? '', mode: global_stock_mode },
    ...{ capacity: max > 0 ? String(max) : '', from: available_from, until: available_until },
  };
}

/** What the interface calls the fields. */
export function changeOf({ mode, capacity, from, until, ...texts }: Partial<TicketFields>) {
  // One of the choices of the form.
  const stock = { mode: mode as TicketStock['mode'], capacity };
  const ticket = Object.fromEntries(Object.entries(stock).filter(([, value]) => value !== undefined));
  return {
    ...texts,
    ...(Object.keys(ticket).length > 0 && { ticket }),
    ...(from !== undefined && { start_date: from.slice(0, 10), start_time: from.slice(11) }),
    ...(until !== undefined && { end_date: until.slice(0, 10), end_time: until.slice(11) }),
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
