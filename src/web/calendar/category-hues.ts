import { html } from '../frame/html.ts';
import type { Term } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';

/** Colour of a category, with the topmost category that has it. */
export interface Hue {
  color: string;
  category: Pick<Term, 'id' | 'name' | 'slug'>;
}

const MOST = 100;

/** Colours of categories by id; a category without a colour has that of its parent. */
export const categoryHues = (visit: Visit): Promise<ReadonlyMap<number, Hue>> =>
  visit.once('category hues', async () => {
    const { categories } = await visit.ask('categories.list', { per_page: MOST });
    const byId = new Map(categories.map((category) => [category.id, category]));
    return new Map(
      categories.flatMap(({ id }) => {
        const hue = hueOf(id, byId);
        return hue ? [[id, hue] as const] : [];
      }),
    );
  });

function hueOf(id: number, byId: ReadonlyMap<number, Term>): Hue | undefined {
  const line = lineOf(id, byId);
  const first = line.findIndex(({ color }) => color !== undefined);
  const color = line[first]?.color;
  if (color === undefined) return undefined;
  const end = line.findIndex((one, index) => index > first && one.color !== undefined && one.color !== color);
  const category = line.slice(first, end === -1 ? undefined : end).findLast((one) => one.color === color);
  // Cached for all visitors: the addresses of a term are those of one host.
  return category && { color, category: { id: category.id, name: category.name, slug: category.slug } };
}

/** A category and its ancestors, from the bottom. */
function lineOf(id: number, byId: ReadonlyMap<number, Term>): Term[] {
  const line: Term[] = [];
  for (let at = byId.get(id); at && !line.includes(at); at = byId.get(at.parent ?? 0)) line.push(at);
  return line;
}

/** Area in a colour, which style attributes cannot give it under the content security policy. */
export const swatch = (color: string) =>
  html`<svg class="hue" aria-hidden="true"><rect width="100%" height="100%" fill="${color}"/></svg>`;
