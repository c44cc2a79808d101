import { anything, clearable, date, field, filledText, integer, text, translatable } from '../../http/input.ts';
import { parseAnywhere } from '../../lib/dates.ts';
import { readTicketObject, type TicketObject } from './ticket-object.ts';

function readTime(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [, hour = '', minute = '', second = '00'] = /^\s*(\d{1,2}):(\d{2})(?::(\d{2}))?\s*$/.exec(value) ?? [];
  if (hour !== '') {
    const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
    return isTime ? `${hour.padStart(2, '0')}:${minute}:${second}` : undefined;
  }
  const parsed = parseAnywhere(value);
  return parsed?.kind === 'wall' ? parsed.wall.slice(11) : undefined;
}

const time = (description: string) =>
  clearable(field({ type: 'string', description, maxLength: 100 }, 'param.time', readTime));

const ticketObject = field<TicketObject>(
  {
    type: ['object', 'null'],
    description:
      '`mode` (own, global, capped, or empty for no limit), `capacity`, `event_capacity` (places the event’s tickets ' +
      'share), `sale_price` {checked, price, start_date, end_date}, `not_going` (replies). Empty capacities: no limit.',
  },
  'param.mode',
  readTicketObject,
);

/** What a write may say, besides the token and the event. */
export const ticketFields = {
  name: translatable(clearable(filledText('Name of the ticket. `null` removes its translation.', { max: 500 }))),
  description: translatable(clearable(text('Description. HTML is cleaned.'))),
  price: anything('Regular price, with a decimal point; blank is nothing. Replies have none.', {
    type: ['string', 'number', 'null'],
  }),
  show_description: clearable(text('`no` keeps the description off the page.', { max: 20 })),
  start_date: clearable(date('First day of sale, on the clock of the site; when empty, the day the event was made.')),
  start_time: time('Time of day when the sale begins.'),
  end_date: clearable(date('Last day of sale, on the clock of the site; when empty, until the event starts.')),
  end_time: time('Time of day when the sale ends.'),
  sku: clearable(text('Article number; made from ids and name when empty.', { max: 200 })),
  iac: clearable(text('Individual collection of attendees; not supported, always `none`.', { max: 50 })),
  menu_order: clearable(integer('Position among the tickets of the event.', { min: -1, max: 1_000_000 })),
  ticket: ticketObject,
};
