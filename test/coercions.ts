import { relative, resolve } from 'node:path';
import { type Expression, type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import {
  isBinaryExpression,
  isCallExpression,
  isIdentifier,
  isPropertyAccessExpression,
  isTaggedTemplateExpression,
  isTemplateExpression,
} from 'typescript/unstable/ast/is';
import { API, type Checker, type Project, type Type, TypeFlags } from 'typescript/unstable/sync';

/** An expression that becomes text or a number, although its value may be any object. */
export interface Coercion {
  file: string;
  /** As written. */
  expression: string;
  type: string;
}

const FOLDER = resolve(import.meta.dirname, '..');

const FUNCTIONS: ReadonlySet<string> = new Set(['String', 'Number', 'BigInt']);

const PRIMITIVE =
  TypeFlags.StringLike |
  TypeFlags.NumberLike |
  TypeFlags.BigIntLike |
  TypeFlags.BooleanLike |
  TypeFlags.Null |
  TypeFlags.Undefined |
  TypeFlags.Void |
  TypeFlags.Never;

/** Objects that are made to become text. */
const WITH_TEXT = /^(URL|URLSearchParams|Date|Buffer<.*>|Uint8Array<.*>)$/;

/** The expressions in a node that are coerced there. */
function coercedIn(node: Node): Expression[] {
  if (isTemplateExpression(node) && !isTaggedTemplateExpression(node.parent))
    return node.templateSpans.map(({ expression }) => expression);
  if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.PlusToken) return [node.left, node.right];
  if (!isCallExpression(node)) return [];
  const { expression: called } = node;
  // Kysely joins pieces of SQL by a method of its own.
  if (isPropertyAccessExpression(called) && called.name.text === 'join')
    return isIdentifier(called.expression) && called.expression.text === 'sql' ? [] : [called.expression];
  return isIdentifier(called) && FUNCTIONS.has(called.text) ? [...node.arguments].slice(0, 1) : [];
}

function coercedBelow(node: Node): Expression[] {
  const found = coercedIn(node);
  node.forEachChild((child) => void found.push(...coercedBelow(child)));
  return found;
}

/** Whether every value of a type becomes text: no object, but those made for it and lists of such values. */
function hasText(type: Type, checker: Checker): boolean {
  if (type.flags & PRIMITIVE) return true;
  if (type.flags & TypeFlags.Any) return false;
  if (type.isUnionType()) return type.getTypes().every((part) => hasText(part, checker));
  if (type.isIntersectionType()) return type.getTypes().some((part) => hasText(part, checker));
  const constraint = checker.getBaseConstraintOfType(type);
  if (constraint && constraint !== type) return hasText(constraint, checker);
  if (checker.isArrayLikeType(type)) {
    return checker.getIndexInfosOfType(type).every(({ valueType }) => hasText(valueType, checker));
  }
  return WITH_TEXT.test(checker.typeToString(type));
}

function coercionsIn(source: SourceFile, checker: Checker): Coercion[] {
  const found = coercedBelow(source);
  const types = found.length > 0 ? checker.getTypeAtLocation(found) : [];
  return found.flatMap((expression, index) => {
    const type = types[index];
    if (type && hasText(type, checker)) return [];
    return {
      file: relative(FOLDER, source.fileName),
      expression: expression.getText(source),
      type: type ? checker.typeToString(type) : '',
    };
  });
}

/**
 * The coercions in sources of this repository.
 * @param isWanted by the path of a file
 */
export function findCoercions(isWanted: (path: string) => boolean): Coercion[] {
  const api = new API({ cwd: FOLDER });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [resolve(FOLDER, 'tsconfig.json')] });
    const [project] = snapshot.getProjects() as [Project];
    const { rootFiles, program, checker } = project;
    const sources = rootFiles.flatMap((file) =>
      isWanted(relative(FOLDER, file)) ? (program.getSourceFile(file) ?? []) : [],
    );
    return sources.flatMap((source) => coercionsIn(source, checker));
  } finally {
    api.close();
  }
}
