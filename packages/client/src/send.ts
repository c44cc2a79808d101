import { baseAddress, type Params } from './address.ts';
import { type Answer, readAnswer } from './answer.ts';
import { exchange } from './exchange.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { commonHeaders, isRepeatable, prepareRequest } from './request.ts';
import { retryDelay, systemClock } from './retry.ts';

/** Sends an operation, such as `GET /events/v1/events/{id}`, with its parameters, and retries it if necessary. */
export type Send = (operation: string, params?: Params, call?: CallOptions) => Promise<Answer>;

/** @throws {TypeError} naming the option that cannot be used, without its value */
export function createSend(options: ClientOptions): Send {
  const common = {
    base: baseAddress(options.url, options.prefix ?? '/calendar'),
    headers: commonHeaders(options),
    options,
  };
  const { retries = 3, maxRetryDelay: maxDelay = 30_000, clock = systemClock, random = Math.random } = options;
  return async (operation, params = {}, call = {}) => {
    const request = prepareRequest(operation, params, { ...common, call });
    const { signal, timeout = options.timeout ?? 30_000 } = call;
    const mostRetries = isRepeatable(request) ? retries : 0;
    for (let count = 0; ; count += 1) {
      try {
        // The global function is looked up each time, since programs may replace it.
        const received = await exchange(request, { fetch: options.fetch ?? fetch, timeout, signal });
        options.onResponse?.(received.response);
        return readAnswer(received, request.about, clock.now());
      } catch (error) {
        const delay = count < mostRetries ? retryDelay(error, { count, maxDelay, random }) : undefined;
        if (delay === undefined) throw error;
        await clock.sleep(delay, signal);
      }
    }
  };
}
