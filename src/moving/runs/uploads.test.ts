import { tmpdir } from 'node:os';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import { importsOf, useOwnTemporaryFiles, workOnImports } from '../../../test/import-runs.ts';
import { BOTH_DATABASES, NOON, useTestServer } from '../../../test/server.ts';
import { eraseImports } from './store.ts';

/** Characters of a filler. */
const LARGE = 90_000;

const leftBehind = useOwnTemporaryFiles();
const DUMP = Buffer.from(Array.from({ length: 500 }, (_none, index) => `INSERT INTO x VALUES (${index});\n`).join(''));

describe.each(BOTH_DATABASES)('uploads of imports on %s', (kind) => {
  const server = useTestServer(kind, { timezone: 'Europe/Berlin' });
  const { ask, send, upload, work, read, run } = importsOf(server);

  it('receives a large file in parts, in their order', async () => {
    const padding = Array.from({ length: 30 }, (_none, index) => `Tea ${index},2027-10-02,${'x'.repeat(LARGE)}`);
    const bytes = Buffer.from(['Title,Start Date,Filler', ...padding].join('\n'));
    const size = bytes.length;
    const { id } = await server().make('POST admin:/imports', { file_name: 'large.csv', size });
    const piece = (number: number) => bytes.subarray(number * 1024 * 1024, (number + 1) * 1024 * 1024);
    expect((await send(id, 1, piece(1))).body.code).toBe('import-part-order');
    expect((await send(id, 0, piece(0).subarray(1))).body.code).toBe('import-part-order');
    expect((await send(id, 0, Buffer.alloc(1024 * 1024 + 1))).status).toBe(413);
    expect((await send(id, 0, piece(0))).body.received).toBe(1024 * 1024);
    expect((await send(id, 0, piece(0))).body.received).toBe(1024 * 1024);
    await send(id, 1, piece(1));
    expect((await send(id, 2, Buffer.concat([piece(2), Buffer.alloc(9)]))).body.code).toBe('import-part-order');
    expect((await send(id, 2, piece(2))).body).toMatchObject({ state: 'planning', received: size });
    expect((await send(id, 3, piece(2))).body.code).toBe('import-not-ready');
    await work();
    await ask(`POST admin:/imports/${id}/columns`, { columns: ['title', 'start_date', ''] });
    expect(await run(id)).toMatchObject({ counts: { created: { event: 30 } } });
  });

  it.each([
    ['a file of another kind', 'talks.ics', '<!doctype html>', /not a calendar/],
    ['a dump of something else', 'site.sql', 'CREATE TABLE `x` (`a` text);', /no tables of a WordPress site/],
    ['an archive that is none', 'site.sql.gz', 'no gzip', /"site\.sql\.gz" cannot be unpacked/],
    ['a file that breaks off', 'site.sql.gz', gzipSync(DUMP).subarray(0, 900), /cannot be unpacked/],
    ['a bomb', 'site.sql.gz', gzipSync(Buffer.alloc(70_000_000)), /unpacks to more than 34 MB/],
    ['entities', 'export.xml', '<!DOCTYPE x [<!ENTITY a "b">]><rss></rss>', /document type/],
    ['an empty table', 'table.csv', '\r\n', /empty/],
    ['NUL bytes', 'export.xml', Buffer.alloc(5000), /XML|end/],
  ])('fails with a reason for %s', async (_what, name, content, reason) => {
    server().restart({ importBytes: 1024 * 1024 });
    const id = await upload(name, content);
    const small = {
      ...server(),
      context: { ...server().context, config: { ...server().context.config, importBytes: 1024 * 1024 } },
    };
    await workOnImports(small);
    const failed = await read(id);
    expect(failed).toMatchObject({ state: 'failed', problem: 'source', is_startable: false });
    expect(failed.detail).toMatch(reason);
    expect(failed.detail).not.toContain(tmpdir());
    expect(await leftBehind()).toEqual([]);
  });

  it('takes a table whose headings are hostile', async () => {
    const headings = ['\\u0000', '__proto__', 'Title\0', '<b>', 'a\ud83c\udf19'.repeat(300), ''];
    const id = await upload('table.csv', `${headings.join(',')}\n1,2,Tea,4,5,6\n`);
    await work();
    const { state, columns } = await read(id);
    expect(state).toBe('mapping');
    expect(columns.slice(0, 4).map(({ heading }: { heading: string }) => heading)).toEqual([
      ...['\\u0000', '__proto__', 'Title', '<b>'],
    ]);
    expect(columns[2]).toMatchObject({ field: 'title', samples: ['Tea'] });
  });

  it('takes a workbook like a table', async () => {
    const bytes = await writeXlsxFile([
      [{ value: 'Title' }, { value: 'Start Date' }],
      [{ value: 'Äöü "x"' }, { value: '2027-02-05 19:30' }],
    ]).toBuffer();
    const id = await upload('Programme.xlsx', bytes);
    await work();
    const { columns } = await read(id);
    expect(columns.map(({ field }: { field: string }) => field)).toEqual(['title', 'start_date']);
    await ask(`POST admin:/imports/${id}/columns`, { columns: ['title', 'start_date'] });
    expect(await run(id)).toMatchObject({ state: 'finished', counts: { created: { event: 1 } } });
    const packed = await upload('site.sql.gz', bytes);
    await work();
    expect((await read(packed)).detail).toContain('cannot be unpacked');
  });

  it.each([-1, 1e300, 'x', '1.5', '%00'])('refuses a part with the number %s', async (number) => {
    const { id } = await server().make('POST admin:/imports', { file_name: 'table.csv', size: 10 });
    const { status, body } = await send(id, number, Buffer.alloc(10));
    expect([status, Object.keys(body.data.params)]).toEqual([400, ['number']]);
    expect((await read(id)).received).toBe(0);
  });

  it('refuses parts without bytes, far ahead and of no import', async () => {
    const { id } = await server().make('POST admin:/imports', { file_name: 'table.csv', size: 10 });
    for (const [number, length] of [
      [0, 0],
      [0, 9],
      [0, 11],
      [1e15, 10],
      [Number.MAX_SAFE_INTEGER, 10],
    ] as const)
      expect((await send(id, number, Buffer.alloc(length))).body.code).toBe('import-part-order');
    for (const other of [id + 1, 2_147_483_648, Number.MAX_SAFE_INTEGER])
      expect((await send(other, 0, Buffer.alloc(10))).body.code).toBe('import-not-found');
    const chunks = server().context.db.query.selectFrom('import_chunks').selectAll();
    expect(await chunks.where('run_id', '=', id).execute()).toEqual([]);
  });

  it('refuses files that cannot be imported before anything is sent', async () => {
    const refused = async (input: object) => {
      const { status, body } = await ask('POST admin:/imports', input);
      return [status, ...Object.keys(body.data?.params ?? {})];
    };
    expect(await refused({ file_name: 'site.zip', size: 5 })).toEqual([400, 'file_name']);
    expect(await refused({ file_name: 'table.csv', size: 2_000_000_000 })).toEqual([400, 'size']);
    expect(await refused({ file_name: 'table.csv' })).toEqual([400, 'size']);
    expect(await refused({ file_name: 'table.csv', size: 0 })).toEqual([400, 'size']);
    expect(await refused({ file_name: 'table.csv', size: 5, kind: 'sql' })).toEqual([400, 'file_name']);
    expect(await refused({ file_name: 'table.csv', size: 5, address: 'https://a.example' })).toEqual([400, 'address']);
    expect(await refused({})).toEqual([400, 'file_name']);
    expect(await refused({ address: 'https://a.example' })).toEqual([400, 'kind']);
    expect(await refused({ address: 'https://a:b@a.example', kind: 'ical' })).toEqual([400, 'address']);
    expect(await refused({ address: 'https://a:b@a.example', kind: 'wordpress' })).toEqual([400, 'address']);
    expect(await refused({ address: 'ftp://a.example', kind: 'wordpress' })).toEqual([400, 'address']);
    for (const as of ['editor', 'subscriber'] as const)
      expect((await server().ask('GET admin:/imports', { as })).status).toBe(403);
  });
});

