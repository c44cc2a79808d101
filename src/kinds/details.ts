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

export const costDetailsSchema = z
  .object({
    currency_symbol: z.string(),
    currency_code: z.string().optional().describe('Of events.'),
    currency_position: z.enum(['', 'prefix', 'postfix']),
    values: z.array(z.string()).describe('Ascending, with a decimal point.'),
    suffix: z.string().nullable().optional().describe('Of tickets, as what follows.'),
    currency_decimal_separator: z.string().optional(),
    currency_decimal_numbers: z.int().optional(),
    currency_thousand_separator: z.string().optional(),
  })
  .meta({ id: 'CostDetails', description: 'The cost in parts.' });
