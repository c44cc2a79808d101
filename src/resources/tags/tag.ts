import type { TermKind } from '../terms/kind.ts';

/** Tags have no parents. Editors keep them. */
export const tag: TermKind = {
  taxonomy: 'tag',
  plural: 'tags',
  isTree: false,
  capability: 'manage_tags',
};
