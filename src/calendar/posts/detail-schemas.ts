import { z } from 'zod';

/** Schemas of date and price parts, shared by several resources. */

export const dateDetailsSchema = z
  .object({
    year: z.string(),
    month: z.string(),
    day: z.string(),
    hour: z.string(),
    minutes: z.string(),
    seconds: z.string(),
  })
  .meta({ id: 'DateDetails', description: 'The digits of a date, zero-padded; empty for an empty date.' });

const costMembers = {
  currency_symbol: z.string(),
  currency_position: z.enum(['', 'prefix', 'postfix']),
  values: z.array(z.string()).describe('Ascending, with a decimal point.'),
};

/** Number format of a ticket's amounts. */
const writtenMembers = {
  suffix: z.string().nullable(),
  currency_decimal_separator: z.string(),
  currency_decimal_numbers: z.int(),
  currency_thousand_separator: z.string(),
};

/** The cost of an event or the price of a ticket. */
export const costDetailsSchema = z
  .object({
    ...costMembers,
    currency_code: z.string().optional().describe('Events only.'),
    ...z.object(writtenMembers).partial().shape,
  })
  .meta({ id: 'CostDetails', description: 'Structured amounts; for tickets also the number format.' });

/** The members of a ticket's price. */
export const priceDetailsSchema = z
  .object({ ...costMembers, ...writtenMembers })
  .meta({ id: 'PriceDetails', description: 'Parts of the price of a ticket.' });
