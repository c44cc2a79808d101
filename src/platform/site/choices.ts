import type { Config } from '../../base/config.ts';
import { withChoices } from '../../base/site-config.ts';
import type { Database } from '../../db/database.ts';
import { type SiteChoices, settleFirstLanguage } from '../../db/site-settings.ts';
import { invalidParam } from '../../http/core/errors.ts';
import { decimalsOf } from '../../lib/money/money.ts';

interface Choosing {
  before: SiteChoices;
  after: SiteChoices;
}

/**
 * Checks what the site chooses against the records that there are: their own texts are in the first language, and their
 * prices in minor units of the currency. In a transaction, since the first language of an empty site is settled here.
 * @throws {InvalidParams}
 */
export async function checkChoices(trx: Database, config: Config, { before, after }: Choosing): Promise<void> {
  const [from, to] = [withChoices(config, before), withChoices(config, after)];
  const [first = 'en'] = to.languages;
  if (first !== from.languages[0]) {
    const settled = await settleFirstLanguage(trx, first);
    if (settled !== first) throw invalidParam('languages', 'param.first_language', { first: settled });
  }
  if (decimalsOf(to.currency) !== decimalsOf(from.currency) && (await hasPrices(trx)))
    throw invalidParam('currency', 'param.currency_decimals', { currency: from.currency });
}

async function hasPrices({ query }: Database): Promise<boolean> {
  const found = await query.selectFrom('tickets').select('id').where('price', '>', 0).limit(1).executeTakeFirst();
  return found !== undefined;
}
