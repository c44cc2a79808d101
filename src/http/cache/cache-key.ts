import { hash } from 'node:crypto';
import type { Config } from '../../base/config.ts';
import { acceptLanguage } from '../core/content-negotiation.ts';
import type { AnyEndpoint } from '../core/endpoint.ts';
import { routeLabel } from '../core/router.ts';
import { type Call, type ParsedRequest, SECRETS } from '../input/parsed-request.ts';
import { pageFields, pageOf } from '../output/pagination.ts';

interface Options {
  /** Value of the `Accept-Language` header. */
  language: string;
  config: Pick<Config, 'languages' | 'perPage'>;
}

/** Parameters of every endpoint that prevent sharing. */
const UNSHARED = [...SECRETS, '_method', '_jsonp', '_envelope'];

/**
 * Key of the response to a visitor's read: everything it depends on besides data and time. Reads with the same key get
 * the same bytes. For an endpoint, the key contains the parsed parameters, so that order, spelling and unknown
 * parameters do not matter; for a page, the address. Undefined if no endpoint responds to a visitor with 200.
 */
export function cacheKeyOf({ url, origin, call }: ParsedRequest, { language, config }: Options): string | undefined {
  // The path of a page contains its language.
  if (!call) return keyed(['page', origin, url.pathname, url.search]);
  const { match, endpoint, query, urls } = call;
  if (!match || !endpoint || endpoint.hasEffect) return undefined;
  if (UNSHARED.some((name) => name in query)) return undefined;
  const asked = query.i18n_language;
  if (asked !== undefined && !config.languages.some((one) => one === asked)) return undefined;
  const input = validInput(call, endpoint);
  if (!input) return undefined;
  return keyed([
    ...[origin, urls.prefix, urls.word, routeLabel(match.route), inputWithPage(endpoint, input, config)],
    ...[asked ?? null, asked ?? acceptLanguage(language, config.languages)],
    ...[query._fields ?? null, '_pretty' in query, config.languages],
  ]);
}

/** A cryptographic hash: with a weak one, a client could craft two texts with the same key. */
const keyed = (named: readonly unknown[]): string => hash('sha256', JSON.stringify(named), 'base64url');

/** Valid parameters in the order of the endpoint; undefined if any is missing or invalid. */
function validInput({ sentParams, readParams }: Call, { required = [] }: AnyEndpoint) {
  if (required.some((name) => !sentParams()?.has(name))) return undefined;
  const { input, problems } = readParams() ?? {};
  return problems?.size === 0 ? input : undefined;
}

/** Calendar lists read a missing page as the first, and return its number in both cases. */
function inputWithPage({ input: fields }: AnyEndpoint, input: Record<string, unknown>, { perPage }: Options['config']) {
  if (fields.page !== pageFields.page || fields.per_page !== pageFields.per_page) return input;
  const { page, per_page, ...others } = input;
  // Both are integers, as their schemas return.
  return [pageOf({ page, per_page } as Parameters<typeof pageOf>[0], perPage), others];
}
