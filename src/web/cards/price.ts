import { isFree } from '../../lib/money/cost.ts';
import { htmlToText } from '../../lib/text/text.ts';
import { type Html, html } from '../frame/html.ts';
import type { Event } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';

/** Price of an event, from its organizer or its tickets; the word for "free" in the language of the page. */
export function priceLine({ cost }: Event, { t }: Visit): Html | undefined {
  if (cost === '') return undefined;
  // The interface returns HTML.
  const words = isFree(cost) ? t('label.free') : htmlToText(cost);
  return html`<span class="card-price${isFree(cost) && ' is-free'}">${words}</span>`;
}
