import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Shares one look-up among all who ask in a turn of the event loop or while another look-up is under way. Nobody gets
 * the result of a look-up that began before they asked.
 */
export function sharedLookup<T>(look: () => Promise<T>): () => Promise<T> {
  let upcoming: Promise<T> | undefined;
  let running: Promise<unknown> = Promise.resolve();
  const begin = async () => {
    await running;
    await nextTurn();
    upcoming = undefined;
    const result = look();
    running = result.catch(() => undefined);
    return result;
  };
  return () => {
    upcoming ??= begin();
    return upcoming;
  };
}
