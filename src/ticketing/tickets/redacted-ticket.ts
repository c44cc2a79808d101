import type { Provider } from '../../db/ticketing-tables.ts';
import type { TicketView } from './schema.ts';

/** Members of a ticket that are always present. */
type PublicMember = Exclude<
  { [K in keyof TicketView]-?: undefined extends TicketView[K] ? never : K }[keyof TicketView],
  undefined
>;

/** Placeholder for any text. */
const TEXT = 'No Access';
const DATE_DETAILS = { year: 0, month: 0, day: 0, hour: 0, minutes: 0, seconds: 0 };

/**
 * Placeholder for a ticket whose event needs a password that the viewer does not have: all members of a ticket, numbers
 * as 0, flags as null, texts as `No Access`. Constant, so that nothing in it depends on the ticket except the provider,
 * which API clients recognise by `on_sale` and `sale_price_data`.
 */
export const redactedTicket = (provider: Provider) =>
  ({
    description: TEXT,
    capacity: 0,
    on_sale: provider === 'tc' ? null : TEXT,
    iac: TEXT,
    price_suffix: TEXT,
    post_id: 0,
    provider: TEXT,
    id: 0,
    type: TEXT,
    global_id: TEXT,
    global_id_lineage: [TEXT],
    author: 0,
    status: TEXT,
    date: TEXT,
    date_utc: TEXT,
    modified: TEXT,
    modified_utc: TEXT,
    title: TEXT,
    image: null,
    available_from: TEXT,
    available_from_details: DATE_DETAILS,
    available_until: TEXT,
    available_until_details: DATE_DETAILS,
    capacity_details: { available_percentage: 0, available: 0 },
    is_available: null,
    cost: TEXT,
    cost_details: {
      currency_symbol: TEXT,
      currency_position: TEXT,
      values: [0],
      suffix: TEXT,
      currency_decimal_separator: TEXT,
      currency_decimal_numbers: 0,
      currency_thousand_separator: TEXT,
    },
    sale_price_data: provider === 'tc' ? { enabled: TEXT, sale_price: TEXT, start_date: TEXT, end_date: TEXT } : [],
    supports_attendee_information: null,
    attendees: [],
    rest_url: TEXT,
  }) satisfies Record<PublicMember, unknown>;
