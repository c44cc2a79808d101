import type { z } from 'zod';
import type { LinkedKind } from '../../lib/linked-kinds.ts';
import type { LinkedPostKind } from '../linked-posts/kind.ts';
import { organizer } from './organizer.ts';
import { venue } from './venue.ts';

const kinds = { venue, organizer } satisfies Readonly<Record<LinkedKind, LinkedPostKind>>;

/** The kinds of linked posts, in the order used by documents and events. */
export const linkedPostKinds: Readonly<Record<LinkedKind, LinkedPostKind>> = kinds;

/** A record of a kind in responses. */
export type LinkedRecord<K extends LinkedKind = LinkedKind> = z.output<(typeof kinds)[K]['schema']>;

/** The records of a kind in the response of an event: a list, or the only one by itself. */
export type LinkedOfEvent<K extends LinkedKind> =
  | LinkedRecord<K>[]
  | ((typeof kinds)[K]['inEvents'] extends { isUnwrapped: true } ? LinkedRecord<K> : never);
