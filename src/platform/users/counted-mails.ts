import type { Database } from '../../db/database.ts';
import { ANONYMOUS, can, type Viewer, viewerOf } from '../../http/core/auth.ts';
import type { Counted } from '../limits/limits.ts';
import { accountSubject } from './password-check.ts';
import { accountOf, findUser } from './store.ts';

/**
 * Mails to others as they count for the accounts that cause them; none for one that manages the attendees of all events.
 * Others could enter any addresses, and word the mails of their own events.
 */
export const countedMails = (viewer: Viewer): Counted[] =>
  can(viewer, 'manage_attendees')
    ? []
    : [{ limit: 'mails-by-account', key: accountSubject(viewer.account?.id ?? 0), points: 1 }];

/** A mail that a device at the door causes: it counts for each author of its events. */
export async function countedMailsOfAuthors(db: Database, authors: readonly number[]): Promise<Counted[]> {
  const users = await Promise.all([...new Set(authors)].map((id) => findUser(db, id)));
  return users.flatMap((user) => countedMails(user ? viewerOf(accountOf(user)) : ANONYMOUS));
}
