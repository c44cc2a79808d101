import type { z } from 'zod';
import type { LinkedKind } from '../../lib/linked-kinds.ts';
import type { LinkedPostKind } from '../linked-posts/kind.ts';
import { organizer } from './organizer.ts';
import { venue } from './venue.ts';

const kinds = { venue, organizer } satisfies Readonly<Record<LinkedKind, LinkedPostKind>>;

/** Kinds of linked posts, in the order used by documents and events. */
export const linkedPostKinds: Readonly<Record<LinkedKind, LinkedPostKind>> = kinds;

/** Record of a kind in responses. */
export type LinkedRecord<K extends LinkedKind = LinkedKind> = z.output<(typeof kinds)[K]['schema']>;

/** Linked records in the response of an event: a list, or an object for a single one. */
export type LinkedOfEvent<K extends LinkedKind> =
  | LinkedRecord<K>[]
  | ((typeof kinds)[K]['inEvents'] extends { isUnwrapped: true } ? LinkedRecord<K> : never);
