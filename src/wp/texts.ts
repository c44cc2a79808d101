import { z } from 'zod';
import { type LocalTime, localToUtc, utcToLocal } from '../lib/dates/dates.ts';
import { escapeText } from '../lib/text/html.ts';
import { isRecord } from '../lib/text/list.ts';
import { htmlToText } from '../lib/text/text.ts';

/** Texts and dates in the formats of `wp/v2`. */

/** A text: `rendered` is HTML; `raw` is the stored text, for users who may edit it in the context `edit`. */
export const textSchema = z.object({
  rendered: z.string(),
  raw: z.string().optional(),
  protected: z.boolean().optional().describe('Whether it is hidden by a password.'),
});

/** A text of a write: plain, or an object as in responses. */
export const textFromRequest = (value: unknown): unknown => (isRecord(value) ? (value.raw ?? value.rendered) : value);

/** Maximum length of a name, with room for an entity per character. */
const MAX_NAME_HTML = 20_000;

/** A name in a write, which is HTML here: `Fish &#038; chips` is stored as the plain text `Fish & chips`. */
export function nameFromRequest(value: unknown): unknown {
  const text = textFromRequest(value);
  const hasEntities = typeof text === 'string' && text.length <= MAX_NAME_HTML && /&[#a-z]/i.test(text);
  return hasEntities ? htmlToText(text) : text;
}

/** A name as accepted by writes: escaped if it looks like HTML, so that sending it back changes nothing. */
export const rawName = (name: string): string => (nameFromRequest(name) === name ? name : escapeText(name));

const iso = (local: LocalTime): string => local.replace(' ', 'T');

/** A time in site time and in UTC. */
export const isoDates = (utc: LocalTime, zone: string) => ({ date: iso(utcToLocal(utc, zone)), date_gmt: iso(utc) });

interface Dated {
  date: LocalTime;
  date_utc: LocalTime;
  modified: LocalTime;
  modified_utc: LocalTime;
}

/** Dates of a record. A draft without a publication date uses its last change in UTC for `date_gmt` too. */
export const postDates = ({ date, date_utc, modified, modified_utc }: Dated, zone: string) => ({
  date: iso(date),
  date_gmt: iso(date_utc.startsWith('0000') ? localToUtc(date, zone).utc : date_utc),
  modified: iso(modified),
  modified_gmt: iso(modified_utc),
});
