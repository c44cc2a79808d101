import { describe, expect, it } from 'vitest';
import { changedWays, choosableGateways, newWay, newWayId } from './payment-way.ts';

const BY_HAND = { gateway: 'manual', available: true } as const;
const manual = { id: 'manual', missing: [] } as const;
const transfer = { id: 'transfer', missing: [] } as const;
const stripe = { id: 'stripe', missing: [] as string[] } as const;
const lost = { id: 'stripe', missing: ['MARQUEE_STRIPE_KEY'] } as const;

describe('the gateway of a payment method', () => {
  it.each([
    ['card', [manual, transfer, stripe], 'stripe'],
    ['card', [manual, transfer, lost], 'manual'],
    ['transfer', [manual, transfer, stripe], 'transfer'],
    ['door', [manual, transfer, stripe], 'manual'],
    ['twint', [manual, transfer, stripe], 'manual'],
  ] as const)('for a new %s with %j is %s', (id, gateways, expected) => {
    expect(
      newWay(
        id,
        id,
        [...gateways].map((gateway) => ({ ...gateway, missing: [...gateway.missing] })),
      ),
    ).toMatchObject({
      gateway: expected,
      at_door: id === 'door',
    });
  });

  it.each([
    ['manual', stripe, ['manual', 'stripe']],
    ['manual', lost, ['manual']],
    ['stripe', lost, ['manual', 'stripe']],
  ] as const)('that is %s is chosen, with %j, from %j', (present, service, expected) => {
    const gateways = [manual, service].map(({ id, missing }) => ({ id, missing: [...missing] }));
    expect(choosableGateways(present, gateways)).toEqual(expected);
  });
});

describe('a new payment method', () => {
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

describe('the payment methods that are sent', () => {
  const door = { id: 'door', name: 'Pay at the door', text: '', at_door: true, hold_hours: null, ...BY_HAND };
  const transfer = {
    id: 'transfer',
    name: 'Bank transfer',
    text: 'IBAN DE00',
    at_door: false,
    hold_hours: 72,
    ...BY_HAND,
  };

  it('omit unchanged texts, which may belong to another language', () => {
    expect(changedWays([{ ...transfer, hold_hours: 48 }, door], [door, transfer])).toEqual([
      { id: 'transfer', at_door: false, hold_hours: 48, gateway: 'manual' },
      { id: 'door', at_door: true, hold_hours: null, gateway: 'manual' },
    ]);
    expect(changedWays([{ ...transfer, text: 'IBAN FR00' }], [door, transfer])).toEqual([
      { id: 'transfer', text: 'IBAN FR00', at_door: false, hold_hours: 72, gateway: 'manual' },
    ]);
  });

  it('clear an emptied text, and have all texts of a new payment method', () => {
    const check = { id: 'check', name: 'Check ', text: '', at_door: false, hold_hours: 0, ...BY_HAND };
    expect(changedWays([{ ...transfer, name: ' ', text: '' }, check], [transfer])).toEqual([
      { id: 'transfer', name: null, text: null, at_door: false, hold_hours: 72, gateway: 'manual' },
      { id: 'check', name: 'Check', at_door: false, hold_hours: 0, gateway: 'manual' },
    ]);
  });
});
