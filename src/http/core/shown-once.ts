import { z } from 'zod';
import { isRecord } from '../../lib/text/list.ts';
import type { AnyEndpoint, EndpointResponse } from './endpoint.ts';
import type { ErrorResponse } from './errors.ts';

/**
 * Secrets that only the first response to a request shows (`shownOnce` of an endpoint). Repetitions with the same
 * `Idempotency-Key` get the response without them, so that they are stored nowhere.
 */

const notice = {
  secret_shown: z.literal(true).describe('True if the first response showed a secret that this one omits.'),
  message: z.string().describe('Explanation in the language of the user.'),
};

/** Responses of an endpoint by status, including 200 for a repetition of a request that showed a secret. */
export function responseSchemas({ name, responses, shownOnce }: AnyEndpoint): Readonly<Record<number, z.ZodType>> {
  if (!shownOnce) return responses;
  const [schema] = Object.values(responses);
  if (!(schema instanceof z.ZodObject)) throw new Error(`the response of ${name} has no members`);
  const { id } = schema.meta() ?? {};
  const shape = Object.entries<z.ZodType>(schema.shape).filter(([member]) => !shownOnce.includes(member));
  const repeated = z.object({ ...Object.fromEntries(shape), ...notice }).meta({
    id: `${id}Repeated`,
    description: 'Response to a repeated request, without the secret that the first response showed.',
  });
  return { ...responses, 200: responses[200] ? z.union([responses[200], repeated]) : repeated };
}

/** Tests if a response shows a secret of its endpoint, in its body or headers. */
function showsSecret(
  response: EndpointResponse | ErrorResponse,
  secrets: readonly string[] = [],
): response is EndpointResponse {
  const { body, headers = {} } = response;
  return !('isError' in response) && secrets.some((name) => name in headers || (isRecord(body) && name in body));
}

/** Response for repetitions. */
export function withoutSecrets<R extends EndpointResponse | ErrorResponse>(
  response: R,
  secrets: readonly string[] = [],
): R | EndpointResponse {
  if (!showsSecret(response, secrets)) return response;
  const rest = (part: unknown) => Object.entries(part ?? {}).filter(([name]) => !secrets.includes(name));
  return {
    status: 200,
    body: { ...Object.fromEntries(rest(response.body)), secret_shown: true },
    headers: Object.fromEntries(rest(response.headers)),
  };
}

/** Tests if a stored response lacks the secret of the first one. */
export const isWithoutSecret = ({ body }: EndpointResponse | ErrorResponse): boolean =>
  isRecord(body) && body.secret_shown === true;
