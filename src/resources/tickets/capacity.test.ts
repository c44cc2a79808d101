import { describe, expect, it } from 'vitest';
import { type CapacityInput, type CapacityPlan, type CapacityState, planCapacity } from './capacity.ts';

const tc: CapacityState = { provider: 'tc' };
const sharedSeats = { capacity: 15 };
const own: CapacityState = { ...tc, current: { mode: 'own', capacity: 8 } };
const unlimited: CapacityState = { ...tc, current: { mode: 'own', capacity: null } };
const none: CapacityState = { ...tc, current: { mode: '', capacity: null } };
const global: CapacityState = { ...tc, current: { mode: 'global', capacity: null }, sharedSeats };
const capped: CapacityState = { ...tc, current: { mode: 'capped', capacity: 6 }, sharedSeats };
const rsvp: CapacityState = { provider: 'rsvp' };
const reply: CapacityState = { ...rsvp, current: { mode: 'own', capacity: 9 } };

describe('how places are counted after a write', () => {
  const cases: [what: string, input: CapacityInput, state: CapacityState, plan: CapacityPlan][] = [
    ['nothing said, new', {}, tc, { mode: 'own', capacity: 0 }],
    ['own', { mode: 'own', capacity: 12 }, tc, { mode: 'own', capacity: 12 }],
    ['own without a limit', { mode: 'own', capacity: null }, tc, { mode: 'own', capacity: null }],
    ['own without a limit, nothing said', {}, unlimited, { mode: 'own', capacity: null }],
    ['own without a limit, said again', { mode: 'own' }, unlimited, { mode: 'own', capacity: null }],
    ['no limit', { mode: '', capacity: 12 }, tc, { mode: '', capacity: null }],
    ['capped', { mode: 'capped', capacity: 10, eventCapacity: 15 }, tc, { mode: 'capped', capacity: 10, shared: 15 }],
    [
      'capped at all',
      { mode: 'capped', capacity: null, eventCapacity: 15 },
      tc,
      { mode: 'capped', capacity: 15, shared: 15 },
    ],
    [
      'capped above',
      { mode: 'capped', capacity: 40, eventCapacity: 15 },
      tc,
      { mode: 'capped', capacity: 15, shared: 15 },
    ],
    [
      'capped of no limit',
      { mode: 'capped', capacity: 4, eventCapacity: null },
      tc,
      { mode: 'capped', capacity: 4, shared: null },
    ],
    [
      'neither limited',
      { mode: 'capped', capacity: null, eventCapacity: null },
      tc,
      { mode: 'capped', capacity: null, shared: null },
    ],
    ['global', { mode: 'global', capacity: 3, eventCapacity: 15 }, tc, { mode: 'global', capacity: null, shared: 15 }],
    [
      'global, first and without a pool',
      { mode: 'global', capacity: 3 },
      tc,
      { mode: 'global', capacity: null, shared: 3 },
    ],
    ['global, nothing at all', { mode: 'global' }, tc, { mode: 'global', capacity: null, shared: 0 }],
    ['global in a pool', { mode: 'global' }, { ...tc, sharedSeats }, { mode: 'global', capacity: null, shared: 15 }],
    [
      'global, new pool',
      { mode: 'global', eventCapacity: 9 },
      { ...tc, sharedSeats },
      { mode: 'global', capacity: null, shared: 9 },
    ],
    [
      'own beside a pool',
      { mode: 'own', capacity: 2, eventCapacity: null },
      { ...tc, sharedSeats },
      { mode: 'own', capacity: 2 },
    ],
    ['own, and a pool', { mode: 'own', capacity: 2, eventCapacity: 9 }, tc, { mode: 'own', capacity: 2, shared: 9 }],
    ['nothing said, own', {}, own, { mode: 'own', capacity: 8 }],
    ['own says own', { mode: 'own' }, own, { mode: 'own', capacity: 8 }],
    ['own to capped', { mode: 'capped', eventCapacity: 5 }, own, { mode: 'capped', capacity: 5, shared: 5 }],
    ['own to none', { mode: '' }, own, { mode: '', capacity: null }],
    ['nothing said, none', {}, none, { mode: '', capacity: null }],
    ['none gets a number', { capacity: 5 }, none, { mode: 'own', capacity: 5 }],
    ['none to own without a number', { mode: 'own' }, none, { mode: 'own', capacity: 0 }],
    ['nothing said, global', {}, global, { mode: 'global', capacity: null, shared: 15 }],
    ['global to own', { mode: 'own' }, global, { mode: 'own', capacity: 0 }],
    ['nothing said, capped', {}, capped, { mode: 'capped', capacity: 6, shared: 15 }],
    ['capped to own', { mode: 'own' }, capped, { mode: 'own', capacity: 6 }],
    ['capped, smaller pool', { eventCapacity: 4 }, capped, { mode: 'capped', capacity: 4, shared: 4 }],
    ['capped, larger pool', { eventCapacity: 40 }, capped, { mode: 'capped', capacity: 6, shared: 40 }],
    ['replies, nothing said', {}, rsvp, { mode: '', capacity: null }],
    ['replies, so many', { capacity: 30 }, rsvp, { mode: 'own', capacity: 30 }],
    ['replies, own without a number', { mode: 'own' }, rsvp, { mode: '', capacity: null }],
    ['replies, any number', { mode: 'own', capacity: null }, rsvp, { mode: '', capacity: null }],
    ['replies, kept', {}, reply, { mode: 'own', capacity: 9 }],
    ['replies, no limit now', { mode: '' }, reply, { mode: '', capacity: null }],
    ['replies, emptied', { capacity: null }, reply, { mode: '', capacity: null }],
  ];
  it.each(cases)('%s', (_what, input, state, plan) => {
    expect(planCapacity(input, state)).toEqual(plan);
  });
});
