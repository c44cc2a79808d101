import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Database } from '../../db/database.ts';
import { toUtc } from '../../lib/dates/local-time.ts';
import { seal } from '../../lib/seal.ts';
import { addressKey } from '../../lib/text/email.ts';
import { mailboxHash } from '../../platform/mails/outbox.ts';
import { findOptedOut, optoutHash } from '../../platform/mails/store.ts';
import { findRecipients } from '../../ticketing/announcements/recipients.ts';
import { findAnnouncement } from '../../ticketing/announcements/store.ts';
import { isAdmitted } from '../../ticketing/attendees/admission.ts';
import { currentShown, findPassAttendees } from '../../ticketing/attendees/pass-attendees.ts';
import { type Attendee, findAttendee } from '../../ticketing/attendees/store.ts';
import { reminderStart } from '../../ticketing/reminders/write-reminders.ts';
import { type EventFacts, readEventFacts, valuesOf } from './event-facts.ts';
import { codedTicketsOf, type HolderFacts, readHeldTickets, readHolderFacts } from './holder-facts.ts';
import type { Block } from './mail-body.ts';
import type { CodedTicket } from './order-facts.ts';
import { aboutEvent, codeBlocks, eventBlock, MAX_CODES, type MailContent, shortened } from './order-mails.ts';
import type { MailRecord, RenderedMail } from './rendered-mail.ts';

/** Mails to the holders of tickets and RSVPs, with their codes and links. */

/** An event with the page of the reader's ticket. */
export type ReaderFacts = EventFacts & Pick<HolderFacts, 'ticketPage' | 'readerName'>;

const isOver = ({ event, now }: HolderFacts): boolean => event.utc_end_date <= toUtc(now);

/** Mail about a ticket or an RSVP; undefined for an outdated one. */
export async function renderHolderMail(
  context: Context,
  mail: MailRecord,
  origin: string,
): Promise<RenderedMail | undefined> {
  if (mail.kind === 'ticket_transferred') return transferredMail(context, mail, origin);
  if (mail.kind === 'place_cancelled') return cancelledMail(context, mail, origin);
  const current = await aboutCurrent(context, mail);
  const facts = current && (await readHolderFacts(context, current, origin));
  if (facts?.attendee.status !== 'publish' || (isOver(facts) && mail.user_id === 0)) return undefined;
  if (mail.kind === 'ticket_received') return receivedMail(context, mail, facts);
  return mail.kind === 'reminder' ? reminderMail(context, mail, { facts, origin }) : rsvpMail(context, mail, facts);
}

/**
 * Mail about the current state of a ticket: for a pass, about its next date that has not ended; for a reminder, about the
 * first ticket of its address that still admits to the event.
 * @returns undefined for a reminder without such a ticket
 */
async function aboutCurrent({ db, now }: Context, mail: MailRecord): Promise<MailRecord | undefined> {
  if (mail.kind === 'reminder' && mail.user_id === 0) return aboutReminded(db, mail);
  const attendee = mail.kind === 'ticket_received' ? await findAttendee(db, mail.attendee_id) : undefined;
  if (!attendee?.pass_id) return mail;
  const dates = (await findPassAttendees(db, [attendee.pass_id])).get(attendee.pass_id) ?? [];
  return { ...mail, attendee_id: currentShown(dates, toUtc(now()))?.id ?? attendee.id };
}

/** Attendees per query. */
const SLICE = 1000;

async function aboutReminded(db: Database, mail: MailRecord): Promise<MailRecord | undefined> {
  const announcement = await findAnnouncement(db, mail.record_id);
  if (!announcement) return undefined;
  const addressed = { ...announcement, until_id: Number.MAX_SAFE_INTEGER, ticketIds: [] };
  const isReader = ({ key }: { key: string }) => key === addressKey(mail.to_email);
  const named = await findRecipients(db, addressed, { after: mail.attendee_id - 1, limit: 1 });
  if (named.found.some((one) => one.attendee === mail.attendee_id && isReader(one))) return mail;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { found, last }: Awaited<ReturnType<typeof findRecipients>> = await findRecipients(db, addressed, {
      after,
      limit: SLICE,
    });
    const reader = found.find(isReader);
    if (reader) return { ...mail, attendee_id: reader.attendee };
    after = last;
  }
  return undefined;
}

