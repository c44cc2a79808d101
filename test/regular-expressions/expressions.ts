import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseAst } from 'vitest/node';

const run = promisify(execFile);
const RECORDER = fileURLToPath(new URL('./regexp-recorder.mjs', import.meta.url));
const SOURCES = fileURLToPath(new URL('../../src', import.meta.url));

/** A regular expression of the sources. */
export interface Expression {
  file: string;
  source: string;
  flags: string;
}

/** All files of the program, without its tests. */
export const sourceFiles = (): string[] =>
  globSync('**/*.ts', { cwd: SOURCES })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => join(SOURCES, file))
    .sort();

interface Found {
  /** Regular expression literals. */
  literals: Expression[];
  /** Number of calls of `RegExp` that run on import, and of others. */
  calls: { outside: number; inFunctions: string[] };
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Every descendant of a node, and whether it is inside a function. */
function* nodesOf(node: Node, inFunction = false): Generator<{ node: Node; inFunction: boolean }> {
  yield { node, inFunction };
  const isInside = inFunction || /Function/.test(String(node.type));
  for (const value of Object.values(node)) {
    for (const inner of Array.isArray(value) ? value : [value]) if (isNode(inner)) yield* nodesOf(inner, isInside);
  }
}

/** The expressions in the text of a file. */
function expressionsIn(file: string, text: string): Found {
  const code = stripTypeScriptTypes(text);
  // The syntax tree of ESTree, whose nodes are plain objects with a type.
  const tree = parseAst(code) as unknown as Node;
  const found: Found = { literals: [], calls: { outside: 0, inFunctions: [] } };
  for (const { node, inFunction } of nodesOf(tree)) {
    if (node.type === 'Literal' && isPattern(node.regex))
      found.literals.push({ file, source: node.regex.pattern, flags: node.regex.flags });
    const isCall = node.type === 'NewExpression' || node.type === 'CallExpression';
    if (!isCall || !isNode(node.callee) || node.callee.name !== 'RegExp') continue;
    if (inFunction) found.calls.inFunctions.push(code.slice(Number(node.start), Number(node.end)));
    else found.calls.outside += 1;
  }
  return found;
}

const isPattern = (value: unknown): value is { pattern: string; flags: string } =>
  typeof value === 'object' && value !== null && 'pattern' in value;

/** The expressions that files build with `RegExp` when they are imported. */
async function recordExpressions(files: readonly string[]): Promise<Expression[]> {
  const { stdout } = await run(process.execPath, ['--no-warnings', RECORDER, ...files]);
  // The recorder prints nothing else.
  return JSON.parse(stdout) as Expression[];
}

/** Every expression in these files, including calls of `RegExp`, which must run on import. */
export async function collectExpressions(files: readonly string[]): Promise<Expression[]> {
  const literals: Expression[] = [];
  const makers: string[] = [];
  for (const file of files) {
    const found = expressionsIn(file, await readFile(file, 'utf8'));
    literals.push(...found.literals);
    if (found.calls.outside + found.calls.inFunctions.length > 0) makers.push(file);
  }
  const made = makers.length > 0 ? await recordExpressions(makers) : [];
  const silent = makers.filter((file) => !made.some((one) => one.file === file));
  if (silent.length > 0) throw new Error(`RegExp is called only after the import: ${silent.join(', ')}`);
  return [...literals, ...made];
}
