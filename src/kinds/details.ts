import { z } from 'zod';

/** The parts that several resources take their dates and prices apart into. */

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

/** The cost of an event. */
export const costDetailsSchema = z
  .object({ ...costMembers, currency_code: z.string() })
  .meta({ id: 'CostDetails', description: 'The cost in parts.' });

/** The price of a ticket. */
export const priceDetailsSchema = z
  .object({
    ...costMembers,
    suffix: z.string().nullable(),
    currency_decimal_separator: z.string(),
    currency_decimal_numbers: z.int(),
    currency_thousand_separator: z.string(),
  })
  .meta({ id: 'PriceDetails', description: 'The price in parts, and how amounts are written.' });
