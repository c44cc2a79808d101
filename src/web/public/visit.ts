import type { Config } from '../../config.ts';
import type { AskAs, AskedParams, Visitor } from '../../http/ask.ts';
import { ANY_TIME, type Reply } from '../../http/endpoint.ts';
import { type ShownDates, shownDates } from '../../lib/date-shown.ts';
import { localDay, toUtc } from '../../lib/dates.ts';
import { type Translator, translatorFor } from '../../lib/i18n.ts';
import { RenderedJson } from '../../lib/rendered-json.ts';
import type { Bodies } from './bodies.ts';

/** Asks an endpoint in the language of the page; throws what the endpoint refuses. */
export type Ask = <Name extends keyof Bodies>(name: Name, params?: AskedParams) => Promise<Bodies[Name]>;

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
}

interface VisitOptions {
  askAs: AskAs;
  config: Visit['config'];
  visitor: Visitor;
  now: Date;
  path: string;
  query: URLSearchParams;
}

export function createVisit({ askAs, config, visitor, now, path, query }: VisitOptions): Visit {
  const { language, origin } = visitor;
  let fresh: number | undefined = ANY_TIME;
  const limitFreshness = (until: number | undefined) => {
    fresh = until === undefined || fresh === undefined ? undefined : Math.min(fresh, until);
  };
  const today = localDay(toUtc(now), config.timezone);
  return {
    ...{ config, origin, language, path, query, now, today, limitFreshness },
    async ask(name, params = {}) {
      const reply = await askAs(visitor, name, params);
      limitFreshness(reply.freshUntil);
      return bodyOf(reply);
    },
    t: translatorFor(language),
    dates: shownDates(language, today),
    link: (target) =>
      `${languagePrefix(language, config)}${target.startsWith(origin) ? target.slice(origin.length) : target}`,
    freshUntil: () => fresh,
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
