import { describe, expect, it } from 'vitest';
import { type Schema, SchemaPrinter } from './schema-printer.ts';

describe('a schema in TypeScript', () => {
  it.each<[Schema, string]>([
    [{}, 'unknown'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: 'string', format: 'binary' }, 'Blob'],
    [{ const: false }, 'false'],
    [{ enum: ['it’s', "it's", 1, null] }, "'it’s' | 'it\\'s' | 1 | null"],
    [{ anyOf: [{ type: 'number' }, { type: 'integer' }, { type: 'boolean' }] }, 'number | boolean'],
    [
      { allOf: [{ $ref: '#/components/schemas/A' }, { anyOf: [{ type: 'null' }, { type: 'string' }] }] },
      'A & (null | string)',
    ],
    [{ type: 'array' }, 'unknown[]'],
    [{ type: 'array', items: { type: ['string', 'number'] } }, '(string | number)[]'],
    [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }, '[string, number]'],
    [{ type: 'object' }, 'Record<string, unknown>'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
    [
      {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'integer', description: 'Ends\n a comment: */.' },
          'a-b': { type: 'string' },
          i18n_language: { type: 'string' },
        },
      },
      "{\n  /** Ends a comment: * /. */\n  id: number;\n  'a-b'?: string;\n}",
    ],
  ])('%j is %s', (schema, expected) => {
    expect(new SchemaPrinter().print(schema, '')).toBe(expected);
  });

  it('is refused for an unknown type', () => {
    expect(() => new SchemaPrinter().print({ type: 'date' }, '')).toThrow('date');
  });

  it('returns the names of the schemas it refers to', () => {
    const printer = new SchemaPrinter();
    printer.print({ type: 'array', items: { $ref: '#/components/schemas/Event' } }, '');
    expect([...printer.names]).toEqual(['Event']);
  });
});
