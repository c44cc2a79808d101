import type { TermOrder, TermRow } from './terms.ts';

/** A category with its subcategories. */
export interface TreeNode {
  id: number;
  row: TermRow;
  children: readonly TreeNode[];
  /** Whether a search found the category itself, not only one below it. */
  isFound: boolean;
}

/** Compares rows: by name in the order of a language, by counts from the highest. */
export function comparing(order: TermOrder, language: string): (one: TermRow, other: TermRow) => number {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const byName = (one: TermRow, other: TermRow) => compare(one.term.name, other.term.name) || one.id - other.id;
  return order === 'name' ? byName : (one, other) => other[order] - one[order] || byName(one, other);
}

const parentOf = ({ term }: TermRow): number => term.parent ?? 0;

function childrenByParent(rows: readonly TermRow[]): Map<number, TermRow[]> {
  const ids = new Set(rows.map(({ id }) => id));
  const children = new Map<number, TermRow[]>();
  for (const row of rows) {
    // While the tree was read, the parent may have been deleted.
    const parent = ids.has(parentOf(row)) ? parentOf(row) : 0;
    const siblings = children.get(parent);
    if (siblings) siblings.push(row);
    else children.set(parent, [row]);
  }
  return children;
}

/** The tree of some categories, each level in an order. */
export function treeOf(rows: readonly TermRow[], compare: (one: TermRow, other: TermRow) => number): TreeNode[] {
  const children = childrenByParent(rows.toSorted(compare));
  const below = (id: number): TreeNode[] =>
    (children.get(id) ?? []).map((row) => ({ id: row.id, row, children: below(row.id), isFound: true }));
  return below(0);
}

/** A text without case and accents, as searches compare it. */
const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether all words of a search occur in some texts. */
export function hasWords(search: string, ...texts: readonly string[]): boolean {
  const text = folded(texts.join(' '));
  return folded(search)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Matches of a search in a tree, with their ancestors. */
export function found(nodes: readonly TreeNode[], search: string): TreeNode[] {
  if (search.trim() === '') return [...nodes];
  return nodes.flatMap((node) => {
    const children = found(node.children, search);
    const isFound = hasWords(search.trim(), node.row.term.name, node.row.term.slug);
    return isFound || children.length > 0 ? [{ ...node, children, isFound }] : [];
  });
}

/** All nodes of a tree, parents before their children. */
export const flat = (nodes: readonly TreeNode[]): TreeNode[] => nodes.flatMap((node) => [node, ...flat(node.children)]);

/** The names from the top of the tree to a category. */
export function pathOf(id: number, rows: readonly TermRow[]): string[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const names: string[] = [];
  const seen = new Set<number>();
  for (let row = byId.get(id); row && !seen.has(row.id); row = byId.get(parentOf(row))) {
    seen.add(row.id);
    names.unshift(row.term.name);
  }
  return names;
}

/** Names of a category's ancestors; empty at the top level. */
export const placeOf = (id: number, rows: readonly TermRow[]): string => pathOf(id, rows).slice(0, -1).join(' › ');

/** The ids of a category and of everything below it: none of them can be above it. */
export function withBelow(id: number, rows: readonly TermRow[]): Set<number> {
  const children = childrenByParent(rows);
  const all = new Set<number>([id]);
  for (const one of all) for (const child of children.get(one) ?? []) all.add(child.id);
  return all;
}

/** Number of categories directly below others, not counting those. */
export const countChildren = (ids: ReadonlySet<number>, rows: readonly TermRow[]): number =>
  rows.filter((row) => ids.has(parentOf(row)) && !ids.has(row.id)).length;
