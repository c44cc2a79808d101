import type { Context } from '../../base/context.ts';
import { getCalendarId } from '../../db/site-settings.ts';
import type { Mail } from '../../platform/mails/outbox.ts';
import type { Message } from '../../platform/mails/smtp.ts';
import { getSite, type Site } from '../../platform/site/settings.ts';
import { findRefund } from '../../ticketing/ledger/refunds.ts';
import { drawCode } from '../../ticketing/qr/picture.ts';
import { icalTicket } from '../feeds/ical.ts';
import { papersOf } from '../paper/mail-papers.ts';
import { renderAccountTexts } from './account-mails.ts';
import { htmlOf, textOf } from './mail-body.ts';
import { codeId, contentOf, type MailContent } from './mail-kinds.ts';
import { renderMyTickets } from './my-tickets-mail.ts';
import { type OrderFacts, readOrderFacts } from './order-facts.ts';

type MailRecord = Omit<Mail, 'key' | 'due_utc'>;

/** Texts of a mail, without its files. */
interface MailTexts {
  subject: string;
  text: string;
  html: string;
}

interface OfOrder extends MailTexts {
  facts: OrderFacts;
  content: MailContent;
}

interface Rendered extends MailTexts {
  site: Site;
}

/**
 * Renders a mail from its record, as it is now.
 * @param origin address with which links begin
 * @returns undefined for a mail that no longer makes sense
 */
export async function renderTexts(context: Context, mail: MailRecord, origin: string): Promise<Rendered | undefined> {
  if (mail.account_id !== 0) return renderAccountTexts(context, mail, { origin, isSent: false });
  if (mail.kind === 'my_tickets') return renderMyTickets(context, mail, origin);
  const rendered = await renderOfOrder(context, mail, origin);
  return rendered && { ...rendered, site: rendered.facts.site };
}

async function renderOfOrder(context: Context, mail: MailRecord, origin: string): Promise<OfOrder | undefined> {
  const refund = mail.record_kind === 'refund' ? await findRefund(context.db, mail.record_id) : undefined;
  const id = mail.record_kind === 'refund' ? refund?.order_id : mail.record_id;
  const facts = id === undefined ? undefined : await readOrderFacts(context, { id, origin, language: mail.language });
  if (!facts) return undefined;
  const content = contentOf(mail.kind, facts, { isAskedFor: mail.user_id !== 0, refund });
  if (!content) return undefined;
  const { t, site, language } = facts;
  const body = {
    ...{ language, siteName: site.name, heading: content.heading, blocks: content.blocks },
    preview: content.subject,
    footer: `${t('mail.keep')} ${t('mail.why', { site: site.name })}`,
    colors: site.colors,
  };
  return { facts, content, subject: content.subject, text: textOf(body), html: htmlOf(body) };
}

/** Renders a mail with its files, for the sender. */
export async function renderMail(context: Context, mail: Mail): Promise<Message | undefined> {
  const { config } = context;
  if (mail.account_id !== 0) return renderAccountMail(context, mail);
  const origin = config.url ?? '';
  const ofOrder = mail.kind === 'my_tickets' ? undefined : await renderOfOrder(context, mail, origin);
  const rendered = ofOrder ? { ...ofOrder, site: ofOrder.facts.site } : await renderTexts(context, mail, origin);
  if (!rendered) return undefined;
  const { site, subject, text, html } = rendered;
  return {
    to: mail.to_email,
    ...{ subject, text, html },
    senderName: site.name,
    replyTo: config.mailReplyTo?.address ?? site.contact.email,
    messageId: mail.message_id,
    files: ofOrder ? await filesOf(context, mail, ofOrder) : [],
  };
}

/** Pictures of the codes, the calendar, and the documents. */
async function filesOf(context: Context, mail: Mail, { facts, content }: OfOrder): Promise<Message['files']> {
  const pictures = await Promise.all(
    content.codes.map(async ({ content: code }, index) => ({
      name: `${codeId(index)}.png`,
      type: 'image/png',
      content: await drawCode(code, 'image/png'),
      cid: codeId(index),
    })),
  );
  return [
    ...pictures,
    ...(content.hasCalendar ? await calendarOf(context, facts) : []),
    ...(await papersOf(context, {
      ...{ facts, orderId: facts.order.id, hasTickets: content.codes.length > 0 },
      invoice: mail.kind === 'refund' ? 'credit' : 'invoice',
    })),
  ];
}

async function renderAccountMail(context: Context, mail: Mail): Promise<Message | undefined> {
  const { config } = context;
  const rendered = await renderAccountTexts(context, mail, { origin: config.url ?? '', isSent: true });
  if (!rendered) return undefined;
  const { site, ...texts } = rendered;
  const replyTo = config.mailReplyTo?.address ?? site.contact.email;
  return { to: mail.to_email, ...texts, senderName: site.name, replyTo, messageId: mail.message_id, files: [] };
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
async function calendarOf({ db }: Context, facts: OrderFacts): Promise<Message['files']> {
  const { events, language, link, t } = facts;
  if (events.length === 0) return [];
  const content = await icalTicket({
    events: events.map((event) => ({ event, url: link(event.url) })),
    attendee: { id: facts.order.id, title: '', ticket: { title: t('order.tickets') }, modified_utc: '' },
    calendarId: await getCalendarId(db),
    language,
  });
  return [{ name: 'events.ics', type: 'text/calendar; charset=utf-8; method=PUBLISH', content }];
}
