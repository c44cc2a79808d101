import type { Verdict } from '../../../src/lib/door/door-verdict.ts';

/** Colour and sound of a verdict: let in, ask, do not let in; `quiet` for an expected result. */
export type Tone = 'yes' | 'ask' | 'no' | 'quiet';

/** Sign of a verdict, so that it is read without colours. */
type Sign = '✓' | '←' | '↩' | '✕' | '?' | '◷';

interface Look {
  tone: Tone;
  sign: Sign;
}

const LOOKS: Readonly<Record<Verdict, Look>> = {
  welcome: { tone: 'yes', sign: '✓' },
  goodbye: { tone: 'yes', sign: '←' },
  'already-in': { tone: 'ask', sign: '↩' },
  'not-in': { tone: 'ask', sign: '↩' },
  unpaid: { tone: 'no', sign: '✕' },
  pending: { tone: 'no', sign: '✕' },
  cancelled: { tone: 'no', sign: '✕' },
  refunded: { tone: 'no', sign: '✕' },
  declined: { tone: 'no', sign: '✕' },
  unknown: { tone: 'no', sign: '?' },
  'wrong-code': { tone: 'no', sign: '?' },
  'other-event': { tone: 'no', sign: '?' },
  'other-gate': { tone: 'ask', sign: '↩' },
  'not-allowed': { tone: 'no', sign: '✕' },
  'too-early': { tone: 'ask', sign: '◷' },
  'too-late': { tone: 'ask', sign: '◷' },
  'list-too-old': { tone: 'ask', sign: '◷' },
  undone: { tone: 'quiet', sign: '↩' },
  'not-undone': { tone: 'ask', sign: '↩' },
};

export const lookOf = (verdict: Verdict): Look => LOOKS[verdict];
