import type { Capability } from '../http/auth.ts';
import type { Taxonomy } from './term-store.ts';

/** What sets one kind of term apart from another. */
export interface TermKind {
  taxonomy: Taxonomy;
  /** Last word of the routes, and key of the list. */
  plural: string;
  /** Whether terms may have parents. */
  isTree: boolean;
  /** Needed to write, besides editing events. */
  capability: Capability;
}
