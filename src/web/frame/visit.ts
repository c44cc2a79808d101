import type { Config } from '../../base/config.ts';
import type { Context } from '../../base/context.ts';
import { type FormerAddress, findByFormerSlug } from '../../calendar/posts/former-slugs.ts';
import type { DataState } from '../../db/data-memory.ts';
import { stateOf } from '../../db/data-state.ts';
import type { AddressedKind } from '../../db/tables.ts';
import type { EndpointResponse } from '../../http/core/endpoint.ts';
import type { AskAs, Visitor } from '../../http/pipeline/ask.ts';
import type { SentParams } from '../../http/pipeline/call.ts';
import type { Submission, Submitted } from '../../http/pipeline/submit.ts';
import { type ShownDates, shownDates } from '../../lib/dates/date-shown.ts';
import { fromUtc, localDay, localToUtc, utcToLocal } from '../../lib/dates/dates.ts';
import { toUtc } from '../../lib/dates/local-time.ts';
import { dayAfter } from '../../lib/dates/month.ts';
import { type Translator, translatorFor } from '../../lib/i18n.ts';
import { RenderedJson } from '../../lib/rendered-json.ts';
import { seal, unseal } from '../../lib/seal.ts';
import type { KeyUse } from '../../lib/site-keys.ts';
import type { Site } from '../../platform/site/settings.ts';
import type { File } from './answer.ts';
import type { Responses } from './responses.ts';
import { siteNameOf } from './site-name.ts';

/**
 * Asks an endpoint in the language of the page; throws what the endpoint refuses. An answer that changes with time may
 * be shown until `freshUntil`, in milliseconds, at the latest; without it the page is kept nowhere.
 */
type Ask = <Name extends keyof Responses>(
  name: Name,
  params?: SentParams,
  headers?: Readonly<Record<string, string>>,
  freshUntil?: number,
) => Promise<Responses[Name]>;

/** The request for a page, and what all pages are made with. */
export interface Visit {
  ask: Ask;
  /** Asks an endpoint for an answer that is not JSON; undefined if it has only JSON for this visitor. */
  askFile(name: string, params: SentParams, headers: Readonly<Record<string, string>>): Promise<File | undefined>;
  /** What became of the record that had a slug before. */
  findFormer(kind: AddressedKind, slug: string): Promise<FormerAddress | undefined>;
  /** Sends the posted form of the visitor to an endpoint. */
  submit<Name extends keyof Responses>(name: Name, submission: Submission): Promise<Submitted<Responses[Name]>>;
  cookie(name: string): string | undefined;
  /**
   * Counts what takes long to make, under the limit for strangers.
   * @throws {ApiError} too-many-requests
   */
  countHeavyRead(): Promise<void>;
  /** Encrypts a text for a cookie. */
  seal(use: KeyUse, text: string): string;
  /** The text that was sealed for this use; undefined for anything else. */
  unseal(use: KeyUse, sealed: string): string | undefined;
  /** A key for a form that is to be carried out once. */
  newKey(): string;
  /** A moment in UTC on the clock of the site. */
  localTime(utc: string): string;
  config: Pick<Config, 'languages' | 'timezone' | 'currency' | 'currencySymbol' | 'mapTiles'> & { siteName: string };
  /** In the language of the page; undefined while the database cannot say it. */
  site: Site | undefined;
  /** Scheme, host and port as the visitor wrote them. */
  origin: string;
  language: string;
  method: 'GET' | 'POST';
  t: Translator;
  /** The path without the language, as it is written canonically where that is known. */
  path: string;
  query: URLSearchParams;
  now: Date;
  /** The day on the clock of the site, `2027-03-06`. */
  today: string;
  dates: ShownDates;
  /** An address of this site in the language of the page, from a path without a language or an absolute address. */
  link(path: string): string;
  /** Says until when, in milliseconds, the page may be shown to others while the calendar does not change. */
  limitFreshness(until: number): void;
  /** Undefined if something on the page changes otherwise. */
  freshUntil(): number | undefined;
  /** Whether anything on the page shows what sales and holds change. */
  showsSeats(): boolean;
  /**
   * Makes something without addresses from answers that stay as they are while the calendar does, once in each language,
   * and keeps it until the calendar changes.
   */
  once<T>(name: string, make: () => Promise<T>): Promise<T>;
}

