import type { Context } from '../../base/context.ts';
import type { LocalTime } from '../../lib/dates/local-time.ts';
import type { Translator } from '../../lib/i18n.ts';
import type { Mail } from '../../platform/mails/outbox.ts';
import { getSite, type Site } from '../../platform/site/settings.ts';
import { findUser, type UserRow } from '../../platform/users/store.ts';
import { wordingIn } from '../frame/visit.ts';
import { type Block, htmlOf, textOf } from './mail-body.ts';

/** Frame of mails to accounts. */

export type AccountMail = Pick<
  Mail,
  'kind' | 'language' | 'record_kind' | 'record_id' | 'account_id' | 'to_email' | 'created_utc'
>;

export interface AccountTexts {
  subject: string;
  text: string;
  html: string;
  site: Site;
}

/** Facts for the contents of a mail. */
export interface AccountFacts {
  context: Context;
  mail: AccountMail;
  user: UserRow;
  site: Site;
  t: Translator;
  language: string;
  /** Address of a screen of the console, such as `account`. */
  screen(path: string): string;
  /** A time in the zone of the site. */
  time(utc: LocalTime): string;
  /** Day and time of an event, in its own zone. */
  day(local: LocalTime): string;
  /** Whether the links that sign in are shown. */
  isSent: boolean;
}

export interface AccountContent {
  subject: string;
  /** The subject by default. */
  heading?: string;
  blocks: readonly Block[];
  /** Key of the message that says why the reader gets it. */
  why:
    | 'account_mail.why'
    | 'account_mail.why_asked'
    | 'account_mail.why_former'
    | 'account_mail.why_invited'
    | 'alert.why';
}

/** @returns undefined for a deleted account */
export async function readAccountFacts(
  context: Context,
  mail: AccountMail,
  { origin, isSent }: { origin: string; isSent: boolean },
): Promise<AccountFacts | undefined> {
  const { config, db, now } = context;
  const user = await findUser(db, mail.account_id);
  if (!user) return undefined;
  const language = mail.language || (config.languages[0] ?? 'en');
  const site = await getSite(context, language);
  const { t, dates, localTime, zoneAt } = wordingIn(context, { language, now: now(), siteName: site.name });
  return {
    ...{ context, mail, user, language, isSent, site, t },
    screen: (path) => `${origin}/console/${path}`,
    day: (local) => `${dates.day(local)}, ${dates.time(local)}`,
    time(utc) {
      const local = localTime(utc);
      return `${dates.day(local)}, ${dates.time(local)} ${zoneAt(utc)}`;
    },
  };
}

export function accountTexts(
  { site, t, language }: AccountFacts,
  { subject, heading = subject, blocks, why }: AccountContent,
): AccountTexts {
  const body = {
    ...{ language, siteName: site.name, heading, blocks, colors: site.colors },
    footer: t(why, { site: site.name }),
  };
  return { subject, text: textOf(body), html: htmlOf(body), site };
}
