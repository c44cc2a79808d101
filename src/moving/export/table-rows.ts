import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import { isRecord } from '../../lib/text/list.ts';
import { DERIVED, EXPORTED, SECRET_MEMBERS } from './exported-tables.ts';

/** Rows of exported tables, read in parts, without secrets and computed columns. */

type Row = Readonly<Record<string, unknown>>;

/** Rules of a table with columns of any table. */
interface TableRules {
  table: string;
  key: readonly string[];
  json: ReadonlySet<string>;
  hidden: ReadonlySet<string>;
}

/** A file of an export: a table, or its rows with one value of a column. */
export interface ExportedFile {
  /** Name without extension. */
  name: string;
  rules: TableRules;
  where?: { column: string; values: readonly string[] };
}

/** Files of an export, in a fixed order. */
export const EXPORTED_FILES: readonly ExportedFile[] = Object.entries(EXPORTED).flatMap(
  ([table, rules]): ExportedFile[] => {
    if (typeof rules === 'string') return [];
    const { key, json = [], without = [], files, only } = rules;
    const common: TableRules = {
      table,
      key,
      json: new Set<string>(json),
      hidden: new Set<string>([...DERIVED, ...without]),
    };
    if (!files) return [{ name: table.replaceAll('_', '-'), rules: common, ...(only && { where: only }) }];
    return Object.entries(files.names).map(([value, name]) => ({
      name,
      rules: common,
      where: { column: files.column, values: [value] },
    }));
  },
);

/** Rows per statement: a thousand of the longest texts take 50 MB, usual ones a few. */
const PART = 200;

/** Reads the rows of a file in the order of their key. */
export async function* rowsOf(db: Database, { rules, where }: ExportedFile): AsyncGenerator<Row> {
  const { key, table } = rules;
  const columns = sql.join(key.map((name) => sql.ref(name)));
  const kept = where ? sql`${sql.ref(where.column)} IN (${sql.join(where.values)})` : sql`1 = 1`;
  for (let last: Row | undefined; ; ) {
    const values = last && sql.join(key.map((name) => last?.[name]));
    const after = values ? sql`AND (${columns}) > (${values})` : sql``;
    const { rows } = await sql<Row>`
      SELECT * FROM ${sql.table(table as keyof Tables)} WHERE ${kept} ${after} ORDER BY ${columns} LIMIT ${PART}
    `.execute(db.query);
    for (const row of rows) yield exportedRow(row, rules);
    if (rows.length < PART) return;
    last = rows.at(-1);
  }
}

const exportedRow = (row: Row, { json, hidden }: TableRules): Row =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => !hidden.has(name))
      .map(([name, value]) => [name, json.has(name) && typeof value === 'string' ? parsed(value) : value]),
  );

/** The value of a column with JSON; an empty one is null. */
function parsed(text: string): unknown {
  if (text === '') return null;
  try {
    return withoutSecrets(JSON.parse(text));
  } catch {
    return text;
  }
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !SECRET_MEMBERS.includes(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutSecrets(member)]));
}
