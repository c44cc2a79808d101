/** Abbreviations of zones (EST, CEST, -03) in the style of the tz database, from the long English names of `Intl`. */
import { type LocalTime, toMs } from './local-time.ts';
import { getZone, offsetAt, offsetText } from './zones.ts';

/**
 * Long English name (Unicode CLDR) -> abbreviation (tz database). Missing names belong to zones for which the tz
 * database has only the offset.
 */
const BY_NAME: Record<string, string> = {
  'Alaska Daylight Time': 'AKDT',
  'Alaska Standard Time': 'AKST',
  'American Samoa Standard Time': 'SST',
  'Atlantic Daylight Time': 'ADT',
  'Atlantic Standard Time': 'AST',
  'Australian Central Daylight Time': 'ACDT',
  'Australian Central Standard Time': 'ACST',
  'Australian Eastern Daylight Time': 'AEDT',
  'Australian Eastern Standard Time': 'AEST',
  'Australian Western Standard Time': 'AWST',
  'British Summer Time': 'BST',
  'Central Africa Time': 'CAT',
  'Central Daylight Time': 'CDT',
  'Central European Standard Time': 'CET',
  'Central European Summer Time': 'CEST',
  'Central Indonesia Time': 'WITA',
  'Central Standard Time': 'CST',
  'Chamorro Standard Time': 'ChST',
  'China Standard Time': 'CST',
  'Cuba Daylight Time': 'CDT',
  'Cuba Standard Time': 'CST',
  'East Africa Time': 'EAT',
  'Eastern Daylight Time': 'EDT',
  'Eastern European Standard Time': 'EET',
  'Eastern European Summer Time': 'EEST',
  'Eastern Indonesia Time': 'WIT',
  'Eastern Standard Time': 'EST',
  'Greenwich Mean Time': 'GMT',
  'Hawaii-Aleutian Daylight Time': 'HDT',
  'Hawaii-Aleutian Standard Time': 'HST',
  'Hong Kong Standard Time': 'HKT',
  'India Standard Time': 'IST',
  'Irish Standard Time': 'IST',
  'Israel Daylight Time': 'IDT',
  'Israel Standard Time': 'IST',
  'Japan Standard Time': 'JST',
  'Korean Standard Time': 'KST',
  'Mexican Pacific Daylight Time': 'MDT',
  'Mexican Pacific Standard Time': 'MST',
  'Moscow Standard Time': 'MSK',
  'Moscow Summer Time': 'MSD',
  'Mountain Daylight Time': 'MDT',
  'Mountain Standard Time': 'MST',
  'New Zealand Daylight Time': 'NZDT',
  'New Zealand Standard Time': 'NZST',
  'Newfoundland Daylight Time': 'NDT',
  'Newfoundland Standard Time': 'NST',
  'North Korea Time': 'KST',
  'Pacific Daylight Time': 'PDT',
  'Pacific Standard Time': 'PST',
  'Pakistan Standard Time': 'PKT',
  'Philippine Standard Time': 'PST',
  'South Africa Standard Time': 'SAST',
  'Taiwan Standard Time': 'CST',
  'West Africa Time': 'WAT',
  'Western European Standard Time': 'WET',
  'Western European Summer Time': 'WEST',
  'Western Indonesia Time': 'WIB',
  'Yukon Time': 'MST',
};

/** Zones with a numeric abbreviation in the tz database, for which CLDR uses the name of a neighbouring zone. */
const NUMERIC = new Set([
  'Africa/Casablanca',
  'Africa/El_Aaiun',
  'Antarctica/Casey',
  'Antarctica/Troll',
  'Asia/Colombo',
  'Asia/Dili',
  'Europe/Astrakhan',
  'Europe/Minsk',
  'Europe/Saratov',
  'Europe/Ulyanovsk',
]);

/** Zones for which CLDR has no name, and the zone whose abbreviations they share. */
const NAMED_AS: Record<string, string> = {
  'Africa/Windhoek': 'Africa/Maputo',
  'Europe/Guernsey': 'Europe/London',
  'Europe/Isle_of_Man': 'Europe/London',
  'Europe/Jersey': 'Europe/London',
  'Europe/Kirov': 'Europe/Moscow',
  'Europe/Volgograd': 'Europe/Moscow',
};

/**
 * Cached by tz database id, of which there are some 600; creating a formatter costs a hundred times as much as using
 * it.
 */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(id: string): Intl.DateTimeFormat {
  const cached = formatters.get(id);
  if (cached) return cached;
  const made = new Intl.DateTimeFormat('en-US', { timeZone: NAMED_AS[id] ?? id, timeZoneName: 'long' });
  formatters.set(id, made);
  return made;
}

/**
 * The abbreviation of a zone at a UTC time: `EST`, `CEST`, `-03`, `+0545`. A manual zone (`UTC+2`) or bare offset is
 * its own abbreviation.
 * @throws RangeError for an unknown zone or a text that is not a LocalTime
 */
export function zoneAbbreviation(utc: LocalTime, zone: string): string {
  const rules = getZone(zone);
  if ('offset' in rules) return rules.label;
  const ms = toMs(utc);
  if (!NUMERIC.has(rules.id)) {
    // The text is "6/15/2030, Eastern Daylight Time".
    const text = formatterOf(rules.id).format(ms);
    const abbreviation = BY_NAME[text.slice(text.indexOf(', ') + 2)];
    if (abbreviation) return abbreviation;
  }
  const offset = offsetText(offsetAt(rules, ms), '');
  return offset.endsWith('00') ? offset.slice(0, 3) : offset;
}
