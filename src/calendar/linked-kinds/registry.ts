import type { LinkedKind } from '../../lib/linked-kinds.ts';
import type { LinkedPostKind } from '../linked-posts/kind.ts';
import { organizer } from './organizer.ts';
import { venue } from './venue.ts';

/** Kinds of linked posts, in the order used by documents and events. */
export const linkedPostKinds: Readonly<Record<LinkedKind, LinkedPostKind>> = { venue, organizer };
