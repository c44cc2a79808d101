import { hash } from 'node:crypto';
import type { Config } from '../../base/config.ts';
import type { AnyEndpoint } from '../core/endpoint.ts';
import { acceptLanguage } from '../core/language.ts';
import { requestTargetOf } from '../core/request-target.ts';
import { endpointOf, matchRoute, type Route, routeLabel } from '../core/router.ts';
import { joinParams, parseOnce } from '../input/params.ts';
import { mayBeList, readInput } from '../input/validate.ts';
import { pageFields, pageOf } from '../output/pagination.ts';
import { SECRETS } from '../pipeline/respond.ts';
import { isPresentationList, listsOf } from '../pipeline/serve.ts';

/** A GET without credentials. */
interface AnonymousRead {
  url: URL;
  /** Under which the client reached the server. */
  origin: string;
  acceptLanguage: string | undefined;
}

interface Options {
  config: Pick<Config, 'languages' | 'perPage'>;
  routes: readonly Route[];
}

/** Parameters of every endpoint with which an answer is never shared. */
const UNSHARED = [...SECRETS, '_method', '_jsonp', '_envelope'];

/**
 * Names the answer to a read by all that it depends on besides the data and the time: reads with the same key get the
 * same bytes. For an endpoint it has what that sees, as the schemas of its parameters return it, so that neither the
 * order and spelling of parameters nor unknown ones matter. Undefined for what no endpoint answers to a stranger with
 * 200. Of a page it is the address.
 */
export function keyOfRead({ url, origin, ...read }: AnonymousRead, { config, routes }: Options): string | undefined {
  const target = requestTargetOf(url, origin);
  // Pages have their language in the path.
  if (!target) return keyed(['page', origin, url.pathname, url.search]);
  const match = matchRoute(routes, target.namespace, target.path);
  const endpoint = match && endpointOf(match.route, 'GET');
  if (!endpoint || endpoint.hasEffect) return undefined;
  const readQuery = parseOnce(target.search);
  const query = readQuery(listsOf(target, isPresentationList));
  if (UNSHARED.some((name) => name in query)) return undefined;
  const asked = query.i18n_language;
  if (asked !== undefined && !config.languages.some((language) => language === asked)) return undefined;
  const isList = listsOf(target, (name) => mayBeList(endpoint.input, name));
  const input = inputOf(endpoint, joinParams(match.params, {}, readQuery(isList)));
  if (!input) return undefined;
  const { prefix, word } = target.urls;
  const named = [
    ...[origin, prefix, word, routeLabel(match.route), inputWithPage(endpoint, input, config)],
    ...[asked ?? null, asked ?? acceptLanguage(read.acceptLanguage ?? null, config.languages)],
    ...[query._fields ?? null, '_pretty' in query, config.languages],
  ];
  return keyed(named);
}

/** Not a hash for which two texts of the same one are known: one could be kept in place of the other. */
const keyed = (named: readonly unknown[]): string => hash('sha256', JSON.stringify(named), 'base64url');

/** Valid parameters in the order of the endpoint; undefined if any is missing or invalid. */
function inputOf({ input: fields, required = [] }: AnyEndpoint, sent: ReadonlyMap<string, unknown>) {
  if (required.some((name) => !sent.has(name))) return undefined;
  const { input, problems } = readInput(fields, required, sent);
  return problems.size > 0 ? undefined : input;
}

/** Calendar lists take a page that is not sent for the first, and say which page it is in either case. */
function inputWithPage({ input: fields }: AnyEndpoint, input: Record<string, unknown>, { perPage }: Options['config']) {
  if (fields.page !== pageFields.page || fields.per_page !== pageFields.per_page) return input;
  const { page, per_page, ...others } = input;
  // Both are integers, as their schemas return them.
  return [pageOf({ page, per_page } as Parameters<typeof pageOf>[0], perPage), others];
}
