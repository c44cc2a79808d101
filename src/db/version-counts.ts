import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { DataVersion } from '../lib/data-version.ts';
import type { Database } from './database.ts';

/** The rows in which changes of the data are counted (docs/caching.md). */

type Part = keyof DataVersion;
const PARTS: readonly Part[] = ['calendar', 'seats'];
/** As large as `randomInt` takes. */
const LARGEST = 2 ** 48 - 1;

/** The parts whose common row is missing: nothing is remembered of them, or versions of them may return. */
export async function findLostCounts(db: Database): Promise<Part[]> {
  const { rows } = await sql<{ part: string }>`SELECT part FROM data_versions WHERE backend = 0`.execute(db.query);
  return PARTS.filter((part) => !rows.some((row) => row.part === part));
}

/** Adds missing rows. Each begins with a random number, so that no version returns that a server has seen before. */
export const restoreCounts = (db: Database): Promise<Part[]> =>
  db.transaction(async (trx) => {
    const lost = await findLostCounts(trx);
    for (const part of lost) {
      await sql`INSERT INTO data_versions (part, backend, number) VALUES (${part}, 0, ${randomInt(LARGEST)})`.execute(
        trx.query,
      );
    }
    return lost;
  });