/** Values kept for one state. */
const MAX_MADE = 1000;
/** What was made in a state of the calendar, by language and name. */
const MADE = new WeakMap<DataState, Map<string, unknown>>();

interface VisitOptions {
  askAs: AskAs;
  submitAs: (name: string, submission: Submission) => Promise<Submitted>;
  countHeavyRead: Visit['countHeavyRead'];
  cookie: Visit['cookie'];
  /** In the language of the visit. */
  site: Site | undefined;
  method: Visit['method'];
  visitor: Visitor;
  path: string;
  query: URLSearchParams;
}

export function createVisit(options: VisitOptions): Visit {
  const { askAs, submitAs, countHeavyRead, cookie, site, method, visitor, path, query } = options;
  const { context, language, origin } = visitor;
  const config = { ...context.config, siteName: siteNameOf(site, context) };
  const now = context.now();
  const today = localDay(toUtc(now), config.timezone);
  // Pages say dates as they are seen from today.
  let fresh: number | undefined = fromUtc(localToUtc(`${dayAfter(today)} 00:00:00`, config.timezone).utc).getTime();
  let showsSeats = false;
  const limitFreshness = (until: number | undefined) => {
    fresh = until === undefined || fresh === undefined ? undefined : Math.min(fresh, until);
  };
  return {
    ...{ config, site, origin, language, method, path, query, now, today, limitFreshness, cookie },
    countHeavyRead,
    newKey: () => context.random(KEY_BYTES).toString('base64url'),
    ...sealing(context),
    async ask<Name extends keyof Responses>(name: Name, params = {}, headers = {}, freshUntil?: number) {
      const reply = await askAs(withHeaders(visitor, headers), name, params);
      limitFreshness(reply.freshUntil ?? freshUntil);
      showsSeats ||= reply.showsSeats === true;
      return bodyOf(reply) as Responses[Name];
    },
    submit: (name, submission) => submitAs(name, submission) as Promise<Submitted<Responses[typeof name]>>,
    findFormer: (kind, slug) => findByFormerSlug(context.db, kind, slug),
    async askFile(name, params, headers) {
      const { raw } = await askAs(withHeaders(visitor, headers), name, params);
      return raw && { type: raw.type, body: raw.content };
    },
    localTime: (utc) => utcToLocal(utc, config.timezone),
    t: translatorFor(language),
    dates: shownDates(language, today),
    link: (target) =>
      `${languagePrefix(language, config)}${target.startsWith(origin) ? target.slice(origin.length) : target}`,
    freshUntil: () => fresh,
    showsSeats: () => showsSeats,
    async once<T>(name: string, make: () => Promise<T>) {
      // What an account sees in a preview is for nobody else.
      if (visitor.viewer) return make();
      const present = await stateOf(context.db);
      const made = MADE.get(present) ?? new Map<string, unknown>();
      MADE.set(present, made);
      const key = `${language} ${name}`;
      // The name says what is made.
      const value = (made.get(key) as T | undefined) ?? (await make());
      if (made.size < MAX_MADE) made.set(key, value);
      return value;
    },
  };
}

/** Bytes of a key of a form. */
const KEY_BYTES = 16;

/** Encryption under the keys of the site. */
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

/** The visitor with further headers, of lower-case names. */
const withHeaders = (visitor: Visitor, headers: Readonly<Record<string, string>>): Visitor => ({
  ...visitor,
  header: (name) => headers[name.toLowerCase()] ?? visitor.header?.(name),
});

const bodyOf = ({ body }: EndpointResponse): unknown => (body instanceof RenderedJson ? body.parse() : body);

/** What the addresses of a language begin with: nothing for the first language of the site. */
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

/** A query with its question mark, or nothing. */
export const queryText = (query: URLSearchParams): string => (query.size === 0 ? '' : `?${query}`);
