import { z } from 'zod';
import {
  type AnyEndpoint,
  assertFound,
  endpoint,
  type InputOf,
  type LookupContext,
  ok,
  type RequestContext,
} from '../../http/core/endpoint.ts';
import { ApiError, type ErrorCode } from '../../http/core/errors.ts';
import { boolean, custom, ids, integer } from '../../http/input/schemas.ts';
import { readInput } from '../../http/input/validate.ts';
import { utcTime } from '../../http/output/output.ts';
import { LINKED_KIND_NAMES } from '../../lib/linked-kinds.ts';
import { isRecord } from '../../lib/text/list.ts';
import { capitalize } from '../../lib/text/text.ts';
import { linkedPostKinds } from '../linked-kinds/registry.ts';
import { category, tag } from '../terms/taxonomies.ts';
import { linkedPostMerge } from './linked-post-merge.ts';
import { mergeRecords, UNDO_SECONDS } from './merge.ts';
import type { AnyMergeKind, Choice, Mergeable } from './merge-kind.ts';
import { termMerge } from './term-merge.ts';
import { findMerge, type StoredMerge, undoMerge } from './undo-merge.ts';

/** Maximum number of records that one request merges. */
const MAX_MERGED = 50;

const KINDS: readonly AnyMergeKind[] = [
  ...Object.values(linkedPostKinds).map(linkedPostMerge),
  ...[category, tag].map(termMerge),
];

const mergeSchema = z
  .object({
    merge: z.int().nullable().describe('Id of the merge, for undoing it; null for a dry run.'),
    kind: z.string(),
    survivor: z.int(),
    merged: z.array(
      z.object({
        id: z.int(),
        title: z.string(),
        events: z.int().describe('Number of events linked to it.'),
        children: z.int().describe('Number of its child categories.'),
      }),
    ),
    events: z.int().describe('Number of events linked to any of them.'),
    undo_until_utc: utcTime.nullable(),
  })
  .meta({ id: 'Merge', description: 'Effects of a merge or a dry run.' });

const undoSchema = z
  .object({
    kind: z.string(),
    survivor: z.int(),
    is_survivor_restored: z.boolean().describe('Whether the survivor was restored; false if it has been edited since.'),
    restored: z.array(z.int()).describe('Ids of the restored records.'),
    events: z.int().describe('Number of events linked to them.'),
  })
  .meta({ id: 'UndoneMerge' });

const mergeFields = {
  id: integer('Id of the record that takes over the others.'),
  from: ids(`Records to merge into it, at most ${MAX_MERGED}.`),
  fields: custom('Fields of the survivor to set, for example values of the others, as in a change of it.', {
    type: 'object',
  }),
  dry_run: boolean('Only report the effects.'),
};

type Input = Partial<InputOf<typeof mergeFields>>;

interface Target {
  survivor?: Mergeable;
  merged: Mergeable[];
  choice?: Choice;
}

async function findTarget(kind: AnyMergeKind, { id = 0, from = [], fields }: Input, lookup: LookupContext) {
  const { ctx, addProblem } = lookup;
  const { db } = ctx.context;
  const unique = [...new Set(from)];
  if (unique.length > MAX_MERGED) addProblem('from', { key: 'param.too_many', values: { max: MAX_MERGED } });
  if (unique.includes(id)) addProblem('from', { key: 'param.merge_self' });
  const target: Target = { survivor: await kind.find(db, id), merged: [], choice: undefined };
  if (!target.survivor) addProblem('id', { key: 'param.term_unknown' });
  for (const mergedId of unique.slice(0, MAX_MERGED)) {
    const record: Mergeable | undefined = await kind.find(db, mergedId);
    if (record && kind.isVisibleTo(ctx.viewer, record)) target.merged.push(record);
    else addProblem('from', { key: 'param.term_unknown' });
  }
  if (fields !== undefined) target.choice = await findChoice(kind, fields, lookup);
  return target;
}

