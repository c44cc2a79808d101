import { htmlToText } from '../../lib/text.ts';
import { type Html, html } from '../html.ts';
import type { EventBody } from '../public/bodies.ts';

/** What an event costs, as its organizer or its tickets say. */
export function priceLine({ cost, cost_details: { values } }: EventBody): Html | undefined {
  if (cost === '') return undefined;
  const isFree = values.length > 0 && values.every((value) => Number(value) === 0);
  // The interface answers HTML.
  return html`<span class="card-price${isFree && ' is-free'}">${htmlToText(cost)}</span>`;
}
