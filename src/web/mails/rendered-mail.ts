import type { CalendarEvent } from '../../calendar/events/lists/feed.ts';
import type { Mail } from '../../platform/mails/outbox.ts';
import type { Site } from '../../platform/site/settings.ts';
import type { MailValues } from '../../ticketing/mails/placeholders.ts';
import type { Wording } from '../frame/visit.ts';
import type { WantedPapers } from '../paper/mail-papers.ts';
import type { MailContent } from './order-mails.ts';

export type MailRecord = Omit<Mail, 'due_utc'>;

/** A mail before its blocks become HTML and plain text. */
export interface RenderedMail {
  facts: Wording & {
    site: Site;
    /** Events that may be attached for a calendar. */
    events: readonly CalendarEvent[];
    link(url: string): string;
  };
  content: MailContent;
  values: MailValues;
  /** Events that it is about. */
  eventIds: readonly number[];
  /** Whether a person has written the subject. */
  isSubjectFixed?: boolean;
  /** Reason why the reader gets it. */
  footer: string;
  /** Below the reason. */
  footerLink?: { label: string; url: string };
  /** Address for replies; empty for the one of the site. */
  replyTo: string;
  /** Attached documents. */
  papers?: WantedPapers;
  /** Address to which one POST ends further mails of the kind; absent for mails that are necessary. */
  unsubscribe?: string;
}
