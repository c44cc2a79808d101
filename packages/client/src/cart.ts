import type { Params } from './address.ts';
import type { CallOptions } from './options.ts';
import type { Send } from './send.ts';

const PATH = '/tickets/v1/cart';
const HEADER = 'X-Cart-Token';

/**
 * The cart of one visitor. The token is kept here rather than in the client, so that a program that serves many
 * visitors does not mix up their carts.
 */
export function cartOf(send: Send, known?: string) {
  let token = known;
  const call = async (operation: string, params?: Params, options?: CallOptions) => {
    const headers = { ...options?.headers, ...(token && { [HEADER]: token }) };
    const answer = await send(operation, params, { ...options, headers });
    token = answer.headers.get(HEADER) ?? token;
    return answer.body;
  };
  return {
    get token() {
      return token;
    },
    read: (query?: Params, options?: CallOptions) => call(`GET ${PATH}`, query, options),
    save: (input?: Params, options?: CallOptions) =>
      call(`PATCH ${PATH}`, { provider: 'tickets-commerce', ...input }, options),
    checkout: (input?: Params, options?: CallOptions) => call(`POST ${PATH}/checkout`, input, options),
  };
}
