import { isProgramOrOwnPage } from '../core/cookies.ts';
import type { AnyEndpoint } from '../core/endpoint.ts';
import { ApiError, InvalidParams, type Problem } from '../core/errors.ts';
import { isReading } from '../core/request.ts';
import type { Exchange } from './exchange.ts';

/**
 * Guards writes to sessions, accounts and credentials (`isCredentialWrite` of an endpoint) against requests that
 * another site, or a link or an image in a description, makes a browser send. Signing a visitor in to the account of an
 * attacker needs no cookie (login CSRF).
 */

/** Parameters that must not be in an address: logs, histories and `Referer` headers store addresses. */
const BODY_ONLY = ['name', 'username', 'email', 'password', 'current_password', 'code', 'token'];

/**
 * Refuses a GET with an overridden method, requests of browsers from pages of other sites, and names or secrets in the
 * query.
 * @param query parameters of the address
 * @throws {ApiError | InvalidParams} rest_forbidden
 */
export function guardCredentialWrite(
  { request: { headers, method }, call: { urls } }: Pick<Exchange, 'request' | 'call'>,
  { input }: Pick<AnyEndpoint, 'input'>,
  query: Readonly<Record<string, unknown>>,
): void {
  const header = (name: string) => headers.get(name) ?? undefined;
  if (isReading(method) || !isProgramOrOwnPage({ header, urls })) throw new ApiError('rest_forbidden');
  const misplaced = BODY_ONLY.filter((name) => Object.hasOwn(input, name) && Object.hasOwn(query, name));
  const problem: Problem = { key: 'param.in_body' };
  if (misplaced.length > 0) throw new InvalidParams(new Map(misplaced.map((name) => [name, problem])));
}
