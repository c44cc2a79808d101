import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant, StrykerOptions } from '@stryker-mutator/api/core';
import type { Ignorer } from '@stryker-mutator/api/ignore';
import { commonTokens, declareClassPlugin, declareValuePlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';

/** The parts of a path of Babel that are used here, which Stryker does not declare. */
interface Path {
  /** `arguments` for those of a call. */
  listKey?: string;
  node: { type: string; value?: unknown; key?: { name?: string } };
  parent: { callee?: { property?: { name?: string } } } | null;
}

/** Leaves out the texts of the API documentation. */
const texts: Ignorer = {
  shouldIgnore(path) {
    const { listKey, node, parent } = path as Path;
    const method = listKey === 'arguments' ? parent?.callee?.property?.name : undefined;
    const isDescribed = method === 'describe' || method === 'meta';
    const isSentence = node.type === 'StringLiteral' && /^[A-Z].* .*\.$/.test(String(node.value));
    const isProperty = node.type === 'ObjectProperty' && /^(summary|description)$/.test(node.key?.name ?? '');
    return isDescribed || isSentence || isProperty ? 'documentation' : undefined;
  },
};

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

export const strykerPlugins = [
  declareClassPlugin(PluginKind.Checker, 'sample', Sample),
  declareValuePlugin(PluginKind.Ignore, 'texts', texts),
];
