import { DATABASES, type DatabaseKind } from './server.ts';

/** Whether the long tests run at full length: `TEST_THOROUGH=1 npm test`, before a release. */
const THOROUGH = process.env.TEST_THOROUGH === '1';

/** The amount of work of a long test: all of it when thorough, otherwise enough for common faults. */
export const effort = <T>(thorough: T, quick: T): T => (THOROUGH ? thorough : quick);

/** For exhaustive tests whose outcome hardly depends on the database. */
export const usualDatabases: readonly DatabaseKind[] = effort<readonly DatabaseKind[]>(DATABASES, ['sqlite']);

/**
 * The database of a `describe.each` if it is one of those: for `it.each` and `describe.each` within, with tests that send no
 * statements but those of other tests beside them.
 */
export const usualOf = (kind: DatabaseKind): readonly DatabaseKind[] => usualDatabases.filter((one) => one === kind);

/** All cases on those databases, and one on the others. */
export const casesOn = <T>(kind: DatabaseKind, cases: readonly T[]): readonly T[] =>
  usualDatabases.includes(kind) ? cases : cases.slice(0, 1);
