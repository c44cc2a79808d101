import { encodeRequest, type Request } from './client.ts';
import { type Connection, connectTo, type Received } from './connection.ts';

/** Sends a request on a connection of its own. */
export type Send = (request: Request) => Promise<Received>;

/** Work that goes on at a server while it is measured. */
export interface Background {
  /** @returns how often it was done a second */
  stop(): Promise<number>;
}

/** Milliseconds between looks at what is due. */
const TICK = 1;
/** A server that cannot keep up is not given more at a time. */
const MOST_AT_A_TIME = 32;

/** Repeats an action at a fixed rate per second, however long each one takes. */
export function repeat(origin: string, perSecond: number, work: (send: Send) => Promise<unknown>): Background {
  const idle: Connection[] = [];
  const under = new Set<Promise<unknown>>();
  const began = performance.now();
  let started = 0;
  let fault: { error: unknown } | undefined;
  const send: Send = async (request) => {
    const connection = idle.pop() ?? connectTo(new URL(origin));
    const received = await connection.send(encodeRequest(request));
    idle.push(connection);
    if (received.status >= 400) throw new Error(`${request.url} answered ${received.status}`);
    return received;
  };
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1000) * perSecond;
    for (; started < due && under.size < MOST_AT_A_TIME; started += 1) {
      const done: Promise<unknown> = work(send)
        .catch((error: unknown) => {
          fault ??= { error };
        })
        .finally(() => under.delete(done));
      under.add(done);
    }
  }, TICK);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(under);
      const seconds = (performance.now() - began) / 1000;
      for (const connection of idle) connection.close();
      if (fault) throw fault.error;
      return started / seconds;
    },
  };
}
