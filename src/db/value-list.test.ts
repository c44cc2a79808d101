import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { makeEverything } from '../../test/fixtures.ts';
import { useTestServer } from '../../test/server.ts';
import { withHooks } from '../../test/statements.ts';
import { withoutCache } from '../../test/without-cache.ts';
import { createApp } from '../app.ts';

const EVENTS = '/calendar/events/v1';
const TICKETS = '/calendar/tickets/v1';

const server = useTestServer('sqlite');
beforeAll(async () => {
  await makeEverything(server());
});

/** Columns that partial indexes compare with one value, by table. */
async function comparedByIndexes(): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ table: string; text: string }>`
    SELECT tbl_name AS "table", sql AS text FROM sqlite_master WHERE type = 'index' AND sql LIKE '% WHERE %'`.execute(
    server().context.db.query,
  );
  const columnsOf = (text: string) => [...text.matchAll(/(?<=WHERE .*)\b(\w+) = /gs)].map(([, column = '']) => column);
  return new Map(
    [...Map.groupBy(rows, ({ table }) => table)].map(([table, own]) => [
      table,
      own.flatMap(({ text }) => columnsOf(text)),
    ]),
  );
}

it.each([
  `${EVENTS}/events`,
  `${EVENTS}/events?lang=fr&search=walk`,
  `${EVENTS}/events?starts_after=2026-01-01&featured=true&ticketed=true&per_page=1`,
  `${EVENTS}/venues?only_with_upcoming=true`,
  `${EVENTS}/organizers`,
  `${EVENTS}/categories?hide_empty=true`,
  `${TICKETS}/tickets`,
  `${TICKETS}/attendees?provider=rsvp`,
  '/event/lantern-walk/',
  '/events/month/',
])('lets SQLite compile the statements of %s once', async (path) => {
  const statements: string[] = [];
  const { context } = server();
  const db = withHooks(withoutCache(context.db), { before: (text) => void statements.push(text) });
  expect((await createApp({ ...context, db }).request(path)).status).toBe(200);
  const conditions = statements.map((text) => text.split(/ order by /i)[0] ?? '');
  const recompiled = [...(await comparedByIndexes())].flatMap(([table, columns]) =>
    conditions.filter(
      (text) =>
        text.includes(table) && columns.some((column) => comparisonsOf(column).some((one) => text.includes(one))),
    ),
  );
  expect(recompiled).toEqual([]);
});

const comparisonsOf = (column: string) =>
  [`"${column}"`, `.${column}`].flatMap((name) => [`${name} = ?`, `${name} in (?`, `${name} IN (?`]);
