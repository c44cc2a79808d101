/** Colours of categories, in public calendars and in the console. */

/** Category as the API returns it. */
interface ColoredCategory {
  id: number;
  parent?: number;
  color?: string;
}

/** Colour of a category, with the topmost category that has it. */
interface Hue<T> {
  color: string;
  category: T;
}

/** Colours of categories by id; a category without a colour has its parent's. */
export function huesOf<T extends ColoredCategory>(categories: readonly T[]): ReadonlyMap<number, Hue<T>> {
  const byId = new Map(categories.map((category) => [category.id, category]));
  return new Map(
    categories.flatMap(({ id }) => {
      const hue = hueOf(id, byId);
      return hue ? [[id, hue] as const] : [];
    }),
  );
}

/** Colour of an event: the colour of its oldest category that has one, whatever the order of its categories. */
export const hueIn = <H>(categories: readonly number[], hues: ReadonlyMap<number, H>): H | undefined =>
  categories
    .toSorted((one, other) => one - other)
    .map((id) => hues.get(id))
    .find((hue) => hue !== undefined);

function hueOf<T extends ColoredCategory>(id: number, byId: ReadonlyMap<number, T>): Hue<T> | undefined {
  const line = lineOf(id, byId);
  const first = line.findIndex(({ color }) => color !== undefined);
  const color = line[first]?.color;
  if (color === undefined) return undefined;
  const end = line.findIndex((one, index) => index > first && one.color !== undefined && one.color !== color);
  const category = line.slice(first, end === -1 ? undefined : end).findLast((one) => one.color === color);
  return category && { color, category };
}

/** A category and its ancestors, from the bottom. */
function lineOf<T extends ColoredCategory>(id: number, byId: ReadonlyMap<number, T>): T[] {
  const line: T[] = [];
  for (let at = byId.get(id); at && !line.includes(at); at = byId.get(at.parent ?? 0)) line.push(at);
  return line;
}
