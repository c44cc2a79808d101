import type { Config } from '../../base/config.ts';
import type { Context } from '../../base/context.ts';
import { type FormerSlugTarget, findByFormerSlug } from '../../calendar/posts/former-slugs.ts';
import { currentCache } from '../../db/current-cache.ts';
import type { CachedData } from '../../db/data-cache.ts';
import type { AddressedKind } from '../../db/tables/calendar.ts';
import type { AskAs, SentParams, Visitor } from '../../http/pipeline/call.ts';
import type { Submission, Submitted } from '../../http/pipeline/submit.ts';
import { type DateFormats, dateFormats } from '../../lib/dates/date-format.ts';
import { fromUtc, localDay, localToUtc, utcToLocal, zoneAbbreviation } from '../../lib/dates/dates.ts';
import { toUtc } from '../../lib/dates/local-time.ts';
import { addDaysToDay } from '../../lib/dates/month.ts';
import { type Translator, translatorFor } from '../../lib/i18n.ts';
import { parsed } from '../../lib/rendered-json.ts';
import { seal, unseal } from '../../lib/seal.ts';
import type { KeyUse } from '../../lib/site-keys.ts';
import { findFormerFile, findFormerImagePage } from '../../platform/media/former-files.ts';
import type { Site } from '../../platform/site/settings.ts';
import type { File } from './page-response.ts';
import type { Responses } from './responses.ts';
import { siteNameOf } from './site-name.ts';

/**
 * Calls an endpoint in the language of the page; throws its refusals. A response that changes with time limits the page
 * to its `freshUntil`, in milliseconds; without `freshUntil` the page is not cached.
 */
type Ask = <Name extends keyof Responses>(
  name: Name,
  params?: SentParams,
  headers?: Readonly<Record<string, string>>,
  freshUntil?: number,
) => Promise<Responses[Name]>;

/** Request for a page, with everything needed to render it. */
export interface Visit {
  ask: Ask;
  /** Calls an endpoint for a response other than JSON, with its name; undefined if this visitor only gets JSON. */
  askFile(name: string, params: SentParams, headers: Readonly<Record<string, string>>): Promise<File | undefined>;
  /** Finds the record that used a slug before. */
  findFormer(kind: AddressedKind, slug: string): Promise<FormerSlugTarget | undefined>;
  /** Path of an image, found by the path of its file or the slug of its page at an imported site. */
  findFormerImage(at: { file: string } | { slug: string }): Promise<string | undefined>;
  /** Submits a form of the visitor to the interface. */
  submit<Name extends keyof Responses>(name: Name, submission: Submission): Promise<Submitted<Responses[Name]>>;
  cookie(name: string): string | undefined;
  /** True if the browser sent any cookie. */
  hasCookies: boolean;
  /**
   * Counts an expensive request under the limit for visitors.
   * @throws {ApiError} too-many-requests
   */
  countHeavyRead(): Promise<void>;
  /** Encrypts a text for a cookie. */
  seal(use: KeyUse, text: string): string;
  /** Decrypts a text sealed for this use; undefined for anything else. */
  unseal(use: KeyUse, sealed: string): string | undefined;
  /** Key for a form that must be submitted only once. */
  newKey(): string;
  /** UTC time in the time zone of the site. */
  localTime(utc: string): string;
  /** Abbreviation of the time zone of the site at a UTC time, beside times that visitors elsewhere may misread. */
  zoneAt(utc: string): string;
  config: Pick<Config, 'languages' | 'timezone' | 'currency' | 'currencySymbol' | 'mapTiles'> & { siteName: string };
  /** True if this site sends mails. */
  canMail: boolean;
  /** Wallets that this site makes tickets for. */
  wallets: { apple: boolean; google: boolean };
  /** In the language of the page; undefined while the database is unavailable. */
  site: Site | undefined;
  /** Scheme, host and port as the visitor sent them. */
  origin: string;
  language: string;
  method: 'GET' | 'POST';
  t: Translator;
  /** Path without the language, in canonical form if it is known. */
  path: string;
  query: URLSearchParams;
  now: Date;
  /** Today in the time zone of the site, such as `2027-03-06`. */
  today: string;
  dates: DateFormats;
  /** Address on this site in the language of the page, from a path without a language or an absolute address. */
  link(path: string): string;
  /** Limits, in milliseconds, the period in which others may see the page while the calendar does not change. */
  limitFreshness(until: number): void;
  /** End of this period; undefined if the page depends on more than the calendar. */
  freshUntil(): number | undefined;
  /** True if the page depends on sales and holds. */
  showsSeats(): boolean;
  /** Caches a URL-free value per language until the calendar changes. */
  once<T>(name: string, make: () => Promise<T>): Promise<T>;
}

/** Words and formats of a page, a mail or paper. */
export type Wording = Pick<Visit, 't' | 'dates' | 'language' | 'config' | 'localTime' | 'zoneAt'>;

interface WordingOptions {
  language: string;
  now: Date;
  siteName: string;
}

/** Words and formats in a language of the site, and today there. */
export function wordingIn(
  { config }: Pick<Context, 'config'>,
  { language, now, siteName }: WordingOptions,
): Wording & Pick<Visit, 'today'> {
  const { timezone } = config;
  const today = localDay(toUtc(now), timezone);
  return {
    ...{ language, today },
    t: translatorFor(language),
    dates: dateFormats(language, today),
    config: { ...config, siteName },
    localTime: (utc) => utcToLocal(utc, timezone),
    zoneAt: (utc) => zoneAbbreviation(utc, timezone),
  };
}

