import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant, StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';

/** Keeps mutants of a file at equal distances, the same ones in each run. */
class Sample implements Checker {
  static inject = tokens(commonTokens.options);
  readonly #size: number;
  readonly #kept = new Set<string>();

  constructor(options: StrykerOptions) {
    this.#size = Number(options.sample);
  }

  async init(): Promise<void> {}

  /** Gets all mutants at once, in the order of the file. */
  async group(mutants: Mutant[]): Promise<string[][]> {
    const step = Math.max(1, mutants.length / (this.#size || mutants.length));
    for (let at = step / 2; at < mutants.length; at += step) this.#kept.add(mutants[Math.floor(at)]?.id ?? '');
    return [mutants.map(({ id }) => id)];
  }

  async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
    const resultOf = ({ id }: Mutant): CheckResult =>
      this.#kept.has(id)
        ? { status: CheckStatus.Passed }
        : { status: CheckStatus.CompileError, reason: 'not in the sample' };
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, resultOf(mutant)]));
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', Sample)];
