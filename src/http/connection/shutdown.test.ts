import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import { listen } from '../../../test/listen.ts';
import { useTestServer } from '../../../test/server.ts';

/** Milliseconds: longer than a connection may be idle during a shutdown. */
const PAUSE = 1100;
const REQUEST = 'GET /calendar/events/v1/venues?_fields=total HTTP/1.1\r\nHost: events.test\r\n\r\n';

const server = useTestServer('sqlite');
afterEach(() => vi.restoreAllMocks());

it('responds to a request that came while the process stood still, right before idle connections are closed', async () => {
  const listening = await listen(server().context);
  const socket = listening.open();
  socket.write(REQUEST);
  await once(socket, 'data');
  const answer = text(socket);
  // The first callback of the shutdown runs between reading the sockets and closing them.
  const { setImmediate: plain } = globalThis;
  const spy = vi.spyOn(globalThis, 'setImmediate').mockImplementationOnce((act, ...values) =>
    plain(() => {
      socket.write(REQUEST);
      for (const until = performance.now() + PAUSE; performance.now() < until; );
      act(...values);
    }),
  );
  await listening.shutDown();
  expect(await answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nconnection: close\r\n/i);
  expect(spy).toHaveBeenCalled();
});
