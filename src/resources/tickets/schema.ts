import { z } from 'zod';
import { costDetailsSchema, dateDetailsSchema } from '../../kinds/details.ts';
import { imageSchema } from '../../kinds/image.ts';
import { translationsSchema } from '../../kinds/texts.ts';
import { attendeeSchema } from '../attendees/view.ts';

const capacityDetailsSchema = z
  .object({
    available_percentage: z.int(),
    available: z.int().describe('Places left; -1 without a limit.'),
    max: z
      .int()
      .optional()
      .describe('This and what follows is for privileged callers. Capacity; 0 or -1 without a limit.'),
    sold: z.int().optional(),
    pending: z.int().optional().describe('Places that carts hold.'),
    global_stock_mode: z.enum(['own', 'global', 'capped', '']).optional(),
  })
  .meta({ id: 'CapacityDetails', description: 'How many places there are and how many are left.' });

const rsvpReportSchema = z
  .object({ rsvp_going: z.int(), rsvp_not_going: z.int() })
  .meta({ id: 'RSVPReport', description: 'How many replied that they come, and that they do not.' });

const checkinReportSchema = z
  .object({
    checked_in: z.int(),
    unchecked_in: z.int(),
    checked_in_percentage: z.int().describe('Rounded up; 100 without attendees.'),
    unchecked_in_percentage: z.int(),
  })
  .meta({ id: 'CheckinReport', description: 'How many have come in.' });

const salePriceSchema = z.object({
  enabled: z.enum(['1', '']),
  sale_price: z.string(),
  start_date: z.string().describe('First day, or empty.'),
  end_date: z.string().describe('Last day, or empty.'),
});

/** A ticket as every answer shows it; made by `renderTickets`. */
export const ticketSchema = z
  .object({
    description: z.string().describe('HTML.'),
    capacity: z.union([z.int(), z.literal('')]).describe('Empty or -1 without a limit.'),
    on_sale: z.boolean().nullable().describe('Whether the reduced price holds today; null for replies.'),
    iac: z.string(),
    price_suffix: z.null(),
    post_id: z.int().describe('The event.'),
    provider: z.enum(['rsvp', 'tc']),
    id: z.int(),
    type: z.string(),
    global_id: z.string(),
    global_id_lineage: z.array(z.string()),
    author: z.string().describe('Id of the author, as text.'),
    status: z.string(),
    date: z.string(),
    date_utc: z.string(),
    modified: z.string(),
    modified_utc: z.string(),
    title: z.string(),
    image: z.union([z.literal(false), imageSchema]),
    available_from: z.string().describe('When the sale begins, on the clock of the site.'),
    available_from_details: dateDetailsSchema,
    available_until: z.string(),
    available_until_details: dateDetailsSchema,
    capacity_details: capacityDetailsSchema,
    is_available: z.boolean(),
    cost: z.string().describe('The regular price.'),
    cost_details: costDetailsSchema,
    sale_price_data: z.union([salePriceSchema, z.array(z.never())]).describe('The reduced price; `[]` for replies.'),
    supports_attendee_information: z.boolean(),
    attendees: z.array(attendeeSchema).describe('For privileged callers.'),
    rsvp: rsvpReportSchema.optional().describe('Replies only, for privileged callers.'),
    checkin: checkinReportSchema.optional().describe('For privileged callers.'),
    rest_url: z.string(),
    translations: translationsSchema.optional(),
    capacity_type: z
      .string()
      .optional()
      .describe('This and what follows: single reads, for callers who may change the ticket.'),
    sku: z.string().nullable().optional(),
    available_from_start_time: z.string().optional(),
    available_from_end_time: z.string().optional(),
    totals: z.object({ stock: z.int(), sold: z.int(), pending: z.int() }).optional(),
  })
  .meta({ id: 'Ticket', description: 'A ticket, or what people reply to.' });

/** A ticket behind the password of its event: the same members, their values withheld. */
export const withheldTicketSchema = z.looseObject({ id: z.literal(0) }).meta({
  id: 'WithheldTicket',
  description:
    'A ticket of an event that needs a password: as a ticket, but numbers are 0, flags null and texts `No Access`, whatever they are.',
});

export type TicketView = z.output<typeof ticketSchema>;
