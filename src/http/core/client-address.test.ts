import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../base/config.ts';
import { clientInfoOf, createUndeclaredProxies, proxyTrust } from './client-address.ts';

describe('proxyTrust', () => {
  it.each([
    [[], '127.0.0.1', false],
    [['loopback'], '127.0.0.1', true],
    [['loopback'], '127.9.9.9', true],
    [['loopback'], '::1', true],
    [['loopback'], '10.0.0.1', false],
    [['10.0.0.1'], '10.0.0.1', true],
    [['10.0.0.1'], '10.0.0.2', false],
    [['10.0.0.0/8'], '10.255.0.1', true],
    [['10.0.0.0/8'], '11.0.0.1', false],
    [['2001:db8::/32'], '2001:db8:1::5', true],
    [['2001:db8::/32'], '2001:db9::5', false],
    [['10.0.0.0/8', '::1'], '::1', true],
    [['10.0.0.0/8'], 'not an address', false],
  ])('%j and %s: %s', (entries, address, trusted) => {
    expect(proxyTrust(entries)(address)).toBe(trusted);
  });
});

const PROXY = '10.0.0.9';
interface ArrivalOptions {
  socket?: string;
  url?: string;
  headers?: Record<string, string>;
}

function arrive({ socket = PROXY, url, headers = {} }: ArrivalOptions) {
  const config = readConfig({ MARQUEE_TRUST_PROXY: '10.0.0.0/8', MARQUEE_URL: url });
  const sent = { url: new URL('http://inner.test:8080/calendar'), headers: new Headers(headers) };
  return clientInfoOf(sent, { socketAddress: socket, config, isTrusted: proxyTrust(config.trustProxy) });
}

describe('the address of a client', () => {
  it.each([
    ['203.0.113.7', '1.1.1.1', '203.0.113.7'],
    ['::ffff:203.0.113.7', '1.1.1.1', '203.0.113.7'],
    [PROXY, undefined, PROXY],
    [PROXY, '', PROXY],
    [PROXY, '203.0.113.7', '203.0.113.7'],
    [`::ffff:${PROXY}`, '203.0.113.7', '203.0.113.7'],
    [PROXY, '1.1.1.1, 203.0.113.7', '203.0.113.7'],
    [PROXY, '203.0.113.7, 10.1.1.1', '203.0.113.7'],
    [PROXY, '10.5.5.5, 10.1.1.1', '10.5.5.5'],
    [PROXY, '2001:db8::7', '2001:db8::7'],
    [PROXY, '[2001:db8::7]:443', '2001:db8::7'],
    [PROXY, '203.0.113.7:5000', '203.0.113.7'],
    [PROXY, '::ffff:203.0.113.7', '203.0.113.7'],
    [PROXY, '1.1.1.1, unknown', PROXY],
    [PROXY, '1.1.1.1, unknown, 10.1.1.1', '10.1.1.1'],
    [PROXY, '1.1.1.1, <script>', PROXY],
  ])('from %s with X-Forwarded-For %j is %s', (socket, forwarded, address) => {
    const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    expect(arrive({ socket, headers }).address).toBe(address);
  });
});

describe('the origin of URLs', () => {
  it.each([
    [{}, 'http://inner.test:8080'],
    [{ 'x-forwarded-proto': 'https' }, 'https://inner.test:8080'],
    [{ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'events.test' }, 'https://events.test'],
    [{ 'x-forwarded-host': 'events.test:8443, other.test' }, 'http://events.test:8443'],
    [{ 'x-forwarded-proto': 'https, http', 'x-forwarded-host': 'events.test' }, 'https://events.test'],
    [{ 'x-forwarded-proto': 'javascript' }, 'http://inner.test:8080'],
    [{ 'x-forwarded-host': 'a b' }, 'http://inner.test:8080'],
    [{ 'x-forwarded-host': `${'x'.repeat(254)}:65535` }, `http://${'x'.repeat(254)}:65535`],
    [{ 'x-forwarded-host': `${'x'.repeat(255)}:65535` }, 'http://inner.test:8080'],
    [{ 'x-forwarded-host': `events.test, ${'x'.repeat(300)}` }, 'http://events.test'],
    [{ 'x-forwarded-host': 'user:pass@events.test/path?x' }, 'http://events.test'],
  ])('behind a trusted proxy with %j is %s', (headers, origin) => {
    expect(arrive({ headers }).origin).toBe(origin);
  });

  it('ignores headers of untrusted peers', () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.test' };
    expect(arrive({ socket: '203.0.113.7', headers }).origin).toBe('http://inner.test:8080');
  });

  it('is MARQUEE_URL if that is set', () => {
    const headers = { 'x-forwarded-host': 'evil.test' };
    expect(arrive({ url: 'https://events.test', headers }).origin).toBe('https://events.test');
  });
});

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
