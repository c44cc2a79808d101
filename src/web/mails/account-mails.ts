import type { Context } from '../../base/context.ts';
import { isRole } from '../../http/core/auth.ts';
import { toUtc } from '../../lib/dates/local-time.ts';
import type { MessageKey } from '../../lib/i18n.ts';
import type { MailKind } from '../../lib/mail-kinds.ts';
import { displayedAccountName } from '../../lib/text/account-name.ts';
import { programOf } from '../../lib/text/program-of.ts';
import { mailedToken } from '../../platform/users/sign-in/mailed-links.ts';
import { hasSecondFactor } from '../../platform/users/sign-in/second-factor.ts';
import { signInUrl } from '../../platform/users/sign-in/sign-in-links.ts';
import { accountKey } from '../../platform/users/store.ts';
import {
  type AccountContent,
  type AccountFacts,
  type AccountMail,
  type AccountTexts,
  accountTexts,
  readAccountFacts,
} from './account-facts.ts';
import { alertContent } from './alert-mails.ts';
import type { Block } from './mail-body.ts';

/** Mails to accounts about signing in. They have no secret unless they are rendered to be sent. */

/**
 * Renders a mail to an account.
 * @param isSent whether it is rendered to be sent, and so has its link
 * @returns undefined for an outdated mail
 */
export async function renderAccountTexts(
  context: Context,
  mail: AccountMail,
  rendering: { origin: string; isSent: boolean },
): Promise<AccountTexts | undefined> {
  const facts = await readAccountFacts(context, mail, rendering);
  const content = facts && (await accountContent(mail.kind, facts));
  return content && accountTexts(facts, content);
}

/** Content of a mail to an account; undefined for an outdated one. */
async function accountContent(kind: MailKind, facts: AccountFacts): Promise<AccountContent | undefined> {
  switch (kind) {
    case 'invitation':
      return linkContent(facts, {
        ...{ subject: 'account_mail.invitation_subject', text: 'account_mail.invitation_text' },
        ...{ button: 'account_mail.invitation_button', why: 'account_mail.why_invited' },
      });
    case 'sign-in':
      return linkContent(facts, {
        ...{ subject: 'account_mail.sign_in_subject', text: 'account_mail.sign_in_text' },
        ...{ button: 'account_mail.sign_in_button', why: 'account_mail.why_asked' },
      });
    case 'password':
      return linkContent(facts, {
        ...{ subject: 'account_mail.password_subject', text: 'account_mail.password_text' },
        ...{ button: 'account_mail.password_button', why: 'account_mail.why_asked' },
      });
    case 'new-device':
      return deviceContent(facts);
    case 'factor-removed':
      return noticeContent(facts, 'account_mail.factor_subject', 'account_mail.factor_text');
    case 'password-changed':
      return noticeContent(facts, 'account_mail.changed_subject', 'account_mail.changed_text');
    case 'address-changed':
      return addressContent(facts);
    case 'alert-payments':
      return alertContent('payments', facts);
    case 'alert-jobs':
      return alertContent('jobs', facts);
    case 'alert-few-left':
      return alertContent('few-left', facts);
    case 'alert-sold-out':
      return alertContent('sold-out', facts);
    case 'alert-orders':
      return alertContent('orders', facts);
    default:
      return undefined;
  }
}

interface LinkTexts {
  subject: MessageKey;
  text: MessageKey;
  button: MessageKey;
  why: AccountContent['why'];
}

/** Mail with a link; undefined once the link is closed or the account has another address. */
async function linkContent(facts: AccountFacts, texts: LinkTexts): Promise<AccountContent | undefined> {
  const { context, mail, user, site, t, isSent, screen, time } = facts;
  const link = await context.db.query
    .selectFrom('sign_in_links')
    .selectAll()
    .where('id', '=', mail.record_id)
    .where('user_id', '=', user.id)
    .where('salt', '<>', '')
    .where('expires_utc', '>', toUtc(context.now()))
    .executeTakeFirst();
  if (!link || accountKey(mail.to_email) !== user.email_key) return undefined;
  const url = isSent
    ? signInUrl(new URL(screen('')).origin, { token: mailedToken(context.siteKey, link.salt), ...link })
    : screen('#sign-in=…');
  return {
    subject: t(texts.subject, { site: site.name }),
    blocks: [
      { kind: 'text', text: t(texts.text, { site: site.name }) },
      { kind: 'facts', rows: accountRows(facts) },
      { kind: 'button', label: t(texts.button), url },
      ...(hasSecondFactor(user) ? [{ kind: 'text', text: t('account_mail.code') } as const] : []),
      {
        kind: 'text',
        text: `${t('account_mail.until', { time: time(link.expires_utc) })} ${t('account_mail.only_here')}`,
        isQuiet: true,
      },
    ],
    why: texts.why,
  };
}

const accountRows = ({ user, t }: AccountFacts): [string, string][] => [
  [t('account_mail.name'), displayedAccountName(user.username)],
  ...(isRole(user.role) ? [[t('account_mail.role'), t(`account_mail.role.${user.role}`)] as [string, string]] : []),
];

/** Name of a program other than a browser, such as `curl`. A longer text could be a message to the reader. */
const PROGRAM = /^[A-Za-z][A-Za-z-]{1,19}(?=\/\d|$)/;

function deviceName(agent: string): string {
  const name = programOf(agent);
  return name === agent ? (PROGRAM.exec(agent)?.[0] ?? '—') : name;
}

async function deviceContent(facts: AccountFacts): Promise<AccountContent> {
  const { context, mail, site, t, time } = facts;
  // Absent if it has ended since.
  const session = await context.db.query
    .selectFrom('sessions')
    .select(['user_agent', 'address'])
    .where('id', '=', mail.record_id)
    .executeTakeFirst();
  const device: [string, string][] = session
    ? [
        [t('account_mail.device'), deviceName(session.user_agent)],
        [t('account_mail.network'), session.address],
      ]
    : [];
  return {
    subject: t('account_mail.device_subject', { site: site.name }),
    blocks: [
      { kind: 'text', text: t('account_mail.device_text') },
      { kind: 'facts', rows: [...nameRow(facts), ...device, [t('account_mail.time'), time(mail.created_utc)]] },
      ...ifNotYou(facts),
    ],
    why: 'account_mail.why',
  };
}

function noticeContent(facts: AccountFacts, subject: MessageKey, text: MessageKey): AccountContent {
  const { mail, site, t, time } = facts;
  return {
    subject: t(subject, { site: site.name }),
    blocks: [
      { kind: 'text', text: t(text) },
      { kind: 'facts', rows: [...nameRow(facts), [t('account_mail.time'), time(mail.created_utc)]] },
      ...ifNotYou(facts),
    ],
    why: 'account_mail.why',
  };
}

/** To the former address, whose reader may no longer be able to sign in. */
function addressContent(facts: AccountFacts): AccountContent {
  const { mail, site, t, time } = facts;
  return {
    subject: t('account_mail.address_subject', { site: site.name }),
    blocks: [
      { kind: 'text', text: t('account_mail.address_text') },
      { kind: 'facts', rows: [...nameRow(facts), [t('account_mail.time'), time(mail.created_utc)]] },
      { kind: 'text', text: t('account_mail.if_not_your_address') },
    ],
    why: 'account_mail.why_former',
  };
}

const nameRow = (facts: AccountFacts): [string, string][] => accountRows(facts).slice(0, 1);

const ifNotYou = ({ t, screen }: AccountFacts): Block[] => [
  { kind: 'text', text: t('account_mail.if_not_you') },
  { kind: 'button', label: t('account_mail.open_account'), url: screen('account') },
];
