import { describe, expect, it } from 'vitest';
import { headOf } from '../output/head.ts';
import { type CachedResponse, createResponseStore } from './response-store.ts';

const KIB = 1024;

const VERSION = { calendar: '7', seats: '3' };

const responseOf = (kibibytes: number, showsSeats = false): CachedResponse => ({
  ...{
    route: '/events',
    head: headOf([]),
    unchangedHead: headOf([]),
    tag: '"tag"',
    body: Buffer.alloc(kibibytes * KIB),
  },
  ...{ version: VERSION, showsSeats, freshFrom: 1000, freshUntil: 2000 },
});

describe('the store of the response cache', () => {
  it.each([
    ['the same version in its time', VERSION, 1000, { calendar: true, seats: true }],
    ['another version of the calendar', { ...VERSION, calendar: '8' }, 1500, { calendar: false, seats: false }],
    ['other seats', { ...VERSION, seats: '4' }, 1500, { calendar: true, seats: false }],
    ['its end', VERSION, 2000, { calendar: false, seats: false }],
    ['a clock that was put back', VERSION, 999, { calendar: false, seats: false }],
  ])('finds responses without and with seats, or not: %s', (_when, version, now, isFound) => {
    const store = createResponseStore(64 * KIB);
    store.keep('calendar', responseOf(1));
    store.keep('seats', responseOf(1, true));
    for (const key of ['calendar', 'seats'] as const) {
      expect(store.find(key, { version, now }) !== undefined).toBe(isFound[key]);
      expect(store.has(key)).toBe(isFound[key]);
    }
  });

  it('copies bodies, so that memory they share with others is not kept', () => {
    const store = createResponseStore(64 * KIB);
    store.keep('short', { ...responseOf(1), body: Buffer.from('cut from a shared piece of store') });
    const { body } = store.find('short', { version: VERSION, now: 1500 }) ?? responseOf(0);
    expect([String(body), body.buffer.byteLength]).toEqual(['cut from a shared piece of store', body.length]);
  });

  it('evicts the least recently used response when it is full', () => {
    const store = createResponseStore(72 * KIB);
    for (const key of ['first', 'second', 'third']) store.keep(key, responseOf(16));
    store.find('first', { version: VERSION, now: 1500 });
    store.keep('fourth', responseOf(16));
    expect(['first', 'second', 'third', 'fourth'].filter(store.has)).toEqual(['first', 'third', 'fourth']);
  });

  it('does not grow when one response is stored repeatedly', () => {
    const store = createResponseStore(64 * KIB);
    store.keep('other', responseOf(16));
    for (let time = 0; time < 20; time += 1) store.keep('list', responseOf(16));
    expect(store.has('other')).toBe(true);
  });

  it('stores nothing larger than itself, and nothing at all when it is off', () => {
    const store = createResponseStore(64 * KIB);
    store.keep('long', responseOf(65));
    expect(store.has('long')).toBe(false);
    const none = createResponseStore(0);
    none.note('list');
    none.keep('list', responseOf(0));
    expect(none.isAskedAgain('list')).toBe(false);
  });

  it('forgets first requests once there are too many', () => {
    const store = createResponseStore(64 * KIB);
    for (let number = 0; number <= 5000; number += 1) store.note(`address ${number}`);
    expect([0, 4999, 5000].map((number) => store.isAskedAgain(`address ${number}`))).toEqual([false, false, true]);
  });
});
