import type { TicketStock } from '../../../packages/client/src/marquee-client.ts';

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
