import type { Config } from '../../config.ts';
import type { DataState } from '../../db/data-memory.ts';
import type { AskAs, AskedParams, Visitor } from '../../http/ask.ts';
import type { Reply } from '../../http/endpoint.ts';
import { type ShownDates, shownDates } from '../../lib/date-shown.ts';
import { fromUtc, localDay, localToUtc, toUtc } from '../../lib/dates.ts';
import { type Translator, translatorFor } from '../../lib/i18n.ts';
import { dayAfter } from '../../lib/month.ts';
import { RenderedJson } from '../../lib/rendered-json.ts';
import type { Bodies } from './bodies.ts';

/**
 * Asks an endpoint in the language of the page; throws what the endpoint refuses. An answer that changes with time may
 * be shown until `freshUntil`, in milliseconds, at the latest; without it the page is kept nowhere.
 */
export type Ask = <Name extends keyof Bodies>(
  name: Name,
  params?: AskedParams,
  freshUntil?: number,
) => Promise<Bodies[Name]>;

/** The request for a page, and what all pages are made with. */
export interface Visit {
  ask: Ask;
  config: Pick<Config, 'languages' | 'timezone'> & { siteName: string };
  /** Scheme, host and port as the visitor wrote them. */
  origin: string;
  language: string;
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
  config: Visit['config'];
  visitor: Visitor;
  now: Date;
  path: string;
  query: URLSearchParams;
  /** The present state of the calendar. */
  state: () => Promise<DataState>;
}

export function createVisit({ askAs, config, visitor, now, path, query, state }: VisitOptions): Visit {
  const { language, origin } = visitor;
  const today = localDay(toUtc(now), config.timezone);
  // Pages say dates as they are seen from today.
  let fresh: number | undefined = fromUtc(localToUtc(`${dayAfter(today)} 00:00:00`, config.timezone).utc).getTime();
  const limitFreshness = (until: number | undefined) => {
    fresh = until === undefined || fresh === undefined ? undefined : Math.min(fresh, until);
  };
  return {
    ...{ config, origin, language, path, query, now, today, limitFreshness },
    async ask(name, params = {}, freshUntil = undefined) {
      const reply = await askAs(visitor, name, params);
      limitFreshness(reply.freshUntil ?? freshUntil);
      return bodyOf(reply);
    },
    t: translatorFor(language),
    dates: shownDates(language, today),
    link: (target) =>
      `${languagePrefix(language, config)}${target.startsWith(origin) ? target.slice(origin.length) : target}`,
    freshUntil: () => fresh,
    async once<T>(name: string, make: () => Promise<T>) {
      const present = await state();
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

/** The type of a body is that of its endpoint. */
const bodyOf = ({ body }: Reply) => (body instanceof RenderedJson ? body.parse() : body) as never;

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
