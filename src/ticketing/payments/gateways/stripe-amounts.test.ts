import { describe, expect, it } from 'vitest';
import { GatewayRefusal } from './gateway.ts';
import { fromStripeAmount, toStripeAmount } from './stripe-amounts.ts';

describe('amounts of Stripe', () => {
  it.each([
    ['EUR', 1250, 1250],
    ['USD', 1, 1],
    ['JPY', 500, 500],
    ['KRW', 12_000, 12_000],
    // Whole units here, hundredths there.
    ['ISK', 500, 50_000],
    ['UGX', 5, 500],
    ['HUF', 4990, 499_000],
    ['IDR', 150_000, 15_000_000],
    ['KWD', 5120, 5120],
    ['TND', 10, 10],
    ['EUR', 10_000_000_000, 10_000_000_000],
  ])('of %s: %d is %d there, and back', (currency, minor, amount) => {
    expect(toStripeAmount(minor, currency)).toBe(amount);
    expect(fromStripeAmount(amount, currency)).toBe(minor);
  });

  it.each([
    ['KWD', 5124],
    ['LYD', 1001],
    ['EUR', 0],
    ['EUR', -1],
    ['EUR', 1.5],
    ['HUF', Number.MAX_SAFE_INTEGER],
  ])('of %s are never %d', (currency, minor) => {
    expect(() => toStripeAmount(minor, currency)).toThrow(GatewayRefusal);
  });

  it('that are a fraction of ours are rounded down', () => {
    expect(fromStripeAmount(50_050, 'ISK')).toBe(500);
    expect(fromStripeAmount(100, 'LYD')).toBe(1000);
  });
});
