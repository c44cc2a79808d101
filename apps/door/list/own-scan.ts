import type { DoorScan } from '../../../packages/client/src/marquee-client.ts';
import type { Verdict } from '../../../src/lib/door/door-verdict.ts';
import { type Passage, type Reentry, type Timeline, timelineOf } from '../../../src/lib/door/timeline.ts';

/** A scan of this device as it is sent, with the knowledge of the device. */
export interface OwnScan {
  /** Position among the scans of the device. */
  order: number;
  sent: DoorScan;
  /** Attendee of the list; undefined for a ticket that is not in it. */
  attendee: number | undefined;
  /** Corrected time, as verdicts compare it. */
  at: string;
  /** Verdict that was shown; undefined until it is decided. */
  verdict: Verdict | undefined;
  reentry: Reentry;
  isUndone: boolean;
  /** Mode of the scan that this one undoes; undefined for others. */
  takesBack: 'in' | 'out' | undefined;
  /** Response of the server; the scan is dropped once the list reflects it. */
  answer: { verdict: Verdict; clash: boolean } | undefined;
  /** Whether the server cannot read it. Such a scan is shown, and never dropped unseen. */
  isRefused: boolean;
}

/** Whether a scan still waits for its response. */
export const isWaiting = ({ answer, isRefused }: OwnScan): boolean => !answer && !isRefused;

/** The passage that follows from a scan; undefined if its holder did not pass. */
function passageOf({ sent, at, verdict, reentry, isUndone, takesBack, answer }: OwnScan): Passage | undefined {
  const { id, mode, let_in, override } = sent;
  const passage = { key: id, at, reentry, overrides: override === true };
  // The list may have the scan already, so leaving it out is not enough.
  if (takesBack === 'in') return isTakenBack(answer) ? { ...passage, action: 'out', corrects: true } : undefined;
  if (takesBack === 'out') return isTakenBack(answer) ? { ...passage, action: 'in', overrides: true } : undefined;
  if (isUndone || (mode !== 'in' && mode !== 'out') || let_in === false) return undefined;
  // Without a decision of the device, the response counts.
  const decided = let_in ? verdict : (answer?.verdict ?? verdict);
  return decided === (mode === 'in' ? 'welcome' : 'goodbye') ? { ...passage, action: mode } : undefined;
}

const isTakenBack = (answer: OwnScan['answer']): boolean => answer?.verdict !== 'not-undone';

/** A holder in the list: start of the stay, empty unless the holder is in, and whether the holder has left. */
interface Stay {
  since: string;
  hasLeft: boolean;
}

/** Timeline of a ticket as a device knows it: the state in the list, followed by its own scans. */
export function ownTimeline({ since, hasLeft }: Stay, scans: readonly OwnScan[], reentry: Reentry): Timeline {
  const listed = (action: 'in' | 'out', at: string): Passage => ({
    key: `list-${action}`,
    at,
    action,
    reentry,
    overrides: true,
  });
  const passages: Passage[] = [];
  // The list has no time of departure, but it precedes all scans that the list does not know.
  if (since !== '') passages.push(listed('in', since));
  else if (hasLeft) passages.push(listed('in', '0'), listed('out', '0'));
  // Both are the same moment, in the order of their keys.
  return timelineOf([...passages, ...scans.flatMap((scan) => passageOf(scan) ?? [])]);
}
