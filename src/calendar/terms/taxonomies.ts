import { type Capability, can, type Viewer } from '../../http/core/auth.ts';
import type { Taxonomy } from './store.ts';

/** Definition of a kind of term. */
export interface TermKind {
  taxonomy: Taxonomy;
  /** Last segment of the routes, and key of the list. */
  plural: string;
  /** Whether terms may have parents. */
  isTree: boolean;
  /** Capability required to write, besides `edit`. */
  capability: Capability;
}

/** Whether a viewer may write the terms of a kind. */
export const mayWriteTerms = ({ capability }: TermKind, viewer: Viewer): boolean => can(viewer, 'edit', capability);

/** Categories form a tree. Managing them requires the right to publish events. */
export const category: TermKind = {
  taxonomy: 'category',
  plural: 'categories',
  isTree: true,
  capability: 'manage_categories',
};

/** Tags are flat. Managing them requires the rights of an editor. */
export const tag: TermKind = {
  taxonomy: 'tag',
  plural: 'tags',
  isTree: false,
  capability: 'manage_tags',
};
