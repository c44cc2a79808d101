/** The parts of JSON Schema that our documents use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  prefixItems?: Schema[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  format?: string;
  contentMediaType?: string;
}

/** An object without members; `{}` would allow any. */
export const NOTHING = 'Record<string, never>';

/** The language is an option of each call instead. */
const LANGUAGE = 'i18n_language';

/** Prints schemas as TypeScript, and collects the schemas they refer to. */
export class SchemaPrinter {
  /** Names of schemas that the printed ones refer to. */
  readonly names = new Set<string>();

  /** A type; `indent` is that of its line. */
  print(schema: Schema, indent: string): string {
    if (schema.$ref) return this.#reference(schema.$ref);
    if (schema.const !== undefined) return literal(schema.const);
    if (schema.enum) return schema.enum.map(literal).join(' | ');
    const options = schema.anyOf ?? schema.oneOf;
    if (options) return [...new Set(options.map((option) => this.print(option, indent)))].join(' | ');
    if (schema.allOf) return schema.allOf.map((part) => enclosed(this.print(part, indent))).join(' & ');
    if (schema.type === undefined) return 'unknown';
    const types = [schema.type].flat().map((type) => this.#typeNamed(type, schema, indent));
    return types.join(' | ');
  }

  #reference(address: string): string {
    const name = address.slice(address.lastIndexOf('/') + 1);
    this.names.add(name);
    return name;
  }

  #typeNamed(type: string, schema: Schema, indent: string): string {
    if (type === 'object') return this.#object(schema, indent);
    if (type === 'array') return this.#array(schema, indent);
    if (type === 'integer' || type === 'number') return 'number';
    if (type === 'string') return isFile(schema) ? 'Blob' : 'string';
    if (type === 'boolean' || type === 'null') return type;
    throw new Error(`There is no TypeScript for the type ${type}.`);
  }

  #array({ items, prefixItems }: Schema, indent: string): string {
    if (prefixItems) return `[${prefixItems.map((item) => this.print(item, indent)).join(', ')}]`;
    return `${items ? enclosed(this.print(items, indent)) : 'unknown'}[]`;
  }

  #object({ properties = {}, required = [], additionalProperties: others }: Schema, indent: string): string {
    const entries = Object.entries(properties).filter(([name]) => name !== LANGUAGE);
    if (entries.length === 0 && others === false) return NOTHING;
    if (entries.length === 0) {
      return `Record<string, ${typeof others === 'object' ? this.print(others, indent) : 'unknown'}>`;
    }
    const inner = `${indent}  `;
    const members = entries.map(([name, schema]) => {
      const key = `${/^\w+$/.test(name) ? name : literal(name)}${required.includes(name) ? '' : '?'}`;
      return `${comment(schema.description, inner)}${inner}${key}: ${this.print(schema, inner)};\n`;
    });
    return `{\n${members.join('')}${indent}}`;
  }
}

/** A description as a one-line comment. */
export function comment(text: string | undefined, indent: string): string {
  const line = text?.replaceAll('*/', '* /').split(/\s+/).join(' ').trim();
  return line ? `${indent}/** ${line} */\n` : '';
}

const isFile = ({ format, contentMediaType }: Schema): boolean =>
  format === 'binary' || contentMediaType === 'application/octet-stream';

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : String(value);

/** A union or an intersection as a part of another type. */
const enclosed = (type: string): string => (/^[^{]* [|&] |\} [|&] /.test(type) ? `(${type})` : type);
