import { AsyncLocalStorage } from 'node:async_hooks';

const ID_LENGTH = 16;
/** Gives 16 characters in base64url. */
const ID_BYTES = 12;
/** Number of ids generated at once. Generating them one by one would cost as much as a cache look-up each. */
const BATCH = 256;

const FOREIGN_ID = /^[\w.-]{1,64}$/;

/** Creates a generator of request ids, 16 characters of base64url each. */
export function createIdSource(random: (bytes: number) => Buffer): () => string {
  let ids = '';
  let used = 0;
  return () => {
    if (used >= ids.length) {
      ids = random(ID_BYTES * BATCH).toString('base64url');
      used = 0;
    }
    used += ID_LENGTH;
    return ids.slice(used - ID_LENGTH, used);
  };
}

/** An id that a trusted proxy sent as `X-Request-Id`; undefined for text that is not safe to log. */
export const foreignId = (sent: string | undefined): string | undefined =>
  sent !== undefined && FOREIGN_ID.test(sent) ? sent : undefined;

const running = new AsyncLocalStorage<string>();

/** Runs a request handler; its log lines carry the id. */
export const withRequestId = <T>(id: string, work: () => T): T => running.run(id, work);

/** Fields that pino adds to each line: `request_id` while a request is handled. */
export function requestIdFields(): { request_id?: string } {
  const id = running.getStore();
  return id === undefined ? {} : { request_id: id };
}
