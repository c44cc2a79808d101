type Receive = (isCached: boolean) => void;

/** Reads in progress, and the requests that wait for their responses. */
export interface Coalescing<Request extends object> {
  isUnderWay(key: string): boolean;
  /** Registers a request as the one in progress for its key, unless there is one. */
  begin(key: string, request: Request): void;
  /** Calls back when the request in progress for a key has ended, and passes whether its response was cached. */
  wait(key: string, receive: Receive): void;
  /** Does nothing for a request that was not registered or has already ended. */
  end(request: Request, isCached: boolean): void;
}

/**
 * Lets one request compute the response for all equal ones that arrive while it runs. Otherwise, with a database behind
 * a socket, all of them would compute it after each change, and the next change would come before they had finished.
 */
export function createCoalescing<Request extends object>(): Coalescing<Request> {
  const keys = new Map<Request, string>();
  const waiting = new Map<string, Receive[]>();
  return {
    isUnderWay: (key) => waiting.has(key),
    begin(key, request) {
      if (waiting.has(key)) return;
      keys.set(request, key);
      waiting.set(key, []);
    },
    wait: (key, receive) => void waiting.get(key)?.push(receive),
    end(request, isCached) {
      const key = keys.get(request);
      if (key === undefined) return;
      const receivers = waiting.get(key) ?? [];
      keys.delete(request);
      waiting.delete(key);
      for (const receive of receivers) receive(isCached);
    },
  };
}
