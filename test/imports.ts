import type { Context } from '../src/base/context.ts';
import type { ImportState } from '../src/db/tables/import.ts';
import { toUtc } from '../src/lib/dates/dates.ts';
import { insertRows } from '../src/moving/runs/plan-rows.ts';
import { insertRun, type RunOptions } from '../src/moving/runs/store.ts';
import { subscribe } from '../src/moving/subscriptions/store.ts';

const OPTIONS: RunOptions = {
  ...{ status: 'publish', categories: [], isTheirs: false, withMedia: false, table: 'events', prefix: '' },
  ...{ hasAccount: false, exceptSold: false, columns: null },
};

/** Adds an import in a state, with a row of its plan and a finding; returns its id. */
export async function addImport({ db, now }: Context, state: ImportState, size = 100): Promise<number> {
  const utc = toUtc(now());
  const { id: import_id } = await db.query
    .insertInto('imports')
    .values({ source: 'csv:files', started_utc: utc, step: 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const isBegun = state === 'importing' || state === 'finished';
  const columns = [
    { heading: 'Title', field: 'title', samples: ['Tea'] },
    { heading: 'When', field: '', samples: [''] },
  ];
  const { id } = await insertRun(db, {
    ...{ kind: 'csv', state, user_id: 1, means: 'password', created_utc: utc, changed_utc: utc },
    ...{ file_name: 'table.csv', address: '', options: JSON.stringify(OPTIONS), login: '', secret: '', size },
    ...{ received: state === 'uploading' ? 0 : size, columns: state === 'uploading' ? '' : JSON.stringify(columns) },
    planned_utc: state === 'uploading' || state === 'mapping' ? null : utc,
    ...(isBegun && { import_id, begun_utc: utc }),
  });
  const notes = JSON.stringify([{ code: 'no-start', detail: '' }]);
  const row = { action: 'cannot' as const, kind: 'event', foreign_id: 2, name: 'x', title: 'Tea', fields: '[]', notes };
  await insertRows(db, id, { rows: [row], first: 1 });
  const finding = { import_id, kind: 'line', foreign_id: 2, code: 'no-start', detail: '' };
  await db.query.insertInto('import_findings').values(finding).execute();
  return id;
}

/** Ends all imports, so that there is room for others. */
export async function endImports({ db }: Context): Promise<void> {
  await db.query.updateTable('import_runs').set({ state: 'finished' }).execute();
}

let serial = 0;

/** Adds a subscription, and returns its id. */
export async function addSubscription({ db, now }: Context): Promise<number> {
  const address = `https://calendar.example/${++serial}.ics`;
  const values = { address, status: 'publish', categories: ['Guests'], hours: 4, now: toUtc(now()) };
  return (await subscribe(db, values)).id;
}
