import { termEndpoints } from '../../kinds/term.ts';

/** Categories form a tree. Whoever may publish events may keep them. */
export const categoryEndpoints = termEndpoints({
  taxonomy: 'category',
  plural: 'categories',
  isTree: true,
  capability: 'manage_categories',
});
