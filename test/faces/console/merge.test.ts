import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Fields, mergePatch } from '../../../apps/client/merge.ts';
import { Problem } from '../../../apps/client/problem.ts';
import { createRecordEditor, type RecordEditor, type Version } from '../../../apps/client/record-editor.ts';
import { ConflictError } from '../../../packages/client/src/marquee-client.ts';

const NAMES = ['title', 'venue', 'start'];
const FIRST: Version = { revision: 1, fields: { title: 'a', venue: 'a', start: 'a' } };

describe('mergePatch', () => {
  const base = { title: 'a', tags: [1], start: 'x' };
  it.each([
    ['keeps what only you changed', { title: 'b' }, base, { patch: { title: 'b' }, taken: [], conflicts: [] }],
    [
      'takes what only they changed',
      { title: 'b' },
      { ...base, tags: [2] },
      { patch: { title: 'b' }, taken: ['tags'], conflicts: [] },
    ],
    [
      'has nothing to save where both made the same change',
      { tags: [2] },
      { ...base, tags: [2] },
      { patch: {}, taken: [], conflicts: [] },
    ],
    [
      'leaves to a person what both changed differently',
      { title: 'b', start: 'y' },
      { ...base, title: 'c' },
      { patch: { title: 'b', start: 'y' }, taken: [], conflicts: [{ name: 'title', yours: 'b', theirs: 'c' }] },
    ],
  ])('%s', (_, patch, present, merged) => {
    expect(mergePatch(base, patch, present)).toEqual(merged);
  });
});

/** A server that keeps one record, and remembers every value that was ever written over another. */
function createServer() {
  let present = FIRST;
  const overwritten: { name: string; value: unknown; by: string }[] = [];
  return {
    present: () => present,
    overwritten,
    async write(by: string, patch: Fields, revision: number): Promise<Version> {
      if (revision !== present.revision) {
        const answer = { status: 412, code: 'edit-conflict', message: '', requestId: undefined, retryAfter: undefined };
        throw new Problem(new ConflictError({ ...answer, data: { record: present } }, { method: 'PATCH', path: '/' }));
      }
      for (const name of Object.keys(patch)) overwritten.push({ name, value: present.fields[name], by });
      present = { revision: revision + 1, fields: { ...present.fields, ...patch } };
      return present;
    },
  };
}

type Act = { who: 0 | 1 } & (
  | { act: 'type'; name: string; value: string }
  | { act: 'save'; choice: 'yours' | 'theirs' }
  | { act: 'crash' }
);

const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    fc.record({
      who: fc.constantFrom(0 as const, 1 as const),
      act: fc.constant('type' as const),
      name: fc.constantFrom(...NAMES),
      value: fc.string({ minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      who: fc.constantFrom(0 as const, 1 as const),
      act: fc.constant('save' as const),
      choice: fc.constantFrom('yours' as const, 'theirs' as const),
    }),
    fc.record({ who: fc.constantFrom(0 as const, 1 as const), act: fc.constant('crash' as const) }),
  ),
  { maxLength: 30 },
);

/** One of two people who edit the same record, in a browser that may crash and keeps what was typed. */
function createPerson(name: string, server: ReturnType<typeof createServer>) {
  /** Values of each field that this person has had before the eyes. */
  const seen = new Set<string>();
  const see = (fields: Fields) => {
    for (const [field, value] of Object.entries(fields)) seen.add(`${field}=${value}`);
  };
  let kept: Parameters<typeof createRecordEditor>[2];
  const options = {
    write: (patch: Fields, revision: number) => server.write(name, patch, revision),
    // Made above.
    readConflict: ({ data }: Problem) => data.record as Version,
    keep: (next: typeof kept) => {
      kept = next;
    },
  };
  const open = (): RecordEditor => {
    const editor = createRecordEditor(server.present(), options, kept);
    see(server.present().fields);
    return editor;
  };
  let editor = open();
  const decide = (choice: 'yours' | 'theirs') => {
    for (const conflict of editor.state().conflicts) {
      seen.add(`${conflict.name}=${conflict.theirs}`);
      editor.resolve(conflict.name, choice);
    }
  };
  return {
    seen,
    patch: () => editor.state().patch,
    set(field: string, value: string) {
      seen.add(`${field}=${value}`);
      editor.set(field, value);
    },
    async save(choice: 'yours' | 'theirs') {
      decide(choice);
      for (let tries = 0; tries < 5 && !(await editor.save()); tries += 1) decide(choice);
      see(editor.state().base.fields);
    },
    crash() {
      const before = editor.state().patch;
      editor = open();
      // A field to which the other user gave the same value need not be saved.
      for (const [field, value] of Object.entries(before))
        expect([editor.state().patch[field], server.present().fields[field]]).toContain(value);
    },
  };
}

it('sends input typed during a save once, however often it is saved meanwhile', async () => {
  const server = createServer();
  const sent: Fields[] = [];
  const editor = createRecordEditor(FIRST, {
    write(patch, revision) {
      sent.push(patch);
      return server.write('ada', patch, revision);
    },
    readConflict: ({ data }) => data.record as Version,
    keep: () => undefined,
  });
  editor.set('title', 'b');
  const saves = [editor.save()];
  editor.set('venue', 'b');
  saves.push(editor.save(), editor.save());
  expect(await Promise.all(saves)).toEqual([true, true, true]);
  expect(sent).toEqual([{ title: 'b' }, { venue: 'b' }]);
});

it('undoes one’s own changes, and keeps later ones by others', async () => {
  const server = createServer();
  const withFormer = (version: Version): Version => ({ ...version, former: { ...version.fields, venue: null } });
  const editor = createRecordEditor(withFormer(FIRST), {
    write: async (patch, revision) => withFormer(await server.write('ada', patch, revision)),
    // Made above.
    readConflict: ({ data }) => withFormer(data.record as Version),
    keep: () => undefined,
  });
  expect(editor.state().undo).toBeUndefined();
  await server.write('ben', { start: 'b' }, 1);
  editor.set('title', 'b');
  editor.set('venue', 'b');
  expect(await editor.save()).toBe(true);
  expect(editor.state().taken).toEqual(['start']);
  expect(editor.state().undo).toEqual({ patch: { title: 'a', venue: null }, revision: 3 });
  editor.set('title', 'c');
  await server.write('ben', { title: 'd' }, 3);
  expect(await editor.save()).toBe(false);
  // Nothing was saved that could be taken back.
  expect(editor.state().undo).toBeUndefined();
});

describe('two editors of one record', () => {
  it('lose no change unseen, in whatever order they type, save and crash', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (all) => {
        const server = createServer();
        const people = [createPerson('ada', server), createPerson('ben', server)] as const;
        for (const one of all) {
          const person = people[one.who];
          if (one.act === 'type') person.set(one.name, one.value);
          else if (one.act === 'save') await person.save(one.choice);
          else person.crash();
        }
        for (const person of people) await person.save('yours');
        // A user who overwrites a value has seen it, and no input is left unsaved.
        const unseen = server.overwritten.filter(({ name, value, by }) => {
          const { seen } = people[by === 'ada' ? 0 : 1];
          return !seen.has(`${name}=${value}`);
        });
        expect(unseen).toEqual([]);
        for (const person of people) expect(person.patch()).toEqual({});
      }),
      { numRuns: 100 },
    );
  });
});
