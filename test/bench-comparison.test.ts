import { describe, expect, it } from 'vitest';
import { type Comparison, judge } from '../bench/against.ts';
import { comparableTargets } from '../bench/print-targets.ts';
import type { Original } from '../bench/sites.ts';

const compared = (ratio: number, scatter = 0): Comparison => ({
  ...{ name: 'repeated', figure: 'processor', old: 1, again: 1 + scatter, new: ratio },
  ratio,
  scatter,
});

describe('the comparison of two versions', () => {
  it.each([
    ['equal within 3 %', compared(1.03), []],
    ['slower beyond 3 %', compared(1.04), ['repeated (processor)']],
    ['equal within the scatter', compared(1.04, 0.05), []],
  ])('calls a case %s', (_verdict, one, slower) => {
    expect(judge('sqlite', [one]).slower).toEqual(slower);
  });

  it('gives no verdict without a processor time', () => {
    expect(() => judge('sqlite', [compared(Number.NaN)])).toThrow('processor time');
  });

  const original = { kind: 'sqlite', events: [] as Original['events'] } as Original; // all that targets are made of here
  it.each([
    ['an unknown target', ['repeatd'], false],
    ['a target with background work', ['sales'], false],
    ['a cold target with a memory', ['cold-lists'], false],
    ['a warm target without a memory', ['repeated'], true],
  ])('refuses %s', (_why, cases, isCold) => {
    expect(() => comparableTargets(original, { cases, isCold })).toThrow(`${cases[0]}: with --memory`);
  });

  it('takes the targets that it can compare', () => {
    const names = comparableTargets(original, { cases: ['new-lists', 'repeated'], isCold: false }).map(
      ({ name }) => name,
    );
    expect(names).toEqual(['repeated', 'new-lists']);
  });
});
