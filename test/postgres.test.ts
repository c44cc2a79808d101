import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { createDatabase } from './postgres.ts';

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

describe('the PostgreSQL server of the test run', () => {
  it('creates independent databases, and copies the template if one is named', async () => {
    const server = inject('postgresUrl');
    const first = await createDatabase(server);
    await ask(first.url, 'CREATE TABLE halls AS SELECT 7 AS seats');
    const [second, copy] = await Promise.all([
      createDatabase(server),
      createDatabase(server, undefined, new URL(first.url).pathname.slice(1)),
    ]);
    await expect(ask(second.url, 'SELECT seats FROM halls')).rejects.toThrow('does not exist');
    expect(await ask(copy.url, 'SELECT seats FROM halls')).toEqual([{ seats: 7 }]);
    await Promise.all([first, second, copy].map((database) => database.drop()));
    await expect(ask(copy.url, 'SELECT 1')).rejects.toThrow('does not exist');
  });
});
