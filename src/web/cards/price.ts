import { isFree } from '../../lib/money/cost.ts';
import { localCost } from '../../lib/money/local-cost.ts';
import { formatMoney, siteFormat, siteSymbol } from '../../lib/money/money.ts';
import { formatRate } from '../../lib/money/rates.ts';
import { htmlToText } from '../../lib/text/text.ts';
import { type Html, html } from '../frame/html.ts';
import type { Event } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';

/** Prices in the language of the page. */

/**
 * Price of an event, from its organizer or its tickets. The interface leaves RSVPs out of the cost of an event with
 * other tickets; visitors learn that they are free.
 */
export function priceLine({ cost, cost_details, ticketed }: Event, { t, language, config }: Visit): Html | undefined {
  if (cost === '') return undefined;
  const reader = { language, free: t('label.free'), currency: config.currency, symbol: siteSymbol(config) };
  // The interface returns HTML.
  const text = htmlToText(cost);
  const { values } = cost_details;
  const providers = ticketed || [];
  const isFreeToo = !isFree(cost) && ['rsvp', 'tc'].every((one) => providers.includes(one));
  const words = isFreeToo
    ? [reader.free, localCost({ cost: text.split(' – ').at(-1) ?? '', values }, reader)].join(' – ')
    : localCost({ cost: text, values }, reader);
  return html`<span class="card-price${isFree(cost) && ' is-free'}">${words}</span>`;
}

/**
 * Formats an amount in minor units; 0 is shown as free.
 * @param currency by default, the currency of the site
 */
export function priceInWords(
  minor: number,
  { t, language, config }: Pick<Visit, 't' | 'language' | 'config'>,
  currency = config.currency,
): string {
  if (minor === 0) return t('label.free');
  return formatMoney(minor, siteFormat(config, language, currency));
}

/** Name of a tax with its rate. */
export const taxName = (
  { name, rate }: { name: string; rate: number },
  { language }: Pick<Visit, 'language'>,
): string => `${name} ${formatRate(rate, language)}`;
