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

describe('planCapacity gives the expected plan for', () => {
  const cases: [what: string, input: CapacityInput, state: CapacityState, plan: CapacityPlan][] = [
    ['a new ticket, nothing sent', {}, tc, { mode: 'own', capacity: 0 }],
    ['own', { mode: 'own', capacity: 12 }, tc, { mode: 'own', capacity: 12 }],
    ['own without a limit', { mode: 'own', capacity: null }, tc, { mode: 'own', capacity: null }],
    ['own without a limit, nothing sent', {}, unlimited, { mode: 'own', capacity: null }],
    ['own without a limit, mode sent again', { mode: 'own' }, unlimited, { mode: 'own', capacity: null }],
    ['no limit', { mode: '', capacity: 12 }, tc, { mode: '', capacity: null }],
    ['capped', { mode: 'capped', capacity: 10, eventCapacity: 15 }, tc, { mode: 'capped', capacity: 10, shared: 15 }],
    [
      'capped without a number',
      { mode: 'capped', capacity: null, eventCapacity: 15 },
      tc,
      { mode: 'capped', capacity: 15, shared: 15 },
    ],
    [
      'capped above the shared capacity',
      { mode: 'capped', capacity: 40, eventCapacity: 15 },
      tc,
      { mode: 'capped', capacity: 15, shared: 15 },
    ],
    [
      'capped within unlimited shared seats',
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
      'global, the first ticket that shares',
      { mode: 'global', capacity: 3 },
      tc,
      { mode: 'global', capacity: null, shared: 3 },
    ],
    ['global, no capacity sent', { mode: 'global' }, tc, { mode: 'global', capacity: null, shared: 0 }],
    [
      'global with shared seats',
      { mode: 'global' },
      { ...tc, sharedSeats },
      { mode: 'global', capacity: null, shared: 15 },
    ],
    [
      'global with a new shared capacity',
      { mode: 'global', eventCapacity: 9 },
      { ...tc, sharedSeats },
      { mode: 'global', capacity: null, shared: 9 },
    ],
    [
      'own beside shared seats',
      { mode: 'own', capacity: 2, eventCapacity: null },
      { ...tc, sharedSeats },
      { mode: 'own', capacity: 2 },
    ],
    [
      'own, with a shared capacity sent',
      { mode: 'own', capacity: 2, eventCapacity: 9 },
      tc,
      { mode: 'own', capacity: 2, shared: 9 },
    ],
    ['own, nothing sent', {}, own, { mode: 'own', capacity: 8 }],
    ['own, mode sent again', { mode: 'own' }, own, { mode: 'own', capacity: 8 }],
    ['own to capped', { mode: 'capped', eventCapacity: 5 }, own, { mode: 'capped', capacity: 5, shared: 5 }],
    ['own to no limit', { mode: '' }, own, { mode: '', capacity: null }],
    ['no limit, nothing sent', {}, none, { mode: '', capacity: null }],
    ['no limit, a capacity sent', { capacity: 5 }, none, { mode: 'own', capacity: 5 }],
    ['no limit to own without a capacity', { mode: 'own' }, none, { mode: 'own', capacity: 0 }],
    ['global, nothing sent', {}, global, { mode: 'global', capacity: null, shared: 15 }],
    ['global to own', { mode: 'own' }, global, { mode: 'own', capacity: 0 }],
    ['capped, nothing sent', {}, capped, { mode: 'capped', capacity: 6, shared: 15 }],
    ['capped to own', { mode: 'own' }, capped, { mode: 'own', capacity: 6 }],
    ['capped, a smaller shared capacity', { eventCapacity: 4 }, capped, { mode: 'capped', capacity: 4, shared: 4 }],
    ['capped, a larger shared capacity', { eventCapacity: 40 }, capped, { mode: 'capped', capacity: 6, shared: 40 }],
    ['RSVP, nothing sent', {}, rsvp, { mode: '', capacity: null }],
    ['RSVP, a capacity sent', { capacity: 30 }, rsvp, { mode: 'own', capacity: 30 }],
    ['RSVP, own without a capacity', { mode: 'own' }, rsvp, { mode: '', capacity: null }],
    ['RSVP, own without a limit', { mode: 'own', capacity: null }, rsvp, { mode: '', capacity: null }],
    ['RSVP with a capacity, nothing sent', {}, reply, { mode: 'own', capacity: 9 }],
    ['RSVP with a capacity, no limit sent', { mode: '' }, reply, { mode: '', capacity: null }],
    ['RSVP with a capacity, null sent', { capacity: null }, reply, { mode: '', capacity: null }],
  ];
  it.each(cases)('%s', (_what, input, state, plan) => {
    expect(planCapacity(input, state)).toEqual(plan);
  });
});
