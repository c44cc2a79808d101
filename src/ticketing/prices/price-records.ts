import {
  type Expression,
  type Insertable,
  type Kysely,
  type Selectable,
  type SqlBool,
  sql,
  type Updateable,
} from 'kysely';
import type { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { isUnchanged, updateUnlessEdited } from '../../db/guarded-update.ts';
import type { Tables } from '../../db/tables.ts';
import type { Viewer } from '../../http/core/auth.ts';
import {
  type AddProblem,
  type AnyEndpoint,
  created,
  endpoint,
  type Fields,
  type HandlerContext,
  type InputOf,
  ok,
  type RequestContext,
} from '../../http/core/endpoint.ts';
import { ApiError, type ErrorCode } from '../../http/core/errors.ts';
import { checkRevision } from '../../http/core/revisions.ts';
import { integer, searchText } from '../../http/input/schemas.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import type { AuditedKind } from '../../platform/audit/kind.ts';
import { logChange, logCreation } from '../../platform/audit/log.ts';

/** Endpoints of the records that prices are made of: list, create, change and delete. */

type PriceTable = 'tax_rates' | 'fees' | 'promotions';

interface RecordIds {
  id: number;
  revision: number;
}

/** Kysely does not type statements over a union of tables; all of these have both columns. */
const tableOf = ({ query }: Database) => query as Kysely<Record<PriceTable, RecordIds>>;

const idsOf = (row: object): RecordIds => row as RecordIds;

/** Finds a record by id. */
export async function findPriceRecord<T extends PriceTable>(
  db: Database,
  table: T,
  id: number,
): Promise<Selectable<Tables[T]> | undefined> {
  const row = await tableOf(db)
    .selectFrom(table as PriceTable)
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row as Selectable<Tables[T]> | undefined;
}

type Columns<T extends PriceTable> = Insertable<Tables[T]> & Updateable<Tables[T]>;

export interface PriceRecordKind<T extends PriceTable, F extends Fields> {
  table: T;
  /** Path of the list. */
  path: string;
  /** Nouns for summaries: `a tax rate`, `tax rates`. */
  nouns: { one: string; many: string };
  schema: z.ZodType;
  /** Names of the schemas of the list and of the bodies of writes. */
  components: { list: string; create: string; change: string };
  fields: F;
  required: readonly (keyof F & string)[];
  audited: AuditedKind;
  notFound: ErrorCode;
  /** Search of the list. */
  search?: { description: string; conditionFor(db: Database, search: string): Expression<SqlBool> };
  /** Other errors of writes, and of deletions. */
  writeErrors?: readonly ErrorCode[];
  deleteErrors?: readonly ErrorCode[];
  mayRead(viewer: Viewer): boolean;
  mayWrite(viewer: Viewer): boolean;
  /** Reports references to records that do not exist. */
  check?(input: Partial<InputOf<F>>, ctx: RequestContext, addProblem: AddProblem): Promise<void>;
  /** Columns after a write; of a new record without `current`. */
  columns(input: Partial<InputOf<F>>, ctx: RequestContext, current?: Selectable<Tables[T]>): Columns<T>;
  /** Runs in the transaction of a write before it, and returns what is written. */
  beforeWrite?(db: Database, columns: Columns<T>, current?: Selectable<Tables[T]>): Promise<Columns<T>>;
  /** Runs in the transaction of a deletion before it. */
  beforeDelete?(db: Database, row: Selectable<Tables[T]>): Promise<void>;
  view(row: Selectable<Tables[T]>, ctx: RequestContext): unknown;
}

/** The four endpoints of a kind of record. */
export function priceRecordEndpoints<T extends PriceTable, F extends Fields>(
  kind: PriceRecordKind<T, F>,
): AnyEndpoint[] {
  return [listOf(kind), createOf(kind), updateOf(kind), removeOf(kind)];
}

const listOf = <T extends PriceTable, F extends Fields>(kind: PriceRecordKind<T, F>): AnyEndpoint =>
  endpoint({
    namespace: 'admin',
    methods: ['GET'],
    path: kind.path,
    name: `${kind.table}.list`,
    summary: `List ${kind.nouns.many}`,
    description: 'Latest first.',
    input: { ...pageFields, ...(kind.search && { search: searchText(kind.search.description) }) },
    responses: { 200: listSchema(kind.table, kind.schema, kind.components.list) },
    responseHeaders: LIST_HEADERS,
    errors: ['rest_forbidden'],
    may: kind.mayRead,
    async handle(ctx, { search, ...paging }) {
      const { db, config } = ctx.context;
      const page = pageOf(paging, config.perPage);
      const sought = typeof search === 'string' ? search : undefined;
      const condition = sought === undefined ? undefined : kind.search?.conditionFor(db, sought);
      const table = tableOf(db)
        .selectFrom(kind.table as PriceTable)
        .where(condition ?? sql<SqlBool>`TRUE`);
      const { total } = await table.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      const rows = await table.selectAll().orderBy('id', 'desc').limit(page.perPage).offset(page.offset).execute();
      return listResponse({
        key: kind.table,
        items: (rows as Selectable<Tables[T]>[]).map((row) => kind.view(row, ctx)),
        total: Number(total),
        page,
        url: ctx.urls.rest('admin', kind.path),
        params: { search: sought, per_page: page.perPage },
      });
    },
  });

/** Other viewers must not learn which records exist. */
const checked =
  <T extends PriceTable, F extends Fields>(kind: PriceRecordKind<T, F>) =>
  async (input: Partial<InputOf<F>>, ctx: HandlerContext, addProblem: AddProblem): Promise<void> => {
    if (kind.mayWrite(ctx.viewer)) await kind.check?.(input, ctx, addProblem);
  };

const createOf = <T extends PriceTable, F extends Fields>(kind: PriceRecordKind<T, F>): AnyEndpoint =>
  endpoint({
    namespace: 'admin',
    methods: ['POST'],
    path: kind.path,
    name: `${kind.table}.create`,
    summary: `Create ${kind.nouns.one}`,
    input: kind.fields,
    required: kind.required,
    body: kind.components.create,
    responses: { 201: kind.schema },
    errors: ['rest_forbidden', 'rest_missing_callback_param', ...(kind.writeErrors ?? [])],
    find: checked(kind),
    may: kind.mayWrite,
    async handle(ctx, input) {
      const sent = input as Partial<InputOf<F>>;
      const row = await ctx.context.db.transaction(async (db) => {
        const read = kind.columns(sent, ctx);
        const columns = (await kind.beforeWrite?.(db, read)) ?? read;
        const inserted = await tableOf(db)
          .insertInto(kind.table as PriceTable)
          .values(columns as typeof columns & RecordIds)
          .returningAll()
          .executeTakeFirstOrThrow();
        await logCreation(db, ctx.actor, { kind: kind.audited, id: inserted.id });
        return inserted as Selectable<Tables[T]>;
      });
      return created(kind.view(row, ctx));
    },
  });

const updateOf = <T extends PriceTable, F extends Fields>(kind: PriceRecordKind<T, F>): AnyEndpoint => {
  return endpoint({
    namespace: 'admin',
    methods: ['POST', 'PUT', 'PATCH'],
    path: `${kind.path}/{id}`,
    name: `${kind.table}.update`,
    summary: `Change ${kind.nouns.one}`,
    description: 'Omitted fields keep their values. Orders keep the prices at which they were placed.',
    input: { ...kind.fields, id: integer('Id of the record.', { min: 1 }) },
    required: ['id'],
    body: kind.components.change,
    responses: { 200: kind.schema },
    errors: ['rest_forbidden', kind.notFound, 'edit-conflict', ...(kind.writeErrors ?? [])],
    find: (input, ctx, addProblem) => checked(kind)(input as Partial<InputOf<F>>, ctx, addProblem),
    may: kind.mayWrite,
    async handle(ctx, { id, ...sent }) {
      const { db } = ctx.context;
      await db.transaction(async (trx) => {
        const current = await findPriceRecord(trx, kind.table, Number(id));
        if (!current) throw new ApiError(kind.notFound);
        checkRevision(ctx, idsOf(current));
        const read = kind.columns(sent as Partial<InputOf<F>>, ctx, current);
        const columns = (await kind.beforeWrite?.(trx, read, current)) ?? read;
        if (isUnchanged(current, columns)) return;
        await logChange(trx, ctx.actor, { kind: kind.audited, id: Number(id) }, () =>
          updateUnlessEdited(trx, kind.table, idsOf(current), columns),
        );
      });
      return ok(await shown(ctx, kind, Number(id)));
    },
    showCurrent: (ctx, { id }) => shown(ctx, kind, Number(id)),
  });
};

async function shown<T extends PriceTable, F extends Fields>(
  ctx: RequestContext,
  kind: PriceRecordKind<T, F>,
  id: number,
): Promise<unknown> {
  const row = await findPriceRecord(ctx.context.db, kind.table, id);
  if (!row) throw new ApiError(kind.notFound);
  return kind.view(row, ctx);
}

const removeOf = <T extends PriceTable, F extends Fields>(kind: PriceRecordKind<T, F>): AnyEndpoint =>
  endpoint({
    namespace: 'admin',
    methods: ['DELETE'],
    path: `${kind.path}/{id}`,
    name: `${kind.table}.delete`,
    summary: `Delete ${kind.nouns.one}`,
    input: { id: integer('Id of the record.', { min: 1 }) },
    required: ['id'],
    responses: { 200: kind.schema },
    errors: ['rest_forbidden', kind.notFound, ...(kind.deleteErrors ?? [])],
    may: kind.mayWrite,
    async handle(ctx, { id }) {
      const row = await ctx.context.db.transaction(async (db) => {
        const current = await findPriceRecord(db, kind.table, id);
        if (!current) throw new ApiError(kind.notFound);
        await kind.beforeDelete?.(db, current);
        await logChange(db, ctx.actor, { kind: kind.audited, id }, () =>
          tableOf(db)
            .deleteFrom(kind.table as PriceTable)
            .where('id', '=', id)
            .execute(),
        );
        return current;
      });
      return ok(kind.view(row, ctx));
    },
  });
