import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { BOTH_DATABASES, useTestServer } from '../../test/server.ts';
import { compileRow } from './rows.ts';

describe('a compiled row', () => {
  it.each([
    [['id', 'title'], { id: 0, title: 1 }],
    [[], {}],
    // Names are quoted, whatever they contain.
    [['a"b', "c'd", 'e\nf', '`g`', 'count(*)'], { 'a"b': 0, "c'd": 1, 'e\nf': 2, '`g`': 3, 'count(*)': 4 }],
    [['class', 'row', '1'], { class: 0, row: 1, 1: 2 }],
    // As the libraries of both databases do.
    [['id', 'id'], { id: 1 }],
  ])('has the values of %j by their names', (names, row) => {
    expect(compileRow(names)(names.map((_name, index) => index))).toEqual(row);
  });
});

describe.each(BOTH_DATABASES)('rows of %s', (kind) => {
  const server = useTestServer(kind);
  const read = async (text: string) => (await sql.raw(text).execute(server().context.db.query)).rows;

  it('have the columns of their statement, and the same shape for all values', async () => {
    expect(await read(`SELECT 1 AS one, 'two' AS "t""wo", NULL AS three`)).toEqual([
      { one: 1, 't"wo': 'two', three: null },
    ]);
    expect(await read('SELECT 1 AS same, 2 AS same')).toEqual([{ same: 2 }]);
    expect(await read("SELECT 1 AS one WHERE 'a' = 'b'")).toEqual([]);
    const rows = await read("SELECT 1 AS a, NULL AS b UNION ALL SELECT NULL, 'x' ORDER BY a");
    expect(rows.map((row) => Object.keys(row as object))).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });
});
