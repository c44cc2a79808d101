import { termEndpoints } from '../../kinds/term.ts';

/** Tags have no parents. Editors keep them. */
export const tagEndpoints = termEndpoints({
  taxonomy: 'tag',
  plural: 'tags',
  isTree: false,
  capability: 'manage_tags',
});
