import { connect } from 'node:net';

/** Response as seen by a connection. */
export interface Received {
  status: number;
  /** Status line and headers. */
  head: string;
  /** Bytes of the body. */
  bytes: number;
}

/** A connection that sends one request at a time. */
export interface Connection {
  /** @throws if the connection ends before the response does */
  send(request: string): Promise<Received>;
  close(): void;
}

const END_OF_HEAD = '\r\n\r\n';
const BUFFER = 256 * 1024;

/**
 * A connection whose responses are read as fast as a socket gives them: only their heads are looked at, and their
 * bodies are counted and dropped. `node:http` makes so much of each response that a bare server would wait for its
 * client.
 */
export function connectTo({ hostname, port }: URL): Connection {
  let waiting: PromiseWithResolvers<Received> | undefined;
  let received: Received | undefined;
  let pending = Buffer.alloc(0);
  let left = 0;
  const fail = (error: Error) => {
    waiting?.reject(error);
    waiting = undefined;
  };
  const beginResponse = (buffer: Buffer) => {
    const text = pending.length > 0 ? Buffer.concat([pending, buffer]) : buffer;
    const end = text.indexOf(END_OF_HEAD);
    if (end < 0) {
      pending = Buffer.from(text);
      return;
    }
    pending = Buffer.alloc(0);
    const head = text.toString('latin1', 0, end);
    const status = Number(head.slice(9, 12));
    const bytes = lengthOf(head, status);
    received = { status, head, bytes };
    left = bytes - (text.length - end - END_OF_HEAD.length);
  };
  const read = (count: number, buffer: Uint8Array) => {
    if (received) left -= count;
    else beginResponse(Buffer.from(buffer.buffer, buffer.byteOffset, count));
    if (!received || left > 0) return true;
    const whole = received;
    received = undefined;
    waiting?.resolve(whole);
    waiting = undefined;
    return true;
  };
  const onread = {
    buffer: Buffer.allocUnsafe(BUFFER),
    callback(count: number, buffer: Uint8Array) {
      try {
        return read(count, buffer);
      } catch (error) {
        socket.destroy(error as Error); // what `lengthOf` throws
        return false;
      }
    },
  };
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the connection ended before the response')));
  return {
    send(request) {
      waiting = Promise.withResolvers<Received>();
      socket.write(request);
      return waiting.promise;
    },
    close: () => socket.destroy(),
  };
}

function lengthOf(head: string, status: number): number {
  if (status === 304 || status === 204) return 0;
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error('a response without Content-Length');
  return Number(length);
}
