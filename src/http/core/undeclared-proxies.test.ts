import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createUndeclaredProxies } from './undeclared-proxies.ts';

function watch() {
  const lines: string[] = [];
  const clock = { now: new Date('2030-01-01T00:00:00Z') };
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  return { lines, clock, proxies: createUndeclaredProxies({ log, now: () => clock.now }) };
}
const forwarded = new Headers({ 'X-Real-IP': '192.0.2.1' });
const plain = new Headers({ host: 'localhost' });

it('treats a private peer that forwards as a proxy for a quarter of an hour, and logs it once', () => {
  const { proxies, clock, lines } = watch();
  expect(proxies.isOne('10.0.0.1', plain)).toBe(false);
  expect(proxies.isOne('10.0.0.1', forwarded)).toBe(true);
  expect(proxies.isOne('10.0.0.1', plain)).toBe(true);
  expect(proxies.isOne('10.0.0.2', plain)).toBe(false);
  expect(proxies.notice()).toContain('10.0.0.1 ');
  clock.now = new Date('2030-01-01T00:15:00Z');
  expect([proxies.isOne('10.0.0.1', plain), proxies.notice()]).toEqual([false, undefined]);
  expect(proxies.isOne('10.0.0.1', forwarded)).toBe(true);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('MARQUEE_TRUST_PROXY=10.0.0.1');
});

it('does not treat a public peer with forged headers as a proxy', () => {
  const { proxies, lines } = watch();
  expect(proxies.isOne('203.0.113.1', forwarded)).toBe(false);
  expect([proxies.notice(), lines]).toEqual([undefined, []]);
});
