import type { TermKind } from '../terms/kind.ts';

/** Categories form a tree. Managing them requires the right to publish events. */
export const category: TermKind = {
  taxonomy: 'category',
  plural: 'categories',
  isTree: true,
  capability: 'manage_categories',
};
