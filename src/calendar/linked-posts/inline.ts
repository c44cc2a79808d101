import { mayEdit } from '../../http/core/auth.ts';
import type { AddProblem, LookupContext } from '../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../http/core/errors.ts';
import { OutdatedRevision } from '../../http/core/revisions.ts';
import { readInput } from '../../http/input/validate.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import { plainText } from '../../lib/text/text.ts';
import { ownedAs, type PostReferences } from '../posts/post.ts';
import { changedMembers } from '../posts/unchanged-members.ts';
import { asLinkedPostInput, type LinkedPostInput, type LinkedPostKind, writeFields } from './kind.ts';
import { changeLinkedPost, findReferences, type SaveContext } from './save.ts';
import { findLinkedPost, type LinkedPost } from './store.ts';
import { renderAll } from './view.ts';

/** Records sent inside an event: new ones, and existing ones in the form of responses, possibly changed. */

/** A validated record without an `id`, to be created. */
export interface NewLinkedPost {
  input: LinkedPostInput;
  references: PostReferences;
}

/** Fields of a record that differ from the stored ones. */
export interface LinkedChange extends NewLinkedPost {
  id: number;
  /** Revision on which the change is based, as sent; absent for any. */
  revision?: unknown;
}

type Members = Readonly<Record<string, unknown>>;

/** Validates a new record by the schemas of a request that creates one; undefined if it is invalid. */
export async function findNew(
  kind: LinkedPostKind,
  sent: Members,
  lookup: LookupContext,
): Promise<NewLinkedPost | undefined> {
  const isNamed = plainText(scalarText(sent[kind.name]) ?? '') !== '';
  return isNamed ? findInput(kind, sent, { ...lookup, isUpdate: false }) : undefined;
}

/** Changes in an object with the `id` of a record: only the id without changes, undefined if it is invalid. */
export async function findChange(
  kind: LinkedPostKind,
  { post, sent }: { post: LinkedPost; sent: Members },
  lookup: LookupContext,
): Promise<LinkedChange | Pick<LinkedPost, 'id'> | undefined> {
  const { id } = post;
  const revision = sent.revision ?? undefined;
  // `saveChange` rejects an outdated copy even without changes, because newer fields may be missing from it.
  if (!isPresent(revision, post)) return { id, revision, input: {}, references: {} };
  const [shown = {}] = await renderAll(kind, [post], { ctx: lookup.ctx });
  const fields = writeFields(kind);
  const differing = Object.entries(changedMembers(sent, shown, kind.together));
  const changes = Object.fromEntries(differing.filter(([name]) => Object.hasOwn(fields, name)));
  if (Object.keys(changes).length === 0) return { id };
  // A trashed record would lose the event that this write links it to.
  if (changes.status === 'trash') return undefined;
  const found = await findInput(kind, changes, { ...lookup, isUpdate: true });
  return found && { id, ...found, revision };
}

/** Without a revision, any version matches. */
const isPresent = (sent: unknown, { revision }: LinkedPost): boolean =>
  sent === undefined || scalarText(sent) === scalarText(revision);

async function findInput(
  kind: LinkedPostKind,
  sent: Members,
  { ctx, addProblem, isUpdate }: LookupContext & { isUpdate: boolean },
): Promise<NewLinkedPost | undefined> {
  const { input, problems } = readInput(writeFields(kind), [], new Map(Object.entries(sent)));
  if (problems.size > 0) return undefined;
  let isRefused = false;
  const refuse: AddProblem = (_name, problem) => {
    isRefused = true;
    addProblem(kind.name, problem);
  };
  const references = await findReferences(kind, input, { ctx, addProblem: refuse, isUpdate });
  return isRefused ? undefined : { input: asLinkedPostInput(input), references };
}

/**
 * Changes a record named by an event, in the transaction that writes the event.
 * @throws {OutdatedRevision}
 * @throws {ApiError} rest_forbidden
 * @throws {InvalidParams} naming the kind if the record is gone
 */
export async function saveChange(
  kind: LinkedPostKind,
  { id, input, revision }: LinkedChange,
  context: SaveContext,
): Promise<void> {
  const { db, ctx } = context;
  await db.dialect.lock(db, `post-${id}`);
  const current = await findLinkedPost(db, kind.name, id);
  if (!current) throw invalidParam(kind.name, 'param.linked_reference', { kind: kind.name });
  // Checked first, since an outdated copy differs although its sender changed nothing.
  if (!isPresent(revision, current)) throw new OutdatedRevision(kind.name);
  if (!mayEdit(ctx.viewer, ownedAs(current)))
    throw new ApiError('rest_forbidden', { message: 'linked.forbidden', values: { kind: kind.name } });
  await changeLinkedPost(kind, { current, input }, context);
}
