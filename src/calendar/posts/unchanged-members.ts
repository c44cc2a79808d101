import { isRecord } from '../../lib/text/list.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';

/**
 * Detects members that are sent back unchanged: clients read a record, change some members and send all of them back.
 * Unchanged members count as not sent: they may be fallback texts of another language, rendered HTML, or costs with the
 * symbol of the site.
 */

type Members = Readonly<Record<string, unknown>>;
/** Groups of members that are only valid together. */
type Together = readonly (readonly string[])[];

/** Whether a body is a copy of a record: it has its id, or its URL if the client has moved the id to the path. */
const isCopy = (body: Members, shown: Members): boolean =>
  body.id === undefined ? body.url === shown.url : scalarText(body.id) === scalarText(shown.id);

/** Relevant members of a body; if it is a copy of the record, only the members that differ. */
export const membersToWrite = (body: Members, shown: Members, together?: Together): Members =>
  isCopy(body, shown) ? changedMembers(body, shown, together) : body;

/** Images are compared by id: their texts and URLs depend on the reader. */
function comparable(name: string, value: unknown): unknown {
  if (name !== 'image') return value;
  return isRecord(value) ? value.id : value || undefined;
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Responses omit empty members, and forms send numbers as text. Objects and lists are references, never the same. */
function isSame(sent: unknown, shown: unknown): boolean {
  if (isEmpty(sent) || isEmpty(shown)) return isEmpty(sent) && isEmpty(shown);
  const text = scalarText(sent);
  return text !== undefined && text === scalarText(shown);
}

/**
 * The members of a copy that differ from the record as shown to the viewer. If one of a group that is only valid
 * together differs, the whole group counts.
 */
export function changedMembers(copy: Members, shown: Members, together: Together = []): Record<string, unknown> {
  const isChanged = (name: string): boolean =>
    Object.hasOwn(copy, name) && !isSame(comparable(name, copy[name]), comparable(name, shown[name]));
  const isSent = (name: string): boolean =>
    (together.find((names) => names.includes(name)) ?? [name]).some((member) => isChanged(member));
  return Object.fromEntries(Object.entries(copy).filter(([name]) => isSent(name)));
}