/** To the new holder: the ticket with its code. */
async function receivedMail(
  { db }: Context,
  { record_id, attendee_id }: MailRecord,
  facts: HolderFacts,
): Promise<RenderedMail | undefined> {
  const { attendee } = facts;
  const last = await db.query
    .selectFrom('ticket_transfers')
    .select(({ fn }) => fn.max('id').as('id'))
    // A transfer of a pass is one of each date.
    .where('attendee_id', '=', attendee_id)
    .executeTakeFirst();
  if (last?.id !== record_id) return undefined;
  const codes = await codedTicketsOf(facts, [attendee]);
  return codes.length === 0
    ? undefined
    : { ...receivedContent(facts, codes), papers: { tickets: () => readHeldTickets(facts, [attendee]) } };
}

export function receivedContent(facts: ReaderFacts, codes: readonly CodedTicket[]): RenderedMail {
  const { t, site, event } = facts;
  const heading = t('mail.tickets_heading', { count: 1 });
  return {
    facts,
    ...valuesOf(facts, facts.readerName),
    content: {
      subject: aboutEvent(t, heading, shortened(event.title)),
      heading,
      blocks: [
        { kind: 'text', text: t('mail.received_text'), isIntro: true },
        eventBlock(event, facts),
        ...codeBlocks({ tickets: codes, t }),
        ticketButton(facts),
      ],
      codes,
      hasCalendar: true,
    },
    footer: `${t('mail.keep_ticket')} ${t('mail.why_received', { site: site.name })}`,
    replyTo: facts.organizerEmail,
  };
}

/** To the former holder: notice of the transfer, without the code. */
async function transferredMail(
  context: Context,
  { record_id, language, user_id }: MailRecord,
  origin: string,
): Promise<RenderedMail | undefined> {
  const transfer = await context.db.query
    .selectFrom('ticket_transfers')
    .innerJoin('attendees', 'attendees.id', 'ticket_transfers.attendee_id')
    .select(['ticket_transfers.full_name', 'event_id', 'ticket_title'])
    .where('ticket_transfers.id', '=', record_id)
    .executeTakeFirst();
  const facts = transfer && (await readEventFacts(context, { id: transfer.event_id, origin, language }));
  // The former holder of a ticket to an event in the past can no longer object.
  if (facts && facts.event.utc_end_date <= toUtc(facts.now) && user_id === 0) return undefined;
  return facts && transferredContent(facts, { ticket: transfer.ticket_title, recipient: transfer.full_name });
}

export function transferredContent(
  facts: EventFacts,
  { ticket, recipient }: { ticket: string; recipient: string },
): RenderedMail {
  const { t, site, event } = facts;
  const name = shortened(event.title);
  const rows = [
    [t('ticket.event'), name],
    [t('cart.ticket'), shortened(ticket)],
    [t('mail.new_holder'), shortened(recipient)],
  ] as const;
  return {
    facts,
    ...valuesOf(facts, ''),
    content: {
      subject: aboutEvent(t, t('mail.transferred_heading'), name),
      heading: t('mail.transferred_heading'),
      blocks: [
        { kind: 'text', text: t('mail.transferred_text'), isIntro: true },
        { kind: 'facts', rows },
        { kind: 'text', text: t('mail.transferred_doubt') },
      ],
      codes: [],
      hasCalendar: false,
    },
    footer: t('mail.why_holder', { site: site.name }),
    replyTo: facts.organizerEmail,
  };
}

/** To the holder of a transferred ticket: notice of its cancellation; for a pass, about its next date. */
async function cancelledMail(
  context: Context,
  { attendee_id, mailbox, user_id, language }: MailRecord,
  origin: string,
): Promise<RenderedMail | undefined> {
  const { db, now } = context;
  const attendee = await findAttendee(db, attendee_id);
  if (attendee?.status !== 'trash' || (user_id === 0 && mailboxHash(attendee.email) !== mailbox)) return undefined;
  const dates = (await findPassAttendees(db, [attendee.pass_id])).get(attendee.pass_id ?? 0) ?? [];
  const utc = toUtc(now());
  const { event_id: id } = dates.find(({ ends, isTrashed }) => ends > utc && !isTrashed) ?? attendee;
  const facts = await readEventFacts(context, { id, origin, language });
  if (!facts || (facts.event.utc_end_date <= utc && user_id === 0)) return undefined;
  const { t, site, event } = facts;
  const heading = t('mail.place_cancelled_heading');
  return {
    facts,
    ...valuesOf(facts, attendee.full_name),
    content: {
      subject: aboutEvent(t, heading, shortened(event.title)),
      heading,
      blocks: [{ kind: 'text', text: t('mail.place_cancelled_text'), isIntro: true }, eventBlock(event, facts)],
      codes: [],
      hasCalendar: false,
    },
    footer: t('mail.why_holder', { site: site.name }),
    replyTo: facts.organizerEmail,
  };
}