/** Reads the chosen fields by the same schemas as a change of the record. */
async function findChoice(kind: AnyMergeKind, fields: unknown, lookup: LookupContext): Promise<Choice | undefined> {
  if (!isRecord(fields)) return void lookup.addProblem('fields', { key: 'param.object' });
  const { input, problems } = readInput(kind.fields, [], new Map(Object.entries(fields)));
  for (const [name, problem] of problems) lookup.addProblem(`fields[${name}]`, problem);
  return kind.findChoice(input, {
    ...lookup,
    addProblem: (name, problem) => lookup.addProblem(`fields[${name}]`, problem),
  });
}

const isLinked = ({ name }: AnyMergeKind): boolean => (LINKED_KIND_NAMES as readonly string[]).includes(name);

const errorsOf = (kind: AnyMergeKind): readonly ErrorCode[] =>
  isLinked(kind)
    ? // A kind of linked post.
      [`${kind.name}-is-in-trash` as ErrorCode]
    : ['term_exists', 'duplicate_term_slug'];

const mergeEndpoint = (kind: AnyMergeKind): AnyEndpoint =>
  endpoint({
    namespace: 'admin',
    methods: ['POST'],
    path: `/${kind.plural}/{id}/merge`,
    name: `${kind.plural}.merge`,
    summary: `Merge ${kind.plural}`,
    description:
      'The survivor takes over all events of the others, their texts in languages where it has none, and their URLs, ' +
      `which redirect to it. The others are ${isLinked(kind) ? 'put into the trash' : 'deleted; their children go to the survivor'}. ` +
      `Can be undone for ${UNDO_SECONDS / 60} minutes by \`POST /merges/{id}/undo\`.`,
    input: mergeFields,
    required: ['from'],
    body: `${capitalize(kind.name)}Merge`,
    responses: { 200: mergeSchema },
    errors: ['rest_missing_callback_param', 'rest_forbidden', 'edit-conflict', ...errorsOf(kind)],
    find: (input: Input, ctx, addProblem) => findTarget(kind, input, { ctx, addProblem }),
    may: (viewer, target) =>
      target === undefined
        ? kind.mayChange(viewer)
        : [target.survivor, ...target.merged].every((record) => kind.mayChange(viewer, record)),
    async handle(ctx, { dry_run: isDryRun = false }, { survivor, merged, choice }) {
      const request = { survivorId: assertFound(survivor).id, from: merged.map(({ id }) => id), choice, isDryRun };
      return ok(await mergeRecords(kind, request, ctx));
    },
    showCurrent: async (ctx, _input, { survivor }) => {
      const { id, slug, revision } = await kind.find(ctx.context.db, assertFound(survivor).id);
      return { id, slug, revision };
    },
  });

interface UndoTarget {
  merge?: StoredMerge;
  kind?: AnyMergeKind;
  records: (Mergeable | undefined)[];
}

async function findUndo(id: number, { context }: RequestContext): Promise<UndoTarget> {
  const merge = await findMerge(context.db, id);
  const kind = KINDS.find(({ name }) => name === merge?.kind);
  if (!merge || !kind) return { records: [] };
  const merged = merge.merged.map(({ record }) => record);
  return { merge, kind, records: [await kind.find(context.db, merge.survivor_id), ...merged] };
}

const undoEndpoint = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/merges/{id}/undo',
  name: 'merges.undo',
  summary: 'Undo a merge',
  description:
    'Restores the merged records, with the events that are still linked to the survivor. Edits of the survivor ' +
    'since the merge stay.',
  input: { id: integer('Id of the merge.') },
  responses: { 200: undoSchema },
  errors: ['rest_forbidden', 'merge-not-found', 'merge-final'],
  find: ({ id = 0 }, ctx) => findUndo(id, ctx),
  may: (viewer, target) =>
    target?.kind === undefined
      ? KINDS.some((kind) => kind.mayChange(viewer))
      : target.records.every((record) => record === undefined || target.kind?.mayChange(viewer, record)),
  async handle(ctx, _input, { merge, kind }) {
    if (!merge || !kind) throw new ApiError('merge-not-found');
    return ok(await undoMerge(kind, merge.id, ctx));
  },
});

/** Merges of venues, organizers and other linked posts, categories and tags. */
export const mergeEndpoints: AnyEndpoint[] = [...KINDS.map(mergeEndpoint), undoEndpoint];
