import { can, type Viewer } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../http/core/errors.ts';
import { field, integer } from '../../http/input/schemas.ts';
import { seal } from '../../lib/seal.ts';
import { fieldsOfKind, missingFields } from '../csv/columns.ts';
import { SourceError } from '../source.ts';
import { findRun, type Run, type RunOptions } from './store.ts';

/**
 * Parts of the endpoints of imports. Files and dumps contain accounts, so only viewers who manage accounts may import.
 */

export const mayImport = (viewer: Viewer): boolean => can(viewer, 'manage_site', 'manage_users');

/** The account of a request, and how it signed in. */
export const requesterOf = ({ account, credential }: Viewer): Pick<Run, 'user_id' | 'means'> => ({
  user_id: account?.id ?? 0,
  means: credential?.means ?? 'command-line',
});

export const importId = integer('Id of the import.', { min: 1 });

/** Statuses that new events may get. */
export const IMPORT_STATUSES = ['publish', 'pending', 'draft', 'private'] as const;

/** Maximum number of columns. */
const MAX_COLUMNS = 500;

export const columnsField = field(
  {
    ...{ type: 'array', items: { type: 'string' }, maxItems: MAX_COLUMNS },
    description: 'Field of each column of the table, in their order; empty for a column that is not imported.',
  },
  'param.import_columns',
  (value) => (isListOfTexts(value) ? value : undefined),
);

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length <= MAX_COLUMNS &&
  value.every((one) => typeof one === 'string' && one.length <= 50);

/** The address of a source as it is stored. @throws {InvalidParams} */
export function addressOf(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (error instanceof SourceError) throw invalidParam('address', 'param.url');
    throw error;
  }
}

/** @throws {ApiError} import-not-found */
export async function getRun({ context }: RequestContext, id: number): Promise<Run> {
  const run = await findRun(context.db, id);
  if (!run) throw new ApiError('import-not-found');
  return run;
}

/** Seals the password of an account at a site. */
export const sealed = ({ context }: RequestContext, password: string): string =>
  seal(password, { sealing: context.siteKey('import-password') }, context.random);

/** @throws {InvalidParams} */
export function checkColumns(table: RunOptions['table'], columns: readonly string[]): void {
  const named = columns.filter((one) => one !== '');
  const known = fieldsOfKind(table);
  if (named.some((one) => !known.includes(one)) || new Set(named).size < named.length)
    throw invalidParam('columns', 'param.import_columns');
  const missing = missingFields(table, new Set(named));
  if (missing) throw invalidParam('columns', 'param.import_columns_missing', { fields: missing.join(', ') });
}
