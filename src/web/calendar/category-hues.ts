import { huesOf } from '../../lib/category-hues.ts';
import { html } from '../frame/html.ts';
import type { Term } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';

/** Colour of a category, with the topmost category that has it. */
export interface Hue {
  color: string;
  category: Pick<Term, 'id' | 'name' | 'slug'>;
}

const MOST = 100;

/** Colours of categories by id. */
export const categoryHues = (visit: Visit): Promise<ReadonlyMap<number, Hue>> =>
  visit.once('category hues', async () => {
    const { categories } = await visit.ask('categories.list', { per_page: MOST });
    // Cached for all visitors: the addresses of a term are those of one host.
    return huesOf(categories.map(({ id, name, slug, parent, color }) => ({ id, name, slug, parent, color })));
  });

/** Area in a colour, which style attributes cannot give it under the content security policy. */
export const swatch = (color: string) =>
  html`<svg class="hue" aria-hidden="true"><rect width="100%" height="100%" fill="${color}"/></svg>`;
