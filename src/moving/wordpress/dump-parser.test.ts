import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unicodeString } from '../../../test/unicode.ts';
import { DumpParser } from './dump-parser.ts';

/** Rows of a dump that is read in pieces of a size. */
function rowsOf(dump: string | Buffer, size = 1 << 20): unknown[] {
  const bytes = Buffer.from(dump);
  const parser = new DumpParser(() => true);
  const rows: unknown[] = [];
  for (let at = 0; at < bytes.length; at += size)
    for (const { table, columns, values } of parser.read(bytes.subarray(at, at + size)).rows)
      rows.push([table, columns.join(), ...values.map((value) => value?.toString('utf8') ?? null)]);
  expect(parser.isUnfinished).toBe(false);
  return rows;
}

const DUMP = `/*M!999999\\- enable the sandbox mode */
-- A comment; with a 'quote'
# Another
/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS \`a_posts\`;
CREATE TABLE \`a_posts\` (
  \`ID\` bigint(20) NOT NULL COMMENT 'a; b',
  \`post_title\` text NOT NULL,
  PRIMARY KEY (\`ID\`)
) ENGINE=InnoDB;
INSERT INTO \`a_posts\` VALUES
(1,'O\\'Hara; ''two'' (three), \\"four\\"\\\\'),
(-2,NULL),(3,'a\\nb\\0c\\Zd\\%');
INSERT IGNORE INTO old.\`a_posts\` (\`post_title\`, \`ID\`) VALUES (_binary 'x', 0x4142);
DELIMITER ;;
CREATE TRIGGER t AFTER INSERT ON a_posts FOR EACH ROW BEGIN INSERT INTO \`a_posts\` VALUES (9,'trigger'); END ;;
DELIMITER ;
REPLACE INTO a_posts VALUES (4,"it's");
-- Dump completed`;

describe('the reader of dumps', () => {
  const expected = [
    ['a_posts', 'ID,post_title', '1', `O'Hara; 'two' (three), "four"\\`],
    ['a_posts', 'ID,post_title', '-2', null],
    ['a_posts', 'ID,post_title', '3', 'a\nb\0c\u001ad%'],
    ['a_posts', 'post_title,ID', 'x', 'AB'],
    ['a_posts', 'ID,post_title', '4', "it's"],
  ];
  it.each([1, 2, 3, 7, 64, 100_000])('reads rows in pieces of %d bytes', (size) => {
    expect(rowsOf(DUMP, size)).toEqual(expected);
  });

  it('reads any text that is escaped as by mysqldump', () => {
    const escaped = (text: string) =>
      text.replace(/[\\'"\0\n\r]/g, (one) => ({ '\0': '\\0', '\n': '\\n', '\r': '\\r' })[one] ?? `\\${one}`);
    fc.assert(
      fc.property(
        fc.array(unicodeString({ maxLength: 30 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        (texts, size) => {
          const dump = `INSERT INTO t VALUES (${texts.map((text) => `'${escaped(text)}'`).join(',')});`;
          expect(rowsOf(dump, size)).toEqual([['t', '', ...texts]]);
        },
      ),
    );
  });

  it('replaces broken UTF-8 without losing bytes after it, and cuts endless values', () => {
    const broken = Buffer.concat([Buffer.from("INSERT INTO t VALUES ('a"), Buffer.of(0xff, 0xc3), Buffer.from("b');")]);
    expect(rowsOf(broken)).toEqual([['t', '', 'a\ufffd\ufffdb']]);
    const parser = new DumpParser(() => true);
    parser.read(Buffer.from("INSERT INTO t VALUES ('"));
    const piece = Buffer.alloc(1_000_000, 'x');
    for (let count = 0; count < 6; count++) parser.read(piece);
    const [row] = parser.read(Buffer.from("','y');")).rows;
    expect(row?.values.map((value) => value?.length)).toEqual([4_000_000, 1]);
  });

  it.each(["INSERT INTO t VALUES (1,'a", 'INSERT INTO t VALUES (1),', 'CREATE TABLE `t` (\n `a` int'])(
    'notices that a dump breaks off: %s',
    (dump) => {
      const parser = new DumpParser(() => true);
      parser.read(Buffer.from(dump));
      expect(parser.isUnfinished).toBe(true);
    },
  );
});
