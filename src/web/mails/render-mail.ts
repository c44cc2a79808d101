import type { Context } from '../../base/context.ts';
import { getCalendarId } from '../../db/site-settings.ts';
import type { InvoicesTable } from '../../db/tables/price.ts';
import type { MailKind } from '../../lib/mail-kinds.ts';
import type { Mail } from '../../platform/mails/outbox.ts';
import type { Message } from '../../platform/mails/smtp.ts';
import { getSite, type Site } from '../../platform/site/settings.ts';
import { findPayment } from '../../ticketing/ledger/payments.ts';
import { findRefund } from '../../ticketing/ledger/refunds.ts';
import type { RenderSample } from '../../ticketing/mails/mail-text-store.ts';
import { drawCode } from '../../ticketing/qr/picture.ts';
import { icalTicket } from '../feeds/ical.ts';
import { papersOf, type WantedPapers } from '../paper/mail-papers.ts';
import { renderAccountTexts } from './account-mails.ts';
import { renderAnnouncement, renderAnnouncementMail } from './announcement-mails.ts';
import { findCancelledStep, isToldByRefund } from './cancelled-places.ts';
import { renderHolderMail } from './holder-mails.ts';
import { htmlOf, textOf } from './mail-body.ts';
import { renderMyTickets } from './my-tickets-mail.ts';
import { readOrderFacts } from './order-facts.ts';
import { codeId, orderMailContent } from './order-mails.ts';
import { findOwnText, withOwnText } from './own-text.ts';
import type { MailRecord, RenderedMail } from './rendered-mail.ts';
import { orderMail, sampleMail } from './sample-mail.ts';

/** Texts of a mail, without its files. */
interface MailTexts {
  subject: string;
  text: string;
  html: string;
}

/**
 * Renders a mail from its record, as it is now.
 * @param origin origin of the links
 * @returns undefined for an outdated mail
 */
export async function renderTexts(context: Context, mail: MailRecord, origin: string): Promise<MailTexts | undefined> {
  const rendered = await renderListing(context, mail, { origin, isSent: false });
  if (rendered !== 'other') return rendered;
  const content = await renderContent(context, mail, origin);
  return content && textsOf(content);
}

/** Renders the mails that have no text of their own: those to accounts, and lists of tickets. */
async function renderListing(
  context: Context,
  mail: MailRecord,
  { origin, isSent }: { origin: string; isSent: boolean },
): Promise<(MailTexts & { site: Site }) | undefined | 'other'> {
  if (mail.account_id !== 0) return renderAccountTexts(context, mail, { origin, isSent });
  return mail.kind === 'my_tickets' ? renderMyTickets(context, mail, origin) : 'other';
}

/** Renders the texts of an announcement before it is sent. */
export async function renderAnnouncementTexts(...asked: Parameters<typeof renderAnnouncement>) {
  const [context, { kind }] = asked;
  const rendered = await renderAnnouncement(...asked);
  return rendered && textsOf(withOwnText(rendered, await findOwnText(context, kind, rendered)));
}

/** Renders a mail of a kind about a sample, with texts that are not stored. */
export const renderSample: RenderSample = async (context, kind, { own, ...options }) =>
  textsOf(withOwnText(await sampleMail(context, kind, options), own));

function textsOf({ facts, content, footer, footerLink }: RenderedMail): MailTexts {
  const { site, language } = facts;
  const body = {
    ...{ language, siteName: site.name, heading: content.heading, blocks: content.blocks },
    footer,
    ...(footerLink && { footerLink }),
    colors: site.colors,
  };
  return { subject: content.subject, text: textOf(body), html: htmlOf(body) };
}

async function renderContent(context: Context, mail: MailRecord, origin: string): Promise<RenderedMail | undefined> {
  const rendered = await renderUsual(context, mail, origin);
  // The own text about a cancellation is for the customer of the order.
  if (mail.kind === 'place_cancelled' && mail.record_kind === 'attendee') return rendered;
  return rendered && withOwnText(rendered, await findOwnText(context, mail.kind, rendered));
}

/** Renders a mail with the default texts of its kind. */
async function renderUsual(context: Context, mail: MailRecord, origin: string): Promise<RenderedMail | undefined> {
  const { record_kind, record_id, kind, language } = mail;
  if (record_kind === 'sample') return sampleMail(context, kind, { event: record_id, language, origin });
  if (record_kind === 'attendee' || record_kind === 'transfer' || kind === 'reminder')
    return renderHolderMail(context, mail, origin);
  if (record_kind === 'announcement') return renderAnnouncementMail(context, mail, origin);
  return renderOrderMail(context, mail, origin);
}