/** Maximum number of cached values per state. */
const MAX_MADE = 1000;
/** Cached values by language and name, per state of the calendar. */
const MADE = new WeakMap<CachedData, Map<string, unknown>>();

/** Value of a name, computed once per state of the calendar. */
async function madeOnce<T>(context: Context, name: string, make: () => Promise<T>): Promise<T> {
  const present = await currentCache(context);
  const made = MADE.get(present) ?? new Map<string, unknown>();
  MADE.set(present, made);
  // The name determines the type.
  const value = (made.get(name) as T | undefined) ?? (await make());
  if (made.size < MAX_MADE) made.set(name, value);
  return value;
}

interface VisitOptions {
  askAs: AskAs;
  submitAs: (name: string, submission: Submission) => Promise<Submitted>;
  countHeavyRead: Visit['countHeavyRead'];
  cookie: Visit['cookie'];
  hasCookies: boolean;
  /** In the language of the visit. */
  site: Site | undefined;
  method: Visit['method'];
  visitor: Visitor;
  path: string;
  query: URLSearchParams;
}

export function createVisit(options: VisitOptions): Visit {
  const { askAs, submitAs, countHeavyRead, cookie, hasCookies, site, method, visitor, path, query } = options;
  const { context, language, origin } = visitor;
  const { config } = context;
  const now = context.now();
  const wording = wordingIn(context, { language, now, siteName: siteNameOf(site, context) });
  const { today } = wording;
  // Dates on pages are relative to today.
  let fresh: number | undefined = fromUtc(localToUtc(`${addDaysToDay(today)} 00:00:00`, config.timezone).utc).getTime();
  let showsSeats = false;
  const limitFreshness = (until: number | undefined) => {
    fresh = until === undefined || fresh === undefined ? undefined : Math.min(fresh, until);
  };
  return {
    ...wording,
    ...{ site, origin, method, path, query, now, limitFreshness, cookie, hasCookies },
    countHeavyRead,
    canMail: context.config.smtp !== undefined,
    wallets: { apple: config.applePass !== undefined, google: config.googleWallet !== undefined },
    newKey: () => context.random(KEY_BYTES).toString('base64url'),
    ...sealing(context),
    async ask<Name extends keyof Responses>(name: Name, params = {}, headers = {}, freshUntil?: number) {
      const response = await askAs(withHeaders(visitor, headers), name, params);
      limitFreshness(response.freshUntil ?? freshUntil);
      showsSeats ||= response.showsSeats === true;
      return parsed(response.body) as Responses[Name];
    },
    submit: (name, submission) => submitAs(name, submission) as Promise<Submitted<Responses[typeof name]>>,
    findFormer: (kind, slug) => findByFormerSlug(context.db, kind, slug),
    findFormerImage: (at) =>
      'file' in at ? findFormerFile(context.db, at.file) : findFormerImagePage(context.db, at.slug),
    async askFile(name, params, headers) {
      const { raw, headers: sent = {} } = await askAs(withHeaders(visitor, headers), name, params);
      const fileName = sent['Content-Disposition'];
      if (!raw) return undefined;
      return {
        ...{ type: raw.type, body: raw.content },
        ...(fileName !== undefined && { headers: { 'Content-Disposition': String(fileName) } }),
      };
    },
    link: (target) =>
      `${languagePrefix(language, config)}${target.startsWith(origin) ? target.slice(origin.length) : target}`,
    freshUntil: () => fresh,
    showsSeats: () => showsSeats,
    // A preview is for its account alone.
    once: (name, make) => (visitor.viewer ? make() : madeOnce(context, `${language} ${name}`, make)),
  };
}

/** Bytes of a form key. */
const KEY_BYTES = 16;

/** Encryption with the keys of the site. */
function sealing({ siteKey, random }: Context): Pick<Visit, 'seal' | 'unseal'> {
  return {
    seal: (use, text) => seal(text, { sealing: siteKey(use) }, random),
    unseal(use, sealed) {
      try {
        return unseal(sealed, { sealing: siteKey(use) });
      } catch {
        return undefined;
      }
    },
  };
}

/** Visitor with additional headers; names are in lower case. */
const withHeaders = (visitor: Visitor, headers: Readonly<Record<string, string>>): Visitor => ({
  ...visitor,
  header: (name) => headers[name.toLowerCase()] ?? visitor.header?.(name),
});

/** Prefix of addresses in a language; empty for the first language of the site. */
export const languagePrefix = (language: string, { languages }: Pick<Config, 'languages'>): string =>
  language === languages[0] ? '' : `/${language.toLowerCase()}`;

/** Splits a path into its language and the path without it. */
export function splitLanguage(
  pathname: string,
  { languages }: Pick<Config, 'languages'>,
): { language: string; path: string } {
  const [, first = ''] = pathname.split('/', 2);
  const language = languages.slice(1).find((known) => known.toLowerCase() === first.toLowerCase());
  if (language === undefined) return { language: languages[0] ?? 'en', path: pathname };
  return { language, path: pathname.slice(first.length + 1) || '/' };
}

/** Query with its question mark; empty without parameters. */
export const queryText = (query: URLSearchParams): string => (query.size === 0 ? '' : `?${query}`);
