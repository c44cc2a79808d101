import type { TermKind } from '../terms/kind.ts';

/** Tags are flat. Managing them requires the rights of an editor. */
export const tag: TermKind = {
  taxonomy: 'tag',
  plural: 'tags',
  isTree: false,
  capability: 'manage_tags',
};
