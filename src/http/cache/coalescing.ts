type Receive = (isCached: boolean) => void;

/** Reads that are being answered, and those that wait for the same response. */
export interface Coalescing<Request extends object> {
  isUnderWay(key: string): boolean;
  /** Notes that a request is being answered, unless another one for the same key is. */
  begin(key: string, request: Request): void;
  /** Calls back once the request for a key that is under way has ended, with whether its response was cached. */
  wait(key: string, receive: Receive): void;
  /** Does nothing for a request that has not begun, or has ended before. */
  end(request: Request, isCached: boolean): void;
}

/**
 * Lets one request make the response for all that ask for it meanwhile. Otherwise, with a database that is asked over a
 * socket, all of them would make it again after each change, and the next change would come before they were done.
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
