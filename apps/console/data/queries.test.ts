import { QueryObserver } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';

// The client is made for the address of the page.
vi.stubGlobal('location', { origin: 'http://site.test' });
const { queries, refresh } = await import('./queries.ts');

afterEach(() => queries.clear());

/** A read whose requests wait: `respond` responds to the oldest of them. */
function makeRead(operation: string) {
  const waiting: ((value: string) => void)[] = [];
  const queryKey = [operation, {}, 'en'];
  const queryFn = () => new Promise<string>((resolve) => void waiting.push(resolve));
  return {
    queryKey,
    queryFn,
    requests: () => waiting.length,
    async respond(value: string) {
      waiting.shift()?.(value);
      await new Promise((resolve) => void setImmediate(resolve));
    },
    shown: () => queries.getQueryData(queryKey),
  };
}

const watch = (read: ReturnType<typeof makeRead>) => new QueryObserver(queries, read).subscribe(() => undefined);

describe('refresh', () => {
  it('reads again what a screen was still reading for the first time when the change was made', async () => {
    const invoices = makeRead('GET /admin/v1/invoices');
    const stop = watch(invoices);
    const refreshed = refresh('/admin/v1/');
    await invoices.respond('before the change');
    expect(invoices.shown()).toBe('before the change');
    await invoices.respond('after the change');
    await refreshed;
    expect([invoices.shown(), invoices.requests()]).toEqual(['after the change', 0]);
    stop();
  });

  it('lets no read that a screen has left pass as fresh', async () => {
    const invoices = makeRead('GET /admin/v1/invoices');
    void queries.prefetchQuery({ queryKey: invoices.queryKey, queryFn: invoices.queryFn });
    const refreshed = refresh('/admin/v1/');
    await invoices.respond('before the change');
    await refreshed;
    expect(queries.getQueryState(invoices.queryKey)?.isInvalidated).toBe(true);
  });

  it('reads once where nothing is under way, and nothing of another path', async () => {
    const orders = makeRead('GET /admin/v1/orders');
    const events = makeRead('GET /events/v1/events');
    const stops = [watch(orders), watch(events)];
    await orders.respond('1');
    await events.respond('1');
    const refreshed = refresh('/admin/v1/');
    await orders.respond('2');
    await refreshed;
    expect([orders.shown(), events.shown(), orders.requests(), events.requests()]).toEqual(['2', '1', 0, 0]);
    for (const stop of stops) stop();
  });
});
