import type { TermKind } from '../terms/kind.ts';

/** Categories form a tree. Whoever may publish events may keep them. */
export const category: TermKind = {
  taxonomy: 'category',
  plural: 'categories',
  isTree: true,
  capability: 'manage_categories',
};
