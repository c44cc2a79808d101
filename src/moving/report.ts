import type { Selectable } from 'kysely';
import type { ImportFindingsTable } from '../db/tables/import.ts';
import { scalarText } from '../lib/text/scalar-text.ts';
import type { Draft, Finding } from './drafts.ts';
import type { ImportResult } from './import-site.ts';
import type { Counts, Plan } from './plan.ts';

/** Reports of imports and their plans, in English like all commands. */

const SENTENCES: Readonly<Record<string, string>> = {
  'no-id': 'has no id, or one that is too large; not imported',
  'no-start': 'has no start that can be read; not imported',
  'no-event': 'belongs to an event that was not imported; not imported',
  'no-ticket': 'belongs to a ticket that was not imported; not imported',
  provider: 'is sold by an add-on that this site does not have; not imported',
  refused: 'refused by the rules of this site',
  'left-out': 'imported without fields that this site refuses',
  'broken-text': 'has text in a broken encoding',
  'text-cut': 'has a text longer than 50,000 characters, which was cut',
  'no-title': 'has no title; its number became the title',
  'no-name': 'has no name',
  'no-end': 'has no end; it ends when it starts',
  'ends-early': 'ends before it starts; it now ends when it starts',
  'utc-differs': 'has a local time that contradicts its UTC time; the local time was used',
  password: 'needs a password that the source does not show; it is private until you set one',
  'no-order': 'belongs to no order; one was created',
  'order-status-unknown': 'has an order of unknown status; it counts as paid',
  price: 'has a price that cannot be read; 0 was used',
  'image-missing': 'has an image that could not be fetched',
  'image-lost': 'image that could not be fetched',
  'reference-missing': 'refers to records that do not exist at the source',
  'parent-missing': 'has a parent that does not exist; it is at the top level now',
  'parent-loop': 'is its own ancestor; it is at the top level now',
  'slug-changed': 'has another address here',
  matched: 'is the record that this site already has',
  shortcode: 'had a shortcode, which was left out',
  'changed-here': 'was changed here since; these fields stay as they are (--theirs replaces them)',
  'deleted-here': 'was deleted here; it stays deleted',
  'not-followed': 'changed at the source in fields that an import does not follow',
  'not-shown': 'is not shown by the source',
  'several-values': 'has several values of one kind; the first was used',
  corrupt: 'has a corrupt value, which was left out',
  'table-differs': 'has other dates in the table for lists; its own were used',
  'encoded-twice': 'has a title that was encoded twice; it was kept as it is',
  repeats: 'repeats; only this date was imported',
  'custom-fields': 'has custom fields, which are below its text now',
  'status-unknown': 'has a status that this site does not know; it is a draft now',
  'author-missing': 'has an author who was not imported; the first administrator has it',
  'stock-negative': 'had a negative number of places left',
  questions: 'asks attendees questions, which this site does not; the answers were imported',
  'ticket-status': 'is not published at the source',
  'ticket-deleted': 'had a ticket that was deleted',
  'order-status': 'has an order that was deleted at the source; it is void',
  'order-without-places': 'has no places that were imported; not imported',
  'order-known': 'has attendees who were imported before, with an order of their own; not imported',
  'places-made': 'has no attendees; its places got the name of its customer',
  'order-differs': 'has a total that differs from the prices of its places; the difference is a charge',
  archived: 'belongs to an order that is not valid; it is archived',
  email: 'has an invalid e-mail address, which was left out',
  'code-taken': 'has a security code that cannot be kept; it got a new one',
  'address-taken': 'has the address of another account; it got a placeholder, sign in by name',
  'no-address': 'has no address; it got a placeholder, sign in by name',
  'no-password': 'has no password that this site can check; send it a sign-in link',
  role: 'has a role that this site does not know; it is a subscriber now',
  'no-role': 'has a role that the source does not show; it is a subscriber now',
  'unnamed-field': 'has a custom field that the source does not name; it was left out',
  'no-home': 'The file does not state the address of the site.',
  name: 'has a name that this site does not allow; not imported',
  'account-renamed': 'has a name that an account here has already; it got another one',
  orphans: 'Values of posts that do not exist were ignored; number of posts',
  'other-posts': 'Pages and articles stay behind',
  'other-sales': 'The sale of add-ons is not imported',
  coupons: 'Coupons are not imported; set them up as promotion codes',
  fees: 'Fees are not imported, except as charges of their orders',
  'other-words': 'Addresses began with other words, for which "import redirects" prints rules',
  'bad-characters': 'The file has characters that XML forbids; first in line',
  'utf8-in-latin1': 'Tables in latin1 have texts in UTF-8; they were read as UTF-8',
  'no-table': 'The database has no such tables, or the account may not read them',
  'no-tickets': 'The source has no tickets, or does not show them.',
  'no-media': 'The source does not show its media library.',
  // Findings of an undo.
  'changed-since': 'was changed here since; it stays as it is',
  'history-gone': 'was changed since, and the audit log no longer shows by whom; it stays as it is',
  'sold-here': 'has tickets that were sold here, or attendees of another source; it stays',
  'checked-in-here': 'was checked in here; it stays',
  'in-cart': 'has tickets in carts; it stays',
  'used-here': 'is used here; it stays',
  'order-stays': 'belongs to an order that stays; it stays',
  'not-restored': 'has its former values back, except those that this site refuses now',
  'own-account': 'is your own account; it stays',
  'signed-in': 'has signed in here, or has another password; it stays',
  'owns-records': 'is the author of records that stay; it stays',
  'last-account': 'cannot be removed; it stays',
  // Findings of files and calendars.
  'broken-line': 'cannot be read, and was left out',
  'more-broken-lines': 'Further lines that cannot be read',
  'cut-off': 'The calendar is cut off: its end is missing.',
  'not-events': 'The calendar also has tasks or notes, which are not imported',
  'too-many-entries': 'Later entries are not imported; the maximum is',
  untitled: 'has no title',
  'too-long': 'is too long, and was left out',
  'open-quote': 'has a quote that is never closed; it and the lines within were left out',
  'row-long': 'has more cells than there are columns; the rest was left out',
  'formula-failed': 'has formulas without a value, which were left empty',
  'too-many-rows': 'Later rows are not imported; the maximum is',
  'no-title-row': 'has no name; not imported',
  'zone-of-site': 'has an unknown time zone; the zone of the site was used',
  'no-event-here': 'belongs to an event that this site does not have; not imported',
  'event-unclear': 'belongs to one of several events of this name; add its id or date; not imported',
  'no-ticket-here': 'belongs to a ticket that its event does not have; not imported',
  'ticket-unclear': 'belongs to one of several tickets; name it; not imported',
  'no-uid': 'has no UID: if its title or start changes, it is imported as a new event',
  'zone-unknown': 'has an unknown time zone; check its time, which is now in the zone of the calendar or the site',
  'rule-unsupported': 'repeats by a rule that series do not support; its first date was imported',
  'rule-cut': 'has more dates than are imported',
  'rule-empty': 'repeats by a rule without any date; not imported',
  'range-alone': 'changes all later dates; only this one was changed',
  'series-refused': 'is a single event, since its rule was refused',
  'series-past': 'changed, but all dates of its series are past',
  'older-version': 'is older than the version that was imported; left out',
  'own-event': 'is an event of this site; left out',
};

