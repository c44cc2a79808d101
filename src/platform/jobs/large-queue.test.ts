import { CompiledQuery, sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { DATABASES, NOON, useTestServer } from '../../../test/server.ts';
import { withHooks } from '../../../test/statements.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { claimJobs, hasDueJob } from './queue.ts';
import { countJobs, findOldestDueJob } from './store.ts';

const NOW = toUtc(NOON);
const JOBS = 100_000;

describe.each(DATABASES)(`a queue of ${JOBS} jobs on %s`, (kind) => {
  const server = useTestServer(kind);
  const db = () => server().context.db;
  beforeAll(async () => {
    // A tenth is dead, half of the others due.
    await sql`INSERT INTO jobs (kind, key, payload, state, due_utc, created_utc)
      WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${sql.lit(JOBS)})
      SELECT 'test.wait', 'key-' || i, '{}', CASE WHEN i % 10 = 0 THEN 'dead' ELSE 'ready' END,
        CASE WHEN i % 2 = 0 THEN '2026-11-20 00:00:00' ELSE '2026-12-20 00:00:00' END, ${NOW} FROM numbers`.execute(
      db().query,
    );
    if (kind === 'postgres') await sql`ANALYZE jobs`.execute(db().query);
  });

  /** Plans of the statements of some work. */
  async function plansOf(work: (hooked: ReturnType<typeof db>) => Promise<unknown>): Promise<string[]> {
    const statements: CompiledQuery[] = [];
    const hooked = withHooks(db(), {
      rewrite(query) {
        statements.push(query);
        return query.sql;
      },
    });
    await work(hooked);
    const explain = kind === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
    const plans = statements.map(async ({ sql: text, parameters }) => {
      const { rows } = await db().query.executeQuery(CompiledQuery.raw(`${explain} ${text}`, [...parameters]));
      return rows.map((row) => JSON.stringify(row)).join('\n');
    });
    return Promise.all(plans);
  }

  it('has its due jobs found by the index', async () => {
    const plans = await plansOf(async (hooked) => {
      expect(await hasDueJob(hooked, NOW)).toBe(true);
      expect(await claimJobs(hooked, { owner: 'test', now: NOW, limit: 4 })).toHaveLength(4);
      expect(await findOldestDueJob(hooked, NOW)).toBeDefined();
    });
    expect(plans).toHaveLength(3);
    for (const plan of plans) {
      expect(plan).toMatch(/jobs_due/);
      expect(plan).not.toMatch(/Seq Scan on jobs|SCAN jobs(?! USING)/);
    }
  });

  // PostgreSQL decides by the visibility of rows, which a new table does not know.
  const ofSqlite = kind === 'sqlite' ? ['is counted by an index'] : [];
  it.each(ofSqlite)('%s', async () => {
    const [plan] = await plansOf(countJobs);
    expect(plan).toMatch(/COVERING INDEX jobs_by_kind/);
  });

  it('is listed in pages', async () => {
    const query = { state: 'ready', per_page: 100, page: 3 };
    const { status, body } = await server().ask('GET admin:/jobs', { as: 'administrator', query });
    expect([status, body.jobs.length, body.total > 80_000]).toEqual([200, 100, true]);
  });
});
