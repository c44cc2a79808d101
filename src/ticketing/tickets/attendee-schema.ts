import { z } from 'zod';
import { dateDetailsSchema } from '../../calendar/posts/detail-schemas.ts';
import { revisionSchema } from '../../http/core/revisions.ts';
import { link, localTime, utcTime } from '../../http/output/output.ts';

const id = z.int().min(1);

const currencySchema = z
  .object({
    symbol: z.string(),
    placement: z.enum(['prefix', 'postfix']),
    decimal_point: z.string(),
    thousands_sep: z.string(),
    number_of_decimals: z.int(),
  })
  .meta({ id: 'CurrencyConfig', description: 'Number format of amounts.' });

const attendeeTicketSchema = z
  .object({
    id,
    title: z.string(),
    description: z.string(),
    raw_price: z.string().describe('Plain number; empty for RSVP.'),
    formatted_price: z.string().describe('With all decimals, without a symbol.'),
    currency_config: currencySchema,
    start_sale: z.string().describe('First day of sale, or empty.'),
    end_sale: z.string().describe('Last day of sale, or empty.'),
  })
  .meta({ id: 'AttendeeTicket', description: 'Ticket of an attendee.' });

const checkinDetailsSchema = z
  .object({
    date: localTime,
    date_details: dateDetailsSchema,
    source: z.enum(['site', 'app']).describe('`app` for a scanned code.'),
    author: z.int().describe('Account that checked the attendee in; 0 for the app.'),
  })
  .meta({ id: 'CheckinDetails', description: 'The last check-in.' });

const paymentSchema = z
  .object({
    provider: z.string(),
    price: z.string().describe('Price paid for the place; empty if free.'),
    currency: z.string().describe('Symbol.'),
    date: localTime,
    date_details: dateDetailsSchema,
  })
  .meta({ id: 'PaymentDetails', description: 'Payment of an attendee.' });

/** Member of the attendees of series passes. */
export const passOfAttendeeSchema = z
  .object({ id: id.describe('Its first attendee, whose id the QR code has.') })
  .meta({ id: 'AttendeePass', description: 'A series pass: attendees with the same id have one security code.' });

/** An attendee, in full or without members for privileged users; rendered by `renderAttendees` of attendees/view.ts. */
export const attendeeSchema = z
  .object({
    id,
    post_id: id,
    ticket_id: id,
    global_id: z.string(),
    global_id_lineage: z.array(z.string()),
    author: z.string().describe('Id of the account that created the attendee, as text.'),
    status: z.string().describe('`publish`, or `trash` once archived.'),
    date: localTime,
    date_utc: utcTime,
    modified: localTime,
    modified_utc: utcTime,
    ...revisionSchema,
    rest_url: link,
    ticket: attendeeTicketSchema,
    title: z.string().optional().describe('Name. Absent for people who opted out, except for privileged users.'),
    optout: z.boolean().describe('Whether the attendee is hidden from public lists.'),
    pass: passOfAttendeeSchema
      .optional()
      .describe('Only for a series pass, for privileged users. Absent under `/wp-json/tribe`.'),
    provider: z.enum(['rsvp', 'tc']).optional().describe('This and the following members are for privileged users.'),
    order: z.int().optional().describe('Id of the order; for RSVPs, of the attendee.'),
    sku: z.literal('').optional().describe('Always empty; see the SKU of the ticket.'),
    email: z.string().optional(),
    checked_in: z.boolean().optional(),
    checkin_details: z.union([z.literal(false), checkinDetailsSchema]).optional(),
    is_subscribed: z.boolean().optional(),
    is_purchaser: z.boolean().optional(),
    rsvp_going: z.boolean().optional().describe('RSVP only.'),
    payment: paymentSchema.optional().describe('Paid tickets only.'),
    information: z
      .union([z.record(z.string(), z.unknown()), z.array(z.unknown())])
      .optional()
      .describe('Answers to registration questions, if any; plain text in keys and values.'),
  })
  .meta({ id: 'Attendee', description: 'A person registered for an event.' });

export type AttendeeView = z.output<typeof attendeeSchema>;
