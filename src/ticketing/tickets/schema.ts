import { z } from 'zod';
import { costDetailsSchema, dateDetailsSchema, priceDetailsSchema } from '../../calendar/posts/detail-schemas.ts';
import { revisionSchema } from '../../http/core/revisions.ts';
import { link, localTime, utcTime } from '../../http/output/output.ts';
import { imageSchema } from '../../platform/media/images.ts';
import { translationsSchema } from '../../platform/translations/rules.ts';
import { optionSchema } from '../prices/ticket-options.ts';
import { attendeeSchema } from './attendee-schema.ts';
import { DEFAULT_PER_ORDER } from './store.ts';

const capacityDetailsSchema = z
  .object({
    available_percentage: z.int(),
    available: z.int().describe('Places left; -1 without a limit.'),
    max: z
      .int()
      .optional()
      .describe('This and the following members are for privileged users. Capacity; 0 or -1 without a limit.'),
    sold: z.int().optional(),
    pending: z.int().optional().describe('Places held by carts.'),
    global_stock_mode: z.enum(['own', 'global', 'capped', '']).optional(),
  })
  .meta({ id: 'CapacityDetails', description: 'Capacity and available places.' });

const rsvpReportSchema = z
  .object({ rsvp_going: z.int(), rsvp_not_going: z.int() })
  .meta({ id: 'RSVPReport', description: 'Number of RSVPs with the answers yes and no.' });

const checkinReportSchema = z
  .object({
    checked_in: z.int(),
    unchecked_in: z.int(),
    checked_in_percentage: z.int().describe('Rounded up; 100 without attendees.'),
    unchecked_in_percentage: z.int(),
  })
  .meta({ id: 'CheckinReport', description: 'Number of attendees checked in.' });

const salePriceSchema = z
  .object({
    enabled: z.enum(['1', '']),
    sale_price: z.string(),
    start_date: z.string().describe('First day, or empty.'),
    end_date: z.string().describe('Last day, or empty.'),
  })
  .meta({ id: 'SalePrice', description: 'A reduced price and its period.' });

/** Member written by `maxPerOrderOf`. */
export const maxPerOrderSchema = {
  max_per_order: z
    .int()
    .optional()
    .describe(
      `Maximum number of places per order or RSVP, for users who do not manage attendees; 0 for no limit. Absent for the default of ${DEFAULT_PER_ORDER}, and under \`/wp-json/tribe\`.`,
    ),
};

/** Members of a series pass. */
const passSchema = {
  scope: z
    .literal('series')
    .optional()
    .describe('For a pass, which is sold for all coming occurrences of a series. Absent under `/wp-json/tribe`.'),
  pass: z
    .object({
      id: z.int().describe('The same for the tickets of all occurrences.'),
      dates: z.int().describe('Number of coming occurrences.'),
    })
    .optional()
    .describe('Only with `scope`.'),
};

/** Ticket in responses; rendered by `renderTickets`. */
export const ticketSchema = z
  .object({
    description: z.string().describe('HTML.'),
    capacity: z.union([z.int(), z.literal('')]).describe('Empty or -1 without a limit.'),
    on_sale: z.boolean().nullable().describe('Whether the reduced price applies today; null for RSVPs.'),
    iac: z.string(),
    price_suffix: z.string().nullable(),
    post_id: z.int().describe('The event.'),
    provider: z.enum(['rsvp', 'tc']),
    id: z.int(),
    type: z.string(),
    global_id: z.string(),
    global_id_lineage: z.array(z.string()),
    author: z.string().describe('Id of the author, as text.'),
    status: z.string(),
    date: localTime,
    date_utc: utcTime,
    modified: localTime,
    modified_utc: utcTime,
    ...revisionSchema,
    title: z.string(),
    image: z.union([z.literal(false), imageSchema]),
    available_from: z.string().describe('Start of the sale, in the time zone of the site.'),
    available_from_details: dateDetailsSchema,
    available_until: z.string(),
    available_until_details: dateDetailsSchema,
    capacity_details: capacityDetailsSchema,
    is_available: z.boolean(),
    cost: z.string().describe('The regular price.'),
    cost_details: costDetailsSchema,
    sale_price_data: z
      .union([salePriceSchema, z.array(z.unknown()).max(0)])
      .describe('The reduced price; `[]` for RSVPs.'),
    supports_attendee_information: z.boolean(),
    attendees: z.array(attendeeSchema).describe('For privileged users.'),
    rsvp: rsvpReportSchema.optional().describe('RSVPs only, for privileged users.'),
    checkin: checkinReportSchema.optional().describe('For privileged users.'),
    ...maxPerOrderSchema,
    ...optionSchema,
    ...passSchema,
    rest_url: link,
    translations: translationsSchema.optional(),
    capacity_type: z
      .string()
      .optional()
      .describe('This and the following members: single reads only, for users who may change the ticket.'),
    sku: z.string().nullable().optional(),
    available_from_start_time: z.string().optional(),
    available_from_end_time: z.string().optional(),
    totals: z.object({ stock: z.int(), sold: z.int(), pending: z.int() }).optional(),
  })
  .meta({ id: 'Ticket', description: 'A ticket, paid or RSVP.' });

const withheldText = z
  .union([z.literal('No Access'), z.literal(0)])
  .meta({ id: 'Withheld', description: 'Placeholder for text that the user may not see.' });

const withheldFlag = z.boolean().nullable();

/** Schema of the placeholder for a withheld value. */
function withheldSchema(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) {
    const inner = withheldSchema(schema.unwrap() as z.ZodType);
    return inner === withheldText ? inner : z.union([inner, withheldText]);
  }
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map((option) => withheldSchema(option as z.ZodType)));
  if (schema instanceof z.ZodArray) return z.array(withheldSchema(schema.element as z.ZodType));
  if (schema instanceof z.ZodObject) return withheldObject(schema);
  if (schema instanceof z.ZodNumber) return z.literal(0);
  const isFlag = schema instanceof z.ZodBoolean || (schema instanceof z.ZodLiteral && schema.value === false);
  // Always null; a plain null type gets lost in openapi-fetch.
  return isFlag ? withheldFlag : withheldText;
}

/** Keyed by the schema of the part: several members have dates, and a component name belongs to one schema. */
const withheldParts = new Map<z.ZodObject, z.ZodObject>();

/** Omits members that only some viewers see. */
function withheldObject(schema: z.ZodObject): z.ZodObject {
  const cached = withheldParts.get(schema);
  if (cached) return cached;
  const members = Object.entries(schema.shape).filter(([, member]) => !(member instanceof z.ZodOptional));
  const shape = members.map(([name, member]) => [name, withheldSchema(member as z.ZodType)]);
  const made = z.object(Object.fromEntries(shape)).meta({ id: `Withheld${schema.meta()?.id}` });
  withheldParts.set(schema, made);
  return made;
}

/** A ticket of a locked event: the same members with withheld values. */
const withheldTicketSchema = withheldObject(ticketSchema)
  .extend({ cost_details: withheldObject(priceDetailsSchema), image: withheldFlag, attendees: z.array(z.unknown()) })
  .meta({
    id: 'WithheldTicket',
    description: 'A ticket of an event that needs a password: numbers are 0, flags null and texts `No Access`.',
  });

/** Ticket as shown to the public. */
export const shownTicketSchema = z
  .union([ticketSchema, withheldTicketSchema])
  .meta({ id: 'ShownTicket', description: 'A ticket; its id is 0 if it is redacted.' });

export type TicketView = z.output<typeof ticketSchema>;
