import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { BOTH_DATABASES, useTestServer } from '../../test/server.ts';
import type { NewTerm } from '../calendar/terms/store.ts';
import { type Database, refuseTransaction } from './database.ts';
import { deferCommit } from './deferred-commit.ts';
import { EditConflict, isForeignKeyViolation, isLostRace, isUnavailable, isUniqueViolation } from './errors.ts';
import { updateUnlessEdited } from './guarded-update.ts';

const term = (name: string, slug = name): NewTerm & { name_key: string; count: number } => ({
  taxonomy: 'tag',
  name,
  name_key: name,
  slug,
  description: '',
  parent_id: 0,
  count: 0,
});
const insert = (db: Database, name: string, slug = name) =>
  db.query.insertInto('terms').values(term(name, slug)).execute();

describe.each(BOTH_DATABASES)('the database on %s', (kind) => {
  const server = useTestServer(kind);
  const database = () => server().context.db;
  const names = async (like: string) =>
    (await database().query.selectFrom('terms').select('name').where('name', 'like', like).orderBy('id').execute()).map(
      ({ name }) => name,
    );
  const raced = () => Object.assign(new Error('deadlock'), { code: '40P01' });

  describe('a transaction', () => {
    it('returns the result of the work and commits its writes', async () => {
      const value = await database().transaction(async (db) => {
        await insert(db, 'kept');
        return 7;
      });
      expect([value, await names('kept')]).toEqual([7, ['kept']]);
    });

    it('calls listeners of its announcements once it has returned, and not after a rollback', async () => {
      const calls: string[] = [];
      const end = database().listen('jobs', () => void calls.push('listener'));
      const announcing = (work: () => void) =>
        database().transaction(async (db) => {
          db.announce('jobs');
          work();
        });
      await announcing(() => undefined);
      calls.push('returned');
      await expect(
        announcing(() => {
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      await new Promise((resolve) => setImmediate(resolve));
      end();
      expect(calls).toEqual(['returned', 'listener']);
    });

    it('rolls back when the work fails', async () => {
      const failing = database().transaction(async (db) => {
        await insert(db, 'undone');
        await db.transaction((inner) => insert(inner, 'undone too'));
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await names('undone%')).toEqual([]);
    });

    it('fails without affecting concurrent ones', async () => {
      const all = ['alone1', 'alone2', 'alone3'].map((name) =>
        database().transaction(async (db) => {
          await insert(db, name);
          if (name === 'alone2') throw new Error('no');
          return name;
        }),
      );
      const outcomes = await Promise.allSettled(all);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect((await names('alone%')).sort()).toEqual(['alone1', 'alone3']);
    });

    it('runs again after a lost race, from the beginning', async () => {
      let runs = 0;
      await database().transaction(async (db) => {
        await insert(db, `race${++runs}`);
        if (runs < 3) throw raced();
      });
      expect([runs, await names('race%')]).toEqual([3, ['race3']]);
    });

    it('locks an edited row on a retry, so that further edits do not interfere', async () => {
      const others = database();
      await insert(others, 'edited');
      const { id } = await others.query
        .selectFrom('terms')
        .select('id')
        .where('name', '=', 'edited')
        .executeTakeFirstOrThrow();
      let runs = 0;
      await others.transaction(async (db) => {
        runs++;
        const { revision } = await db.query
          .selectFrom('terms')
          .select('revision')
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        // Another writer edits the row at each attempt; on SQLite there is none during a transaction.
        if (kind === 'postgres')
          await sql`UPDATE terms SET description = description || 'x' WHERE id IN
            (SELECT id FROM terms WHERE id = ${id} FOR UPDATE SKIP LOCKED)`.execute(others.query);
        await updateUnlessEdited(db, 'terms', { id, revision }, { name: 'edited twice' });
      });
      expect([runs, await names('edited%')]).toEqual([kind === 'postgres' ? 2 : 1, ['edited twice']]);
    });

    it('runs again when a key was taken concurrently, and then sees it', async () => {
      await insert(database(), 'taken');
      let runs = 0;
      await database().transaction(async (db) => {
        runs++;
        await insert(db, 'second', runs === 1 ? 'taken' : 'taken-2');
      });
      expect([runs, await names('second')]).toEqual([2, ['second']]);
    });

    it.each([
      ['a lost race', raced],
      ['any other fault', () => new Error('fault')],
    ])('gives up after %s', async (_what, fault) => {
      let runs = 0;
      const work = database().transaction(async () => {
        runs++;
        throw fault();
      });
      await expect(work).rejects.toThrow(fault().message);
      expect(runs).toBe(isLostRace(fault()) ? 5 : 1);
    });

    it('refuses work that takes seconds inside it, but not beside it', async () => {
      const refused = (db: Pick<Database, 'query'>) => {
        try {
          refuseTransaction(db, 'wait');
          return false;
        } catch (error) {
          return String(error);
        }
      };
      const inside = await database().transaction(async (db) => {
        await sql`SELECT 1`.execute(db.query);
        return [refused(db), refused(database()), await db.transaction(async () => refused(database()))];
      });
      expect(inside).toEqual(inside.map(() => 'Error: must not wait within a transaction'));
      expect(refused(database())).toBe(false);
      const deferred = deferCommit(database());
      const steps = [refused(deferred.db), await deferred.db.transaction(async () => refused(deferred.db))];
      steps.push(refused(deferred.db), refused(database()));
      await deferred.rollback();
      expect(steps.map((step) => step !== false)).toEqual([false, true, true, false]);
    });

    it('waits for another one with the same lock', async () => {
      const order: string[] = [];
      let isFirstIn = () => undefined as unknown;
      const entered = new Promise((resolve) => {
        isFirstIn = () => resolve(undefined);
      });
      const first = database().transaction(async (db) => {
        await db.dialect.lock(db, 'same');
        isFirstIn();
        order.push('first in');
        await sql`SELECT 1`.execute(db.query);
        order.push('first out');
      });
      await entered;
      const second = database().transaction(async (db) => {
        await db.dialect.lock(db, 'same');
        order.push('second in');
      });
      await Promise.all([first, second]);
      expect(order).toEqual(['first in', 'first out', 'second in']);
    });
  });

  describe('an update with a log row', () => {
    const change = (name: string) =>
      database()
        .query.updateTable('terms')
        .set({ count: 1 })
        .where('name', '=', name)
        .where('count', '=', 0)
        .returning('name');
    const note = (attendee_id: number | null) => ({
      table: 'check_ins',
      row: { attendee_id, action: 'in', date_utc: '', source: '', user_id: 0, key_id: null, device: '' },
    });
    const notes = (id: number) =>
      database().query.selectFrom('check_ins').select('action').where('attendee_id', '=', id).execute();

    it('returns the row and logs it once', async () => {
      await insert(database(), 'noted');
      const run = () => database().dialect.updateWithLog(database(), change('noted'), note(1));
      expect(await Promise.all([run(), run()])).toEqual(expect.arrayContaining([{ name: 'noted' }, undefined]));
      expect(await notes(1)).toEqual([{ action: 'in' }]);
    });

    it('changes nothing when logging fails', async () => {
      await insert(database(), 'unnoted');
      const run = database().dialect.updateWithLog(database(), change('unnoted'), note(null));
      await expect(run).rejects.toThrow(/null/i);
      expect(await change('unnoted').execute()).toEqual([{ name: 'unnoted' }]);
    });

    it('commits or rolls back with its transaction', async () => {
      await insert(database(), 'outer');
      const failing = database().transaction(async (db) => {
        await db.dialect.updateWithLog(db, change('outer'), note(2));
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect([await notes(2), await change('outer').execute()]).toEqual([[], [{ name: 'outer' }]]);
    });
  });

  describe('keys', () => {
    it('of users and credentials are unique', async () => {
      const { query } = database();
      const user = {
        username: 'a',
        username_key: 'editor',
        email: 'x',
        email_key: 'x',
        password_hash: '',
        role: 'editor',
        created_utc: '',
      };
      const insertUser = (change: Partial<typeof user>) =>
        query
          .insertInto('users')
          .values({ ...user, ...change })
          .execute();
      await expect(insertUser({})).rejects.toSatisfy(isUniqueViolation);
      const email_key = 'editor@example.test';
      await expect(insertUser({ username_key: 'other', email_key })).rejects.toSatisfy(isUniqueViolation);
      const token = { user_id: server().userId('editor'), name: '', hash: 'same', scopes: '', created_utc: '' };
      const insertToken = () => query.insertInto('tokens').values(token).execute();
      await insertToken();
      await expect(insertToken()).rejects.toSatisfy(isUniqueViolation);
    });

    it('of terms are unique within a taxonomy', async () => {
      await insert(database(), 'one', 'same');
      await expect(insert(database(), 'two', 'same')).rejects.toSatisfy(isUniqueViolation);
      const category = { ...term('three', 'same'), taxonomy: 'category' as const };
      await database().query.insertInto('terms').values(category).execute();
    });

    it.each(['events', 'linked_posts'] as const)('of published %s are unique, of drafts not', async (table) => {
      const { make, context } = server();
      const dates = { start_date: '2027-01-01', end_date: '2027-01-02' };
      const create = () =>
        table === 'events'
          ? make('POST /events', { title: 'Same', ...dates })
          : make('POST /venues', { venue: 'Same' });
      const [first, second] = [await create(), await create()];
      expect(second.slug).toBe(`${first.slug}-2`);
      const update = (change: { slug?: string; status?: string }) =>
        context.db.query.updateTable(table).set(change).where('id', '=', second.id).execute();
      await expect(update({ slug: first.slug })).rejects.toSatisfy(isUniqueViolation);
      await update({ status: 'draft', slug: first.slug });
      await expect(update({ status: 'publish' })).rejects.toSatisfy(isUniqueViolation);
    });

    it('of referenced rows must exist', async () => {
      const values = { id: 999_999, kind: 'venue' as const };
      const orphan = database()
        .query.insertInto('linked_posts')
        .values({
          ...values,
          author_id: 1,
          status: 'draft',
          date: '',
          date_utc: '',
          modified: '',
          modified_utc: '',
          title: '',
          title_key: '',
          description: '',
          slug: '',
          image_id: null,
          trashed_from: '',
          search_text: '',
          attributes: '{}',
          show_map: 0,
          show_map_link: 0,
          geo_lat: null,
          geo_lng: null,
        })
        .execute();
      await expect(orphan).rejects.toThrow(/foreign key/i);
    });
  });
});

describe('faults', () => {
  it.each([
    [{ code: '23505' }, isUniqueViolation, true],
    [{ errcode: 2067 }, isUniqueViolation, true],
    [{ errcode: 1555 }, isUniqueViolation, true],
    [{ errcode: 787 }, isUniqueViolation, false],
    [{ code: '23503' }, isForeignKeyViolation, true],
    [{ errcode: 787 }, isForeignKeyViolation, true],
    [{ errcode: 2067 }, isForeignKeyViolation, false],
    [{ code: '40001' }, isLostRace, true],
    [{ code: '23505' }, isLostRace, false],
    [{ errcode: 5 }, isUnavailable, true],
    [{ errcode: 261 }, isUnavailable, true],
    [{ errcode: 8 }, isUnavailable, true],
    [{ errcode: 13 }, isUnavailable, true],
    [{ errcode: 10 }, isUnavailable, true],
    [{ errcode: 14 }, isUnavailable, true],
    [{ errcode: 1 }, isUnavailable, false],
    [{ code: '40P01' }, isUnavailable, true],
    [new EditConflict({ table: 'orders', id: 1 }), isUnavailable, true],
    [{ code: '53300' }, isUnavailable, true],
    [{ code: '57P01' }, isUnavailable, true],
    [{ code: '25006' }, isUnavailable, true],
    [{ code: '08006' }, isUnavailable, true],
    [{ code: '42P01' }, isUnavailable, false],
    [{ code: 'ECONNREFUSED' }, isUnavailable, true],
    [{ code: 'ENOSPC' }, isUnavailable, true],
    [{ code: 'ENOENT' }, isUnavailable, false],
    [new Error('Connection terminated unexpectedly'), isUnavailable, true],
    [new Error('something else'), isUnavailable, false],
    [undefined, isUnavailable, false],
    ['text', isUniqueViolation, false],
  ])('%j: %o returns %s', (fault, question, answer) => {
    expect(question(fault)).toBe(answer);
  });
});
