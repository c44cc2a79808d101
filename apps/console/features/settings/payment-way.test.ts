import { describe, expect, it } from 'vitest';
import { changedWays, newWayId } from './payment-way.ts';

describe('a new way to pay', () => {
  it.each([
    ['Twint', [], 'twint'],
    ['Chèque-vacances', [], 'cheque-vacances'],
    ['  Cash  on -- delivery! ', [], 'cash-on-delivery'],
    ['2 rates', [], 'rates'],
    ['会員', [], 'way'],
    ['会員', ['way', 'way-2'], 'way-3'],
    ['Transfer', ['transfer'], 'transfer-2'],
    ['Free', [], 'free-2'],
    ['Manual', [], 'manual-2'],
    ['A name that is much longer than any id may be', [], 'a-name-that-is-much-longer-t'],
  ])('called %s beside %j has the id %s', (name, taken, id) => {
    expect(newWayId(name, taken)).toBe(id);
    expect(id).toMatch(/^[a-z][a-z0-9-]{0,30}$/);
  });
});

describe('the ways to pay that are sent', () => {
  const door = { id: 'door', name: 'Pay at the door', text: '', hold_hours: null };
  const transfer = { id: 'transfer', name: 'Bank transfer', text: 'IBAN DE00', hold_hours: 72 };

  it('have only the texts that were changed, as others may be those of another language', () => {
    expect(changedWays([{ ...transfer, hold_hours: 48 }, door], [door, transfer])).toEqual([
      { id: 'transfer', hold_hours: 48 },
      { id: 'door', hold_hours: null },
    ]);
    expect(changedWays([{ ...transfer, text: 'IBAN FR00' }], [door, transfer])).toEqual([
      { id: 'transfer', text: 'IBAN FR00', hold_hours: 72 },
    ]);
  });

  it('clear a text that was emptied, and have all of a new way', () => {
    const check = { id: 'check', name: 'Check ', text: '', hold_hours: 0 };
    expect(changedWays([{ ...transfer, name: ' ', text: '' }, check], [transfer])).toEqual([
      { id: 'transfer', name: null, text: null, hold_hours: 72 },
      { id: 'check', name: 'Check', hold_hours: 0 },
    ]);
  });
});
