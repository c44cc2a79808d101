import type { Context } from '../../base/context.ts';
import { toUtc } from '../../lib/dates/local-time.ts';
import { addressKey } from '../../lib/text/email.ts';
import { type Announcement, findAnnouncement, isTrueOf } from '../../ticketing/announcements/store.ts';
import { findAttendee } from '../../ticketing/attendees/store.ts';
import { findOrder } from '../../ticketing/orders/store.ts';
import { type EventFacts, readEventFacts, valuesOf } from './event-facts.ts';
import type { Block } from './mail-body.ts';
import { aboutEvent, eventBlock, line, type MailContent, shortened } from './order-mails.ts';
import type { MailRecord, RenderedMail } from './rendered-mail.ts';

/** Mails to the holders of an event's tickets. They contain no secret: they may be forwarded. */

type Announced = Pick<Announcement, 'event_id' | 'kind' | 'subject' | 'body'>;

/** Texts of the kinds about a change of the event. */
const KINDS = {
  event_moved: { heading: 'mail.moved_heading', text: 'mail.moved_text' },
  event_postponed: { heading: 'mail.postponed_heading', text: 'mail.postponed_text' },
  event_cancelled: { heading: 'mail.cancelled_heading', text: 'mail.cancelled_text' },
} as const;

/** Mail of an announcement; undefined for an outdated one. */
export async function renderAnnouncementMail(
  context: Context,
  { record_id, language, user_id, attendee_id, to_email }: MailRecord,
  origin: string,
): Promise<RenderedMail | undefined> {
  const announcement = await findAnnouncement(context.db, record_id);
  if (!announcement) return undefined;
  const name = await readerName(context, { attendee_id, to_email });
  const isAskedFor = user_id !== 0;
  const rendered = await renderAnnouncement(context, announcement, { origin, language, name, isAskedFor });
  return rendered && !isAskedFor && isOutdated(announcement, rendered.facts) ? undefined : rendered;
}

/** Whether an announcement made before the event is due after it. The dates of a postponed event do not count. */
const isOutdated = ({ created_utc }: Announcement, { event, status, now }: EventFacts): boolean =>
  status !== 'postponed' && created_utc < event.utc_start_date && event.utc_end_date <= toUtc(now);

/** Name of the holder; empty if the ticket has another holder by now, whose name the reader may not learn. */
async function readerName(
  { db }: Context,
  { attendee_id, to_email }: Pick<MailRecord, 'attendee_id' | 'to_email'>,
): Promise<string> {
  const attendee = await findAttendee(db, attendee_id);
  if (!attendee) return '';
  const { email, order_id, full_name } = attendee;
  const order = email === '' && order_id !== null ? await findOrder(db, order_id) : undefined;
  return addressKey(email || (order?.purchaser_email ?? '')) === addressKey(to_email) ? full_name : '';
}

/** Renders an announcement in a language; undefined if the event was deleted or has another status by now. */
export async function renderAnnouncement(
  context: Context,
  announcement: Announced,
  { origin, language, name = '', isAskedFor }: { origin: string; language: string; name?: string; isAskedFor: boolean },
): Promise<(RenderedMail & { facts: EventFacts }) | undefined> {
  const { event_id: id, kind } = announcement;
  const facts = await readEventFacts(context, { id, origin, language });
  if (!facts) return undefined;
  if (!isTrueOf(kind, facts.status) && !isAskedFor) return undefined;
  return announcementContent(facts, announcement, name);
}

export function announcementContent(
  facts: EventFacts,
  announcement: Announced,
  name: string,
): RenderedMail & { facts: EventFacts } {
  const { t, site, organizerEmail } = facts;
  return {
    facts,
    ...valuesOf(facts, name),
    isSubjectFixed: announcement.subject !== '',
    content: newsContent(announcement, facts),
    footer: t('mail.why_holder', { site: site.name }),
    replyTo: organizerEmail,
  };
}

function newsContent({ kind, subject, body }: Announced, facts: EventFacts): MailContent {
  const { t, event, events, note } = facts;
  const name = shortened(event.title);
  const usual = KINDS[kind as keyof typeof KINDS];
  const words = body || (usual ? note : '');
  const heading = usual ? t(usual.heading) : line(subject) || t('mail.news_heading');
  const about = usual ? aboutEvent(t, heading, name) : t('mail.news_subject', { event: name });
  const [shown] = events;
  return {
    subject: line(subject) || about,
    heading,
    blocks: [
      ...(usual ? [{ kind: 'text', text: t(usual.text), isIntro: true } as const] : []),
      ...paragraphs(words),
      eventBlock(event, facts),
      ...(shown ? [{ kind: 'button', label: t('mail.open_event'), url: facts.link(shown.url) } as const] : []),
    ],
    codes: [],
    hasCalendar: kind === 'event_moved',
  };
}

/** Blank lines separate paragraphs. */
export const paragraphs = (text: string): Block[] =>
  text
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({ kind: 'text', text: part }));
