import type { Context } from '../../base/context.ts';
import { type MailKind, WORDED_MAIL_KINDS } from '../../lib/mail-kinds.ts';
import { findMailText, type OwnText } from '../../ticketing/mails/mail-text-store.ts';
import { fillIn, type MailValues } from '../../ticketing/mails/placeholders.ts';
import { paragraphs } from './announcement-mails.ts';
import type { Block } from './mail-body.ts';
import { line, shortened } from './order-mails.ts';
import type { RenderedMail } from './rendered-mail.ts';

/** Own texts of organizers in a mail, in place of its default subject and introduction. */

/** The text for a mail: of its event, or else of the site. */
export async function findOwnText(
  { db }: Context,
  kind: MailKind,
  { facts, eventIds }: RenderedMail,
): Promise<OwnText | undefined> {
  const worded = WORDED_MAIL_KINDS.find((one) => one === kind);
  // A mail about several events has the text of the site.
  const event = eventIds.length === 1 ? (eventIds[0] ?? 0) : 0;
  return worded && findMailText(db, { kind: worded, language: facts.language, event });
}

const shortValues = (values: MailValues): MailValues =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shortened(value ?? '')]));

/** Replaces the texts of a mail; for an empty one, the default stays. */
export function withOwnText(rendered: RenderedMail, own: OwnText | undefined): RenderedMail {
  if (!own) return rendered;
  const { content, isSubjectFixed = false } = rendered;
  const values = shortValues(rendered.values);
  // Placeholders without a value may leave an empty text.
  const filled = line(fillIn(own.subject, values)).trim();
  const subject = isSubjectFixed || filled === '' ? content.subject : filled;
  return {
    ...rendered,
    content: { ...content, subject, blocks: introduced(content.blocks, fillIn(own.introduction, values)) },
  };
}

/** The blocks with another introduction, which comes first in mails that have none. */
function introduced(blocks: readonly Block[], text: string): readonly Block[] {
  if (text === '') return blocks;
  const own = paragraphs(text);
  const at = blocks.findIndex((block) => block.kind === 'text' && block.isIntro === true);
  return at < 0 ? [...own, ...blocks] : [...blocks.slice(0, at), ...own, ...blocks.slice(at + 1)];
}