/** To a person who replied: the RSVP, with the codes of a yes, and of companions who come without the reader. */
async function rsvpMail(context: Context, { kind }: MailRecord, facts: HolderFacts): Promise<RenderedMail> {
  const isYes = isAdmitted(facts.attendee);
  const rsvp = await findRsvp(context, facts.attendee);
  const codes = await codedTicketsOf(facts, rsvp);
  const tickets = codes.length === 0 ? undefined : () => readHeldTickets(facts, rsvp);
  return { ...rsvpContent(facts, { isYes, codes, isChanged: kind === 'rsvp_changed' }), papers: { tickets } };
}

export function rsvpContent(
  facts: ReaderFacts,
  { isYes, codes, isChanged }: { isYes: boolean; codes: readonly CodedTicket[]; isChanged: boolean },
): RenderedMail {
  const { t, site, event } = facts;
  const count = codes.length;
  const part = count === 0 ? 'no' : 'part';
  const answer = isYes ? 'yes' : part;
  const heading = t(`mail.rsvp_${answer}_heading`);
  const subject = aboutEvent(t, heading, shortened(event.title));
  const intro = answer === 'no' ? t('mail.rsvp_no_text') : t(`mail.rsvp_${answer}_text`, { count });
  const content: MailContent = {
    subject: isChanged ? t('mail.rsvp_changed_subject', { subject }) : subject,
    heading,
    blocks: [
      { kind: 'text', text: intro, isIntro: true },
      eventBlock(event, facts),
      ...codeBlocks({ tickets: codes, t }),
      { kind: 'button', label: t('mail.change_answer'), url: facts.ticketPage },
    ],
    codes: codes.slice(0, MAX_CODES),
    hasCalendar: answer !== 'no',
  };
  const footer = `${t('mail.keep_ticket')} ${t('mail.why_rsvp', { site: site.name })}`;
  return { facts, ...valuesOf(facts, facts.readerName), content, footer, replyTo: facts.organizerEmail };
}

/** The attendees of an RSVP whose holder is still the same. */
const findRsvp = ({ db }: Context, { id }: Attendee): Promise<Attendee[]> =>
  db.query
    .selectFrom('attendees')
    .selectAll()
    .where(sql<boolean>`(id = ${id} OR reply_id = ${id})`)
    .where('status', '=', 'publish')
    .where('attendance_status', '=', 'yes')
    .orderBy('id')
    .execute();

/** Reminder of the day before: time, place, and links to the tickets. */
async function reminderMail(
  context: Context,
  { to_email, user_id, record_id }: MailRecord,
  { facts, origin }: { facts: HolderFacts; origin: string },
): Promise<RenderedMail | undefined> {
  const { event, status, now } = facts;
  const isComing = status !== 'cancelled' && status !== 'postponed' && event.utc_start_date > toUtc(now);
  // For another start, there is another reminder.
  const isMoved = !(await findAnnouncement(context.db, record_id))?.key.endsWith(reminderStart(event.utc_start_date));
  if (user_id === 0 && (!isComing || isMoved || (await findOptedOut(context.db, [to_email])).length > 0))
    return undefined;
  return reminderContent(facts, unsubscribeUrl(context, { to: to_email, origin, link: facts.link }));
}

export function reminderContent(facts: ReaderFacts, unsubscribe: string): RenderedMail {
  const { t, site, event } = facts;
  const heading = t('mail.reminder_heading');
  return {
    facts,
    ...valuesOf(facts, facts.readerName),
    content: {
      subject: aboutEvent(t, heading, shortened(event.title)),
      heading,
      blocks: [
        { kind: 'text', text: t('mail.reminder_text'), isIntro: true },
        eventBlock(event, facts),
        ticketButton(facts),
      ],
      codes: [],
      hasCalendar: false,
    },
    footer: `${t('mail.keep_ticket')} ${t('mail.why_reminder', { site: site.name })}`,
    footerLink: { label: t('mail.unsubscribe'), url: unsubscribe },
    replyTo: facts.organizerEmail,
    unsubscribe,
  };
}

/** Address of the page that ends reminders. Its token is sealed, so that it reveals nothing. */
function unsubscribeUrl(
  { siteKey, random }: Context,
  { to, origin, link }: { to: string; origin: string; link: HolderFacts['link'] },
): string {
  const token = seal(optoutHash(to), { sealing: siteKey('unsubscribe') }, random);
  return link(`${origin}/unsubscribe/${Buffer.from(token, 'base64').toString('base64url')}/`);
}

const ticketButton = ({ t, ticketPage }: ReaderFacts): Block => ({
  kind: 'button',
  label: t('mail.open_ticket'),
  url: ticketPage,
});
