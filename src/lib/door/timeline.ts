/** Passages of one ticket in chronological order, and the state that they lead to; shared with the app at the door. */

/** Whether a ticket admits again: never, after its holder was scanned out, or always. */
export const REENTRIES = ['never', 'after_out', 'always'] as const;
export type Reentry = (typeof REENTRIES)[number];

export interface Passage {
  /** Unique for the ticket. */
  key: string;
  /** Corrected time. */
  at: string;
  action: 'in' | 'out';
  /** Rule of the gate. */
  reentry: Reentry;
  /** Whether the volunteer let the holder in again on purpose. */
  overrides: boolean;
  /** Whether a check-out corrects the entry: its holder has not left, but was never in. */
  corrects?: boolean;
}

export interface Timeline<P extends Passage = Passage> {
  isIn: boolean;
  /** Whether the holder was in before and has left. */
  hasLeft: boolean;
  /** The entry that counts: the earliest since the holder was last out. */
  entry: P | undefined;
  /** Passages that changed the state, in order. */
  effective: P[];
  /** Entries with a ticket that had already been used, each with the entry before. */
  clashes: { first: P; second: P }[];
}

/** Compares passages by time, and by key at the same moment, so that every reader finds the same order. */
export function comparePassages(one: Passage, other: Passage): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1;
  if (one.key === other.key) return 0;
  return one.key < other.key ? -1 : 1;
}

/**
 * Follows a ticket through its passages, whatever the order in which they arrived. The earliest admission is the entry;
 * later ones are clashes unless the rule of the gate or the volunteer allows them.
 */
export function timelineOf<P extends Passage>(passages: readonly P[]): Timeline<P> {
  const timeline: Timeline<P> = { isIn: false, hasLeft: false, entry: undefined, effective: [], clashes: [] };
  let lastEntry: P | undefined;
  for (const passage of [...passages].sort(comparePassages)) {
    if (passage.action === 'out') {
      if (!timeline.isIn) continue;
      timeline.effective.push(passage);
      Object.assign(timeline, { isIn: false, hasLeft: !passage.corrects, entry: undefined });
      continue;
    }
    const isAllowed = passage.overrides || passage.reentry === 'always';
    const isUsed = timeline.isIn || (timeline.hasLeft && passage.reentry === 'never');
    if (isUsed && !isAllowed && lastEntry) timeline.clashes.push({ first: lastEntry, second: passage });
    if (timeline.isIn) continue;
    timeline.effective.push(passage);
    lastEntry = passage;
    Object.assign(timeline, { isIn: true, hasLeft: false, entry: passage });
  }
  return timeline;
}
