import { decimalsOf, MAX_CHOSEN, siteSymbol } from '../../lib/money/money.ts';
import { typedAmount } from '../../lib/money/typed-amount.ts';
import { typedNumber } from '../../lib/money/typed-number.ts';
import { type Html, html } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';
import { priceInWords } from './price.ts';

/** Fields for prices and donations that visitors choose. */

/** Room for the greatest amount with thousands and a currency. */
const MAX_LENGTH = 25;
/** In minor units: `12.50`. */
const EXAMPLE = 1250;

type Reader = Pick<Visit, 't' | 'language' | 'config'>;

function amountText(minor: number, { language, config }: Reader): string {
  const decimals = decimalsOf(config.currency);
  return typedNumber(minor, { language, decimals }, decimals);
}

/** Name and id of the field for the price of a ticket. */
export const priceField = (ticketId: number): string => `price-${ticketId}`;

interface PriceOptions {
  id: number;
  /** Title of the ticket, which tells its field from others. */
  title: string;
  minor: number;
  typed: string | undefined;
}

/** Field for the price of a place, with the suggested or chosen one. */
export function priceInput({ id, title, minor, typed }: PriceOptions, visit: Reader): Html {
  const label = html`${visit.t('tickets.your_price', { currency: visit.config.currency })}<span class="visually-hidden"> ${title}</span>`;
  return amountInput({ name: priceField(id), label, value: typed ?? amountText(minor, visit) });
}

const amountInput = ({ name, label, value }: { name: string; label: Html | string; value: string }): Html =>
  html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${value}" maxlength="${MAX_LENGTH}" inputmode="decimal" autocomplete="off"></div>`;

/** Field for a donation beside the tickets of a cart, with buttons for suggested ones. */
export function donationInput(minor: number, typed: string | undefined, visit: Visit): Html | undefined {
  if (!visit.site?.accepts_donations) return undefined;
  const { t, site, config } = visit;
  const value = typed ?? (minor > 0 ? amountText(minor, visit) : '');
  return html`${amountInput({ name: 'donation', label: t('cart.donation_label', { currency: config.currency }), value })}
<p class="acts">${site.donation_amounts.map((amount) => html`<button class="quiet" name="donate" value="${amount}">${t('cart.donate', { amount: priceInWords(amount, visit) })}</button> `)}</p>`;
}

/** Minor units of an amount that a visitor typed, or a message if it is unreadable or too high. */
export function readTyped(text: string, visit: Reader): number | string {
  const { t, language, config } = visit;
  const minor = typedAmount(text, { currency: config.currency, symbol: siteSymbol(config), language });
  if (minor === undefined) return t('tickets.price_unreadable', { example: amountText(EXAMPLE, visit) });
  return minor <= MAX_CHOSEN ? minor : t('tickets.price_too_high', { most: priceInWords(MAX_CHOSEN, visit) });
}

/** Minor units of a suggested donation, which its button sends; a message for anything else. */
export const readSuggested = (digits: string, visit: Reader): number | string =>
  /^\d{1,15}$/.test(digits) && Number(digits) <= MAX_CHOSEN ? Number(digits) : readTyped('', visit);
