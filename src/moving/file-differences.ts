import { scalarText } from '../lib/text/scalar-text.ts';
import { htmlToText } from '../lib/text/text.ts';

/**
 * Differences between a running site and records imported from its files. Files have more data than the interface, and
 * texts as typed instead of as shown.
 */

/** Members that the interface of the original leaves out, or leaves empty. */
const UNTOLD: readonly RegExp[] = [
  /(?:^|\.)geo_(?:lat|lng)$/,
  /^(?:event_status|event_status_reason|attendance_mode|online_url|online_access|color)$/,
  /(?:^|\.)color$/,
  /^information(?:\.|$)/,
  /^order$/,
];

/** Counters that the original keeps beside its attendees, and formats of the site. */
const DERIVED: Readonly<Record<string, RegExp>> = {
  ticket:
    /^(?:totals\.\w+|checkin\.\w+|capacity_details\.(?:sold|available|available_percentage|pending)|cost_details\.currency_\w+)$/,
  event: /^(?:cost|cost_details\.currency_\w+|categories\.\d+\.parent|timezone_abbr)$/,
};

interface Values {
  kind: string;
  field: string;
  there: unknown;
  here: unknown;
}

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Whether a difference is due to an import from a file. */
export function isOfFile({ kind, field, there, here }: Values): boolean {
  if (isMissing(there) && UNTOLD.some((pattern) => pattern.test(field))) return true;
  if (DERIVED[kind]?.test(field)) return true;
  // Without a limit, places are not counted.
  if (field === 'capacity_details.global_stock_mode') return there === 'own' && isMissing(here);
  if (field === 'date') return (scalarText(there) ?? '').startsWith('0000');
  return isShown(field) && typeof there === 'string' && typeof here === 'string' && wordsOf(there) === wordsOf(here);
}

/** Texts that the original changes when it shows them. */
const isShown = (field: string): boolean => /(?:^|\.)(?:title|name|venue|organizer|description|excerpt)$/.test(field);

/** The words of a text, without markup and with the quotes and dashes of a keyboard. */
const wordsOf = (html: string): string =>
  htmlToText(html)
    .replace(/[‘’‚′]/g, "'")
    .replace(/[“”„″]/g, '"')
    .replace(/--+|[–—]/g, '-')
    .replaceAll('…', '...')
    .replaceAll('×', 'x')
    .replace(/\s+/g, '');
