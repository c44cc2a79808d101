import type { LinkedRecord } from '../../calendar/linked-kinds/registry.ts';
import { LINKED_KIND_NAMES, LINKED_KINDS, type LinkedKind, perLinkedKind } from '../../lib/linked-kinds.ts';
import type { Term } from '../frame/responses.ts';
import { textOf } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import type { FilterName } from './filters.ts';

/** Option of a filter. */
export interface Choice {
  value: string;
  label: string;
  /** Depth in the category tree, from 0. */
  depth: number;
}

/** Filters with a list of options. */
export const CHOSEN = ['categories', ...LINKED_KIND_NAMES, 'tags'] as const satisfies readonly FilterName[];
export type ChosenFilter = (typeof CHOSEN)[number];

/** Options of each filter. Lists with too many entries are not offered. */
export type FilterOptions = Readonly<Record<ChosenFilter, readonly Choice[]>>;

/** Maximum number of entries of a list. */
const MOST = 100;
/** Number of offered tags, most used first. */
const MOST_TAGS = 40;

export const filterOptions = (visit: Visit): Promise<FilterOptions> =>
  visit.once('filter options', () => readOptions(visit));

async function readOptions(visit: Visit): Promise<FilterOptions> {
  const { ask, language } = visit;
  const [{ categories }, { tags }, ...linked] = await Promise.all([
    ask('categories.list', { per_page: MOST }),
    ask('tags.list', { per_page: MOST_TAGS, orderby: 'count', order: 'desc' }),
    ...LINKED_KIND_NAMES.map((kind) => linkedChoices(visit, kind)),
  ]);
  const byLabel = (a: Choice, b: Choice) => a.label.localeCompare(b.label, language);
  return {
    categories: treeOf(categories),
    tags: tags.map((tag) => choice(tag, tag.name)).sort(byLabel),
    ...perLinkedKind((kind) => linked[LINKED_KIND_NAMES.indexOf(kind)] ?? []),
  };
}

async function linkedChoices({ ask }: Visit, kind: LinkedKind): Promise<Choice[]> {
  const { plural } = LINKED_KINDS[kind];
  const list: { total: number } & Partial<Record<typeof plural, LinkedRecord[]>> = await ask(`${plural}.list`, {
    per_page: MOST,
  });
  return list.total > MOST ? [] : (list[plural] ?? []).map((one) => choice(one, textOf(one, kind) ?? ''));
}

/** A slug of digits would be taken for an id. */
const choice = ({ id, slug = '' }: { id: number; slug?: string }, label: string, depth = 0): Choice => ({
  value: /^\d*$/.test(slug) ? String(id) : slug,
  label,
  depth,
});

/** Categories, each followed by its children. */
function treeOf(categories: readonly Term[]): Choice[] {
  const known = new Set(categories.map(({ id }) => id));
  const parentOf = ({ parent = 0 }: Term) => (known.has(parent) ? parent : 0);
  const below = (parent: number, depth: number): Choice[] =>
    categories
      .filter((category) => parentOf(category) === parent)
      .flatMap((category) => [choice(category, category.name, depth), ...below(category.id, depth + 1)]);
  return below(0, 0);
}