export const sentenceOf = (code: string): string => SENTENCES[code] ?? code;

/** A line of the report. */
export function findingLine({ kind, foreign_id, code, detail }: Selectable<ImportFindingsTable>): string {
  const about = foreign_id === 0 ? '' : `${kind} ${foreign_id} `;
  return `  ${about}${sentenceOf(code)}${detail === '' ? '' : `: ${detail}`}`;
}

/** Display name of a record. */
export function titleOf({ title, name, venue, organizer, ...fields }: Draft['fields']): string {
  const { full_name, username, purchaser_name } = fields;
  return scalarText(title ?? name ?? venue ?? organizer ?? full_name ?? username ?? purchaser_name) ?? '';
}

/** A line of the plan: action, kind, id at the source, title, and the fields or the reason. */
export function planLine({ kind, id, fields }: Draft, plan: Plan): string {
  const title = titleOf(fields);
  return [plan.action.padEnd(8), kind.padEnd(9), String(id).padStart(7), title.slice(0, 60).padEnd(30), detailOf(plan)]
    .join('  ')
    .trimEnd();
}

function detailOf(plan: Plan): string {
  if (plan.action === 'cannot') return reasonOf(plan.why);
  if (plan.action === 'change') return plan.fields.join(', ');
  return plan.action === 'conflict' ? `changed here: ${plan.kept.join(', ')}` : '';
}

/** A line about a record of an undo. */
export const undoneLine = ({ kind, id, title, outcome, reason }: Undone): string =>
  [outcome.padEnd(8), kind.padEnd(9), String(id).padStart(7), title.slice(0, 60).padEnd(30), reasonOf(reason)]
    .join('  ')
    .trimEnd();

interface Undone {
  kind: string;
  id: number;
  title: string;
  outcome: string;
  reason?: Finding;
}

const reasonOf = (reason: Finding | undefined): string =>
  reason ? `${sentenceOf(reason.code)}${reason.detail === '' ? '' : `: ${reason.detail}`}` : '';

/** One line for each outcome: `created: 3 event, 1 venue`. */
export const countLines = (counts: Counts): string[] =>
  Object.entries(counts).map(
    ([outcome, kinds]) =>
      `${outcome}: ${Object.entries(kinds)
        .map(([kind, count]) => `${count} ${kind}`)
        .join(', ')}`,
  );

/** Sentences about records that the source no longer has. */
export const goneLines = ({ gone }: ImportResult): string[] =>
  [...gone].map(([kind, count]) => `No longer at the source, and kept here: ${count} ${kind}.`);
