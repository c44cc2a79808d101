import type { Context } from '../../base/context.ts';
import { getCalendarId } from '../../db/site-settings.ts';
import type { Mail } from '../../platform/mails/outbox.ts';
import type { Message } from '../../platform/mails/smtp.ts';
import { getSite } from '../../platform/site/settings.ts';
import { findPayment } from '../../ticketing/ledger/payments.ts';
import { findRefund } from '../../ticketing/ledger/refunds.ts';
import type { RenderSample } from '../../ticketing/mails/mail-text-store.ts';
import { drawCode } from '../../ticketing/qr/picture.ts';
import { icalTicket } from '../feeds/ical.ts';
import { renderAnnouncement, renderAnnouncementMail } from './announcement-mails.ts';
import { renderHolderMail } from './holder-mails.ts';
import { htmlOf, textOf } from './mail-body.ts';
import { codeId, contentOf } from './mail-kinds.ts';
import { readOrderFacts } from './order-facts.ts';
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
 * @param origin address with which links begin
 * @returns undefined for a mail that no longer makes sense
 */
export async function renderTexts(context: Context, mail: MailRecord, origin: string): Promise<MailTexts | undefined> {
  const rendered = await renderContent(context, mail, origin);
  return rendered && textsOf(rendered);
}

/** Renders the texts of an announcement that is not made yet. */
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
    preview: content.subject,
    footer,
    ...(footerLink && { footerLink }),
    colors: site.colors,
  };
  return { subject: content.subject, text: textOf(body), html: htmlOf(body) };
}

async function renderContent(context: Context, mail: MailRecord, origin: string): Promise<RenderedMail | undefined> {
  const rendered = await renderUsual(context, mail, origin);
  return rendered && withOwnText(rendered, await findOwnText(context, mail.kind, rendered));
}

/** Renders a mail with the usual texts of its kind. */
async function renderUsual(context: Context, mail: MailRecord, origin: string): Promise<RenderedMail | undefined> {
  const { record_kind, record_id, kind, language } = mail;
  if (record_kind === 'sample') return sampleMail(context, kind, { event: record_id, language, origin });
  if (record_kind === 'attendee' || record_kind === 'transfer' || kind === 'reminder')
    return renderHolderMail(context, mail, origin);
  if (record_kind === 'announcement') return renderAnnouncementMail(context, mail, origin);
  return renderOrderMail(context, mail, origin);
}

async function renderOrderMail(context: Context, mail: MailRecord, origin: string): Promise<RenderedMail | undefined> {
  const { kind, record_kind, record_id } = mail;
  const refund = record_kind === 'refund' ? await findRefund(context.db, record_id) : undefined;
  const payment = record_kind === 'payment' ? await findPayment(context.db, record_id) : undefined;
  const id = record_kind === 'order' ? record_id : (refund ?? payment)?.order_id;
  const facts = id === undefined ? undefined : await readOrderFacts(context, { id, origin, language: mail.language });
  if (!facts || (kind === 'place_cancelled' && (await isToldByRefund(context, mail)))) return undefined;
  const content = contentOf(kind, facts, { isAskedFor: mail.user_id !== 0, refund });
  if (!content) return undefined;
  return orderMail(facts, content);
}

/** Whether a refund of the same moment, whose mail has the cancelled places too, is why they are cancelled. */
async function isToldByRefund({ db }: Context, { record_id, created_utc, user_id }: MailRecord): Promise<boolean> {
  if (user_id !== 0) return false;
  const refund = await db.query
    .selectFrom('refunds')
    .select('id')
    .where('order_id', '=', record_id)
    .where('created_utc', '=', created_utc)
    .executeTakeFirst();
  return refund !== undefined;
}

/** Renders a mail with its files, for the sender. */
export async function renderMail(context: Context, mail: Mail): Promise<Message | undefined> {
  const { config } = context;
  const rendered = await renderContent(context, mail, config.url ?? '');
  if (!rendered) return undefined;
  const { facts, content, replyTo, unsubscribe } = rendered;
  const pictures = await Promise.all(
    content.codes.map(async ({ content: code }, index) => ({
      name: `${codeId(index)}.png`,
      type: 'image/png',
      content: await drawCode(code, 'image/png'),
      cid: codeId(index),
    })),
  );
  return {
    to: mail.to_email,
    ...textsOf(rendered),
    senderName: facts.site.name,
    replyTo: replyTo || (config.mailReplyTo?.address ?? facts.site.contact.email),
    messageId: mail.message_id,
    ...(unsubscribe !== undefined && { unsubscribe }),
    files: [...pictures, ...(content.hasCalendar ? await calendarOf(context, facts, mail.record_id) : [])],
  };
}

/** A mail by which an operator sees that mails arrive, in English. */
export async function testMessage(
  context: Context,
  { to, messageId }: Pick<Message, 'to' | 'messageId'>,
): Promise<Message> {
  const { name, colors } = await getSite(context, 'en');
  const subject = `Test mail of ${name}`;
  const body = {
    ...{ language: 'en', siteName: name, heading: subject, preview: subject, colors },
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
