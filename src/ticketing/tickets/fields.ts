import type { z } from 'zod';
import {
  clearable,
  custom,
  date,
  field,
  filledText,
  integer,
  oneOf,
  text,
  translatable,
  withDefault,
} from '../../http/input/schemas.ts';
import { parseTimeOfDay } from '../../lib/dates/dates.ts';
import { optionFields } from '../prices/ticket-options.ts';
import { DEFAULT_PER_ORDER, MAX_PER_ORDER } from './store.ts';
import { readTicketObject, type TicketObject } from './ticket-input.ts';

function readTime(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [, hour = '', minute = '', second = '00'] = /^\s*(\d{1,2}):(\d{2})(?::(\d{2}))?\s*$/.exec(value) ?? [];
  if (hour !== '') {
    const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
    return isTime ? `${hour.padStart(2, '0')}:${minute}:${second}` : undefined;
  }
  return parseTimeOfDay(value);
}

const time = (description: string) =>
  clearable(field({ type: 'string', description, maxLength: 100 }, 'param.time', readTime));

const flag = (description: string) => ({
  anyOf: [{ type: 'boolean' }, { type: 'string' }, { type: 'integer' }],
  description,
});
const seats = (description: string) => ({
  anyOf: [{ type: 'integer' }, { type: 'string' }, { type: 'null' }],
  description: `${description} Negative or empty: no limit.`,
});
const day = (description: string) => ({ type: ['string', 'null'], description, examples: ['2027-03-01'] });
const PRICE = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }], examples: ['12.50'] };

const DISCOUNT = {
  $id: 'SalePriceInput',
  type: 'object',
  description: 'A reduced price.',
  properties: {
    checked: flag('Whether there is a reduced price.'),
    price: { ...PRICE, description: 'Below the regular price.' },
    start_date: day('First day, in the time zone of the site.'),
    end_date: day('Last day.'),
  },
};

const TICKET_CAPACITY = {
  $id: 'TicketStock',
  type: 'object',
  description: 'Capacity of a ticket.',
  properties: {
    mode: {
      type: ['string', 'null'],
      enum: ['own', 'global', 'capped', '', null],
      description: 'Its own places, the shared places of the event, the shared places up to a limit, or unlimited.',
    },
    capacity: seats('Places of this ticket.'),
    event_capacity: seats('Places shared by the tickets of the event.'),
    sale_price: { anyOf: [DISCOUNT, { type: 'string', maxLength: 0 }, { type: 'null' }] },
    not_going: flag('Whether "not going" can be answered.'),
  },
};

const ticketObject = field<TicketObject>(
  { anyOf: [TICKET_CAPACITY, { type: 'null' }], description: 'Places and reduced price.' },
  'param.mode',
  readTicketObject,
);

/** Schema of texts that are empty if not sent. */
const emptyByDefault = <T>(schema: z.ZodType<T>) => withDefault(schema, '');

/** Fields of a write, besides the token and the event. */
export const ticketFields = {
  name: emptyByDefault(
    translatable(clearable(filledText('Name of the ticket. `null` removes its translation.', { max: 500 }))),
  ),
  description: emptyByDefault(translatable(clearable(text('Description. HTML is cleaned.')))),
  price: emptyByDefault(custom('Regular price, with a decimal point; blank for free. RSVPs have none.', PRICE)),
  show_description: withDefault(clearable(text('`no` hides the description on the page.', { max: 20 })), 'yes'),
  start_date: emptyByDefault(
    clearable(date('First day of sale, in the time zone of the site; by default, the publication date of the event.')),
  ),
  start_time: emptyByDefault(time('Time of day when the sale begins.')),
  end_date: emptyByDefault(
    clearable(date('Last day of sale, in the time zone of the site; by default, until the event starts.')),
  ),
  end_time: emptyByDefault(time('Time of day when the sale ends.')),
  sku: emptyByDefault(clearable(text('Stock keeping unit; derived from ids and name by default.', { max: 200 }))),
  iac: emptyByDefault(
    clearable(text('Individual collection of attendees; not supported, always `none`.', { max: 50 })),
  ),
  menu_order: clearable(integer('Position among the tickets of the event.', { min: -1, max: 1_000_000 })),
  max_per_order: clearable(
    integer(
      `Maximum number of places per order or RSVP, ${DEFAULT_PER_ORDER} by default, for users who do not manage attendees. 0: limited only by the cart. \`null\` for the default.`,
      { min: 0, max: MAX_PER_ORDER },
    ),
  ),
  ...optionFields,
  ticket: ticketObject,
};

const SCOPES = ['this', 'following', 'all', 'series'] as const;
export type TicketScope = (typeof SCOPES)[number];

export const scope = oneOf(
  'Of an event in a series: `this` (by default) for the ticket of this event alone, `following` to repeat the write for those of later ones, `all` for those of all that are to come; ignored under `/wp-json/tribe`. Of a new ticket: `series` for a pass, a single ticket for all coming occurrences; a pass is always changed and deleted as a whole.',
  SCOPES,
);
