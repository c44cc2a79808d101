import { can, type Viewer } from '../../http/core/auth.ts';
import type { Counted } from '../limits/limits.ts';
import { accountSubject } from './password-check.ts';

/**
 * Mails as they count for the account that causes them; none for one that manages the attendees of all events. Others could
 * enter any addresses, and word the mails of their own events.
 */
export const countedMails = (viewer: Viewer, points = 1): Counted[] =>
  can(viewer, 'manage_attendees')
    ? []
    : [{ limit: 'mails-by-account', key: accountSubject(viewer.account?.id ?? 0), points }];
