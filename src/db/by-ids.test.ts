import { describe, expect, it } from 'vitest';
import { BOTH_DATABASES, useTestServer } from '../../test/server.ts';
import { byIds } from './by-ids.ts';

let built = 0;

const authorsOf = byIds((query, ids, status: string) => {
  built += 1;
  return query
    .selectFrom('users')
    .select(['id', 'role'])
    .where('username', '!=', 'x')
    .where('role', '!=', status as 'door')
    .where('id', 'in', ids)
    .orderBy('id', 'desc');
});

describe.each(BOTH_DATABASES)('a query by ids on %s', (kind) => {
  const server = useTestServer(kind);
  const db = () => server().context.db;
  const idsOf = async (ids: number[], role: string) => (await authorsOf(db(), ids, role)).map(({ id }) => id);

  it('returns each existing row once, in the order of the query', async () => {
    const [door, editor] = [server().userId('door'), server().userId('editor')];
    expect(await idsOf([editor, 0, door, editor], 'author')).toEqual([door, editor].sort((a, b) => b - a));
    expect(await idsOf([editor, 0, door, editor], 'door')).toEqual([editor]);
    expect(await idsOf([], 'author')).toEqual([]);
  });

  it('returns the rows of more ids than fit in a statement', async () => {
    const editor = server().userId('editor');
    const many = Array.from({ length: 40_000 }, (_, index) => -index);
    expect(await idsOf([...many, editor], 'author')).toEqual([editor]);
  });

  it('is built once per number of placeholders, of which there are few', async () => {
    const upTo = (count: number) => Array.from({ length: count }, (_, id) => id);
    built = 0;
    for (let count = 5; count <= 6; count += 1) await idsOf(upTo(count), 'door');
    for (let count = 97; count <= 128; count += 1) await idsOf(upTo(count), 'door');
    expect(built).toBe(2);
    await idsOf([7, 8, 9, 10, 11], 'door');
    expect(built).toBe(2);
  });

  it('sees the writes of its own transaction', async () => {
    const id = server().userId('author');
    await db().transaction(async (trx) => {
      await trx.query.updateTable('users').set({ role: 'subscriber' }).where('id', '=', id).execute();
      expect(await authorsOf(trx, [id], 'door')).toEqual([{ id, role: 'subscriber' }]);
    });
  });
});
