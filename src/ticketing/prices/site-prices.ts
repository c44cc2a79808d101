import type { Context } from '../../base/context.ts';
import { currentCache } from '../../db/current-cache.ts';
import type { CachedData } from '../../db/data-cache.ts';
import type { Database } from '../../db/database.ts';
import type { Fee, TaxRate } from './order-prices.ts';

/** Tax rates and fees of the site. */
export interface SitePrices {
  taxRates: ReadonlyMap<number, TaxRate>;
  fees: readonly Fee[];
}

const CACHE = new WeakMap<CachedData, Promise<SitePrices>>();

/** Tax rates and fees, cached per version of the data, so that sales on a site without any read nothing. */
export async function getSitePrices(context: Pick<Context, 'db' | 'version'>): Promise<SitePrices> {
  const state = await currentCache(context);
  const cached = CACHE.get(state);
  if (cached !== undefined) return cached;
  const reading = readPrices(context.db);
  CACHE.set(state, reading);
  reading.catch(() => CACHE.delete(state));
  return reading;
}

async function readPrices({ query }: Database): Promise<SitePrices> {
  const rates = await query.selectFrom('tax_rates').selectAll().orderBy('id').execute();
  const rows = await query.selectFrom('fees').selectAll().orderBy('id').execute();
  const taxRates = new Map(
    rates.map(({ id, name, rate, included }): [number, TaxRate] => [id, { name, rate, included: included === 1 }]),
  );
  const fees = rows.map(({ revision: _revision, tax_rate_id, ...fee }): Fee => {
    const tax = taxRates.get(tax_rate_id ?? 0);
    return { ...fee, ...(tax && { tax }) };
  });
  return { taxRates, fees };
}
