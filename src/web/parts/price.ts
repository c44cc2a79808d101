import { type Html, html } from '../html.ts';
import type { EventBody } from '../public/bodies.ts';

/** What an event costs, as its organizer or its tickets say. */
export const priceLine = ({ cost }: EventBody): Html | undefined =>
  cost === '' ? undefined : html`<span class="card-price">${cost}</span>`;
