import { dirname, join } from 'node:path';

/** An import, types included. Its paths begin where those of the files that were read begin. */
export interface Import {
  from: string;
  to: string;
  /** The text before `from`; empty for `import('…')`. */
  names: string;
  /** Whether it is an `import('…')` that loads the file later, so not the type `import('…').Type`. */
  isLazy?: boolean;
}

const IMPORT = /(?:^(?:import|export) ([^';]*? from )?|\b(import)\(\s*)'(\.[^']+)'(\s*\)\.[A-Z])?/gms;

export const importsOf = (from: string, source: string): Import[] =>
  [...source.matchAll(IMPORT)].map(([, names = '', call, path = '', type]) => ({
    ...{ from, to: join(dirname(from), path), names },
    isLazy: call !== undefined && type === undefined,
  }));

/** Files, or what `unitOf` makes of them such as folders, that import themselves indirectly. */
export function circles(all: readonly Import[], unitOf: (file: string) => string = (file) => file): string[] {
  const own = Map.groupBy(all, ({ from }) => unitOf(from));
  const isCircular = (start: string) => {
    const reached = new Set<string>();
    const pending = [start];
    for (const unit of pending)
      for (const { to } of own.get(unit) ?? []) {
        const next = unitOf(to);
        if (!reached.has(next)) pending.push(next);
        reached.add(next);
      }
    return reached.has(start);
  };
  return [...own.keys()].filter(isCircular);
}

/** Imports between folders, at any depth. */
export const betweenFolders = (all: readonly Import[]): Import[] =>
  all.filter(({ from, to }) => dirname(from) !== dirname(to));