/** Documents attached to mails about an order. */
const INVOICES: Partial<Record<MailKind, InvoicesTable['kind']>> = {
  order: 'invoice',
  tickets: 'invoice',
  refund: 'credit',
};

async function renderOrderMail(context: Context, mail: MailRecord, origin: string): Promise<RenderedMail | undefined> {
  const { kind, record_kind, record_id } = mail;
  const refund = record_kind === 'refund' ? await findRefund(context.db, record_id) : undefined;
  const payment = record_kind === 'payment' ? await findPayment(context.db, record_id) : undefined;
  const id = record_kind === 'order' ? record_id : (refund ?? payment)?.order_id;
  const facts = id === undefined ? undefined : await readOrderFacts(context, { id, origin, language: mail.language });
  if (!facts) return undefined;
  const step = kind === 'place_cancelled' ? await findCancelledStep(context, mail) : undefined;
  if (step && (await isToldByRefund(context, mail, step))) return undefined;
  const content = orderMailContent(kind, facts, { isAskedFor: mail.user_id !== 0, refund, cancelled: step?.attendees });
  if (!content) return undefined;
  const invoice = INVOICES[kind];
  const papers: WantedPapers = {
    tickets: content.codes.length > 0 ? async () => facts : undefined,
    invoice: invoice && { order: facts.order.id, kind: invoice, siteName: facts.site.name },
  };
  return { ...orderMail(facts, content), papers };
}

/** Renders a mail with its files, for the sender. */
export async function renderMail(context: Context, mail: Mail): Promise<Message | undefined> {
  const { config } = context;
  const origin = config.url ?? '';
  const message = (site: Site, texts: MailTexts) => ({
    to: mail.to_email,
    ...{ subject: texts.subject, text: texts.text, html: texts.html },
    senderName: site.name,
    replyTo: config.mailReplyTo?.address ?? site.contact.email,
    messageId: mail.message_id,
    files: [],
  });
  const listing = await renderListing(context, mail, { origin, isSent: true });
  if (listing !== 'other') return listing && message(listing.site, listing);
  const rendered = await renderContent(context, mail, origin);
  if (!rendered) return undefined;
  const { facts, replyTo, unsubscribe } = rendered;
  return {
    ...message(facts.site, textsOf(rendered)),
    ...(replyTo && { replyTo }),
    ...(unsubscribe !== undefined && { unsubscribe }),
    files: await filesOf(context, mail, rendered),
  };
}

/** Pictures of the codes, the calendar, and the documents. */
async function filesOf(
  context: Context,
  { record_id }: Mail,
  { facts, content, papers }: RenderedMail,
): Promise<Message['files']> {
  const pictures = await Promise.all(
    content.codes.map(async ({ content: code }, index) => ({
      name: `${codeId(index)}.png`,
      type: 'image/png',
      content: await drawCode(code, 'image/png'),
      cid: codeId(index),
    })),
  );
  const calendar = content.hasCalendar ? await calendarOf(context, facts, record_id) : [];
  return [...pictures, ...calendar, ...(papers ? await papersOf(context, papers) : [])];
}

/** A test mail for operators, in English. */
export async function testMessage(
  context: Context,
  { to, messageId }: Pick<Message, 'to' | 'messageId'>,
): Promise<Message> {
  const { name, colors } = await getSite(context, 'en');
  const subject = `Test mail of ${name}`;
  const body = {
    ...{ language: 'en', siteName: name, heading: subject, colors },
    blocks: [{ kind: 'text', text: 'Mails of this site arrive.' }] as const,
    footer: `Sent by "marquee mail test" for ${context.config.url}.`,
  };
  return { to, subject, text: textOf(body), html: htmlOf(body), senderName: name, replyTo: '', messageId, files: [] };
}

/** The events for the calendar of the customer. It may be shared, so it names neither order nor ticket codes. */
async function calendarOf({ db }: Context, facts: RenderedMail['facts'], id: number): Promise<Message['files']> {
  const { events, language, link, t } = facts;
  if (events.length === 0) return [];
  const content = await icalTicket({
    events: events.map((event) => ({ event, url: link(event.url) })),
    attendee: { id, title: '', ticket: { title: t('order.tickets') }, modified_utc: '' },
    calendarId: await getCalendarId(db),
    language,
  });
  return [{ name: 'events.ics', type: 'text/calendar; charset=utf-8; method=PUBLISH', content }];
}
