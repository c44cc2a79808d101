import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import * as read from './schemas.ts';
import { readInput } from './validate.ts';

const WRONG = Symbol('refused');
const outcomeOf = (schema: z.ZodType, value: unknown): unknown => {
  const result = schema.safeParse(value);
  return result.success ? result.data : WRONG;
};

describe('a parameter', () => {
  it.each<[string, z.ZodType, [unknown, unknown][]]>([
    [
      'text',
      read.text('', { max: 5 }),
      [
        ['a', 'a'],
        ['', ''],
        [5, '5'],
        [1.5, '1.5'],
        ['a\0b', 'ab'],
        ['\ud800\0b', '\ufffdb'],
        ['123456', WRONG],
        [true, WRONG],
        [null, WRONG],
        [['a'], WRONG],
        [Number.NaN, WRONG],
      ],
    ],
    [
      'filled text',
      read.filledText('', { max: 5 }),
      [
        [' a ', ' a '],
        [0, '0'],
        ['', WRONG],
        [' \n', WRONG],
        ['\0', WRONG],
      ],
    ],
    [
      'integer',
      read.integer('', { min: 1 }),
      [
        [5, 5],
        ['5', 5],
        [' 5', 5],
        ['5.0', 5],
        ['5e0', 5],
        ['+5', 5],
        [0, WRONG],
        ['-1', WRONG],
        ['1.5', WRONG],
        ['', WRONG],
        ['0x5', WRONG],
        ['٣', WRONG],
        ['9007199254740992', WRONG],
        ['1e999', WRONG],
        [true, WRONG],
        [[5], WRONG],
      ],
    ],
    [
      'number',
      read.decimal('', { min: -90, max: 90 }),
      [
        ['42.5', 42.5],
        ['-.5', -0.5],
        [90, 90],
        [90.1, WRONG],
        ['NaN', WRONG],
        ['Infinity', WRONG],
        ['', WRONG],
      ],
    ],
    [
      'flag',
      read.boolean(''),
      [
        [true, true],
        [1, true],
        ['YES', true],
        [' on ', true],
        ['True', true],
        [false, false],
        [0, false],
        ['no', false],
        ['OFF', false],
        ['', WRONG],
        [2, WRONG],
        ['null', WRONG],
        [null, WRONG],
        [[true], WRONG],
      ],
    ],
    [
      'list of ids',
      read.ids(''),
      [
        ['1, 2,,2', [1, 2]],
        [3, [3]],
        [
          ['1', 2],
          [1, 2],
        ],
        [{ 0: '1', 1: '2' }, [1, 2]],
        ['', WRONG],
        [[], WRONG],
        ['1,a', WRONG],
        ['0', WRONG],
        [[[1]], WRONG],
        [Array.from({ length: 1000 }, (_, index) => index + 1).join(), expect.any(Array)],
        [Array.from({ length: 1001 }, (_, index) => index + 1).join(), WRONG],
      ],
    ],
    [
      'list of texts',
      read.texts(''),
      [
        ['a, b', ['a', 'b']],
        [
          ['a,b', 'c'],
          ['a', 'b', 'c'],
        ],
        ['a\0b,\ud800', ['ab', '\ufffd']],
        ['', WRONG],
        [',', WRONG],
        [null, WRONG],
        [Array(1001).fill('a'), WRONG],
      ],
    ],
    [
      'choice',
      read.oneOf('', ['a', 'b']),
      [
        ['a', 'a'],
        ['A', WRONG],
        ['', WRONG],
        [['a'], WRONG],
      ],
    ],
    [
      'date',
      read.date(''),
      [
        ['2027-01-02 10:00', expect.objectContaining({ text: '2027-01-02 10:00' })],
        [1893456000, expect.objectContaining({ text: '1893456000' })],
        ['tomorrow 9am', expect.objectContaining({ text: 'tomorrow 9am' })],
        ['2027-02-30', WRONG],
        ['2027-13-01', WRONG],
        ['', WRONG],
        ['soon', WRONG],
        [true, WRONG],
      ],
    ],
    [
      'zone',
      read.zone(''),
      [
        [' Europe/Paris ', 'Europe/Paris'],
        ['UTC+5:30', 'UTC+5:30'],
        ['Mars/Base', WRONG],
        ['', WRONG],
        [1, WRONG],
      ],
    ],
    [
      'address',
      read.url(''),
      [
        [' https://example.org/a?b=c#d ', 'https://example.org/a?b=c#d'],
        ['ftp://x.y', 'ftp://x.y'],
        ['HTTP://X.Y', 'HTTP://X.Y'],
        ['example.org', WRONG],
        ['//x.y', WRONG],
        ['javascript:alert(1)', WRONG],
        ['http://', WRONG],
        ['http://a b', WRONG],
        ['http://x.y/"onload="', WRONG],
        ['http://x.y/\0', WRONG],
        ['http://x.y/\ud800', WRONG],
        ['', WRONG],
        [1, WRONG],
      ],
    ],
    [
      'e-mail address',
      read.email(''),
      [
        ['a@b.test', 'a@b.test'],
        ['a', WRONG],
        ['a@b.test, c@d.test', WRONG],
        [1, WRONG],
      ],
    ],
    [
      'field that may be cleared',
      read.clearable(read.integer('')),
      [
        [null, null],
        ['', null],
        ['5', 5],
        [' ', WRONG],
        ['x', WRONG],
      ],
    ],
  ])('%s', (_kind, schema, cases) => {
    expect(cases.map(([sent]) => outcomeOf(schema, sent))).toEqual(cases.map(([, expected]) => expected));
  });
});

describe('readInput', () => {
  const fields = {
    id: read.integer('', { min: 1 }),
    flag: read.clearable(read.boolean('')),
    kind: read.oneOf('', ['a']),
  };
  const readFrom = (sent: Record<string, unknown>, required: string[] = []) =>
    readInput(fields, required, new Map(Object.entries(sent)));

  it('returns valid values, and the reason for each invalid one', () => {
    const { input, problems } = readFrom({ id: 'x', flag: 'yes', kind: 'b', other: 1 });
    expect(input).toEqual({ flag: true });
    expect(Object.fromEntries(problems)).toEqual({
      id: { key: 'param.integer', values: {}, code: 'rest_invalid_type' },
      kind: { key: 'param.one_of', values: { allowed: 'a' }, code: 'rest_invalid_type' },
    });
  });

  it('names all missing parameters in order, including null', () => {
    expect(() => readFrom({ id: null, kind: 'nope' }, ['flag', 'id', 'kind'])).toThrow(
      expect.objectContaining({ code: 'rest_missing_callback_param', data: { params: ['flag', 'id'] } }),
    );
  });

  it('keeps the reason of an invalid cleared field', () => {
    expect(readFrom({ flag: 'perhaps' }).problems.get('flag')?.key).toBe('param.boolean');
  });
});