describe.each(BOTH_DATABASES)('files of imports on %s', (kind) => {
  const server = useTestServer(kind, { timezone: 'Europe/Berlin' });
  const { ask, send, upload, work, read } = importsOf(server);
  const planned = async (id: number) => (await ask(`GET admin:/imports/${id}/plan`)).body.plan;

  it('erases files, plans and passwords a week later', async () => {
    const id = await upload('table.csv', 'Title,Start Date\nTea,2027-10-02', { columns: ['title', 'start_date'] });
    const { id: unfinished } = await server().make('POST admin:/imports', { file_name: 'site.sql', size: 3_000_000 });
    await send(unfinished, 0, Buffer.alloc(1024 * 1024));
    await work();
    const { query } = server().context.db;
    await query.updateTable('import_runs').set({ login: 'anna', secret: 'sealed' }).where('id', '=', id).execute();
    const days = (count: number) => {
      server().clock.now = new Date(NOON.getTime() + count * 86_400_000);
      return eraseImports(server().context);
    };
    await days(6);
    expect(await planned(id)).toHaveLength(1);
    expect(await query.selectFrom('import_chunks').select('run_id').execute()).toEqual([{ run_id: id }]);
    await days(8);
    for (const one of [id, unfinished])
      expect(await read(one)).toMatchObject({ state: 'cancelled', is_startable: false });
    expect(await planned(id)).toEqual([]);
    expect(await query.selectFrom('import_chunks').select('number').execute()).toEqual([]);
    expect((await send(unfinished, 1, Buffer.alloc(1024 * 1024))).body.code).toBe('import-not-ready');
    const runs = await query.selectFrom('import_runs').selectAll().execute();
    expect(runs.map(({ login, secret }) => login + secret)).toEqual(['', '']);
  });
});
