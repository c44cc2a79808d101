import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Identifier, Node, PropertySignature, TypeNode } from 'typescript';
import { clientSchemas, type Schema } from './operations.ts';

type Compiler = typeof import('typescript');

/**
 * Writes the types of the interface. Run by `npm run openapi`, after the document. With `--check`, reports instead
 * whether they are those of the document.
 */

const HOME = import.meta.dirname;
const DOCUMENT = join(HOME, '../../../openapi.json');
const TYPES = join(HOME, '../src/api.ts');
const HEAD = '// Generated from openapi.json by `npm run openapi`.\n';

function install(): void {
  if (existsSync(join(HOME, 'node_modules/openapi-typescript'))) return;
  const { status } = spawnSync('npm', ['--prefix', HOME, 'ci', '--ignore-scripts'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('openapi-typescript could not be installed');
}

/** Source of a module with a type for each schema. */
async function sourceOf(schemas: Record<string, Schema>): Promise<string> {
  // Installed only now.
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const { default: ts } = await import('typescript');
  const document = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } };
  const nodes = await openapiTS(withoutDefaults(document), {
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    silent: true,
    transform(schema: Schema) {
      const name = ownType(schema);
      return name && ts.factory.createTypeReferenceNode(name);
    },
  });
  return astToString(schemasIn(nodes, ts).map((member) => declaration(member, ts)))
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1')
    .replaceAll('@description ', '');
}

/** The type of files, and of objects without members, which would allow any. */
function ownType({ type, properties, additionalProperties, format, contentMediaType }: Schema): string | undefined {
  if (format === 'binary' || contentMediaType === 'application/octet-stream') return 'Blob';
  return type === 'object' && !properties && additionalProperties === false ? 'Record<string, never>' : undefined;
}

/** Many defaults depend on the site, or on the day of the request. */
const withoutDefaults = (document: object): string =>
  JSON.stringify(document, (key, value) => (key === 'default' ? undefined : value));

/** The members of `components.schemas`. */
function schemasIn(nodes: readonly Node[], ts: Compiler): PropertySignature[] {
  const members = nodes.filter(ts.isInterfaceDeclaration).flatMap((node) => [...node.members]);
  const [schemas] = members
    .filter(ts.isPropertySignature)
    .filter(({ name }) => ts.isIdentifier(name) && name.text === 'schemas');
  if (!schemas?.type || !ts.isTypeLiteralNode(schemas.type)) throw new Error('openapi-typescript wrote no schemas');
  return schemas.type.members.filter(ts.isPropertySignature);
}

/** A type of its own, whose name the compiler shows in place of its members. */
function declaration(member: PropertySignature, ts: Compiler): Node {
  const { factory } = ts;
  const exported = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  // Schemas are named by words, and each has a type.
  const [name, type] = [member.name as Identifier, member.type as TypeNode];
  const declared = ts.isTypeLiteralNode(type)
    ? factory.createInterfaceDeclaration(exported, name, undefined, undefined, type.members)
    : factory.createTypeAliasDeclaration(exported, name, undefined, type);
  return ts.setSyntheticLeadingComments(declared, ts.getSyntheticLeadingComments(member));
}

install();
const text = HEAD + (await sourceOf(clientSchemas(JSON.parse(readFileSync(DOCUMENT, 'utf8')))));
if (!process.argv.includes('--check')) writeFileSync(TYPES, text);
else if (readFileSync(TYPES, 'utf8') !== text) {
  process.stderr.write('packages/client/src/api.ts is not made from openapi.json: npm run openapi\n');
  process.exitCode = 1;
}
