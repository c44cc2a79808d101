import { addFormerSlug } from '../calendar/posts/former-slugs.ts';
import type { Database } from '../db/database.ts';
import { inSavepoint } from '../db/database.ts';
import type { AddressedKind } from '../db/tables/calendar.ts';
import { callByName } from '../demo/create.ts';
import { ApiError, InvalidParams } from '../http/core/errors.ts';
import { fromUtc, toUtc } from '../lib/dates/dates.ts';
import { translate } from '../lib/i18n.ts';
import { isRecord } from '../lib/text/list.ts';
import { scalarText } from '../lib/text/scalar-text.ts';
import type { InProcessContext } from '../platform/users/in-process-context.ts';
import { findUser } from '../platform/users/store.ts';
import { type Former, findState, formerOf, passwordDigest } from './changes.ts';
import { type At, type Params, paramsOf, type Writing } from './draft-params.ts';
import { type Draft, draftHash, type Finding, fieldHashes, idOf } from './drafts.ts';
import { findLink, type Link, saveLink } from './links.ts';
import { fieldsOf, findRevision, type Plan } from './plan.ts';
import { writeAttendee } from './write-attendee.ts';
import { Unimportable, writeAccount, writeOrder } from './write-owned.ts';

/** Writes planned records through the endpoints of this server, so that all their rules apply. */

export interface Written {
  id: number | null;
  findings: readonly Finding[];
}

const RESOURCES = {
  category: 'categories',
  tag: 'tags',
  venue: 'venues',
  organizer: 'organizers',
  event: 'events',
  series: 'series',
  ticket: 'tickets',
} as const;

/**
 * Creates or changes a record and its link, in the transaction of a page. A refused record leaves a link without a
 * record, and a finding; the rest of the page stays.
 */
export async function writeRecord(db: Database, draft: Draft, plan: Plan, writing: Writing): Promise<Written> {
  const ctx: InProcessContext = {
    ...writing.ctx,
    context: { ...writing.ctx.context, db },
    ...(writing.keepsIds !== false && { keptId: draft.id }),
    ...(typeof draft.fields.slug === 'string' && { keptSlug: draft.fields.slug }),
    now: draft.at === '' ? writing.ctx.now : fromUtc(draft.at),
  };
  const findings: Finding[] = [];
  const at: At = { db, ctx, writing, findings, isMatched: false };
  const changed = plan.action === 'change' ? await beginChange(db, draft, plan, writing) : undefined;
  const id = await attempt(draft, plan, at);
  const before = 'link' in plan ? plan.link : undefined;
  const kept = 'link' in plan && 'kept' in plan && plan.kept.length > 0 ? plan.kept : [];
  const isTouched = 'isTouched' in plan && plan.isTouched;
  const revision = await revisionOf(db, draft, id);
  const link = {
    ...{ source: writing.source, kind: draft.kind, foreign_id: draft.id, record_id: id },
    // Fields that stay unchanged here keep the earlier imported value, so that they are compared again.
    ...{ hash: kept.length > 0 ? '' : draftHash(draft), fields: JSON.stringify(hashesAfter(draft, before, kept)) },
    revision: isTouched ? (before?.revision ?? null) : revision,
    ...{ import_id: writing.importId, seen_utc: toUtc(writing.ctx.now) },
  };
  await saveLink(db, link, writing.links);
  if (id === null) return { id, findings };
  const note = { kind: draft.kind, record_id: id, foreign_id: draft.id, revision };
  if (changed) writing.changes.push({ ...note, action: 'changed', former: await changed() });
  if (plan.action === 'create')
    writing.changes.push({ ...note, action: at.isMatched ? 'linked' : 'created', former: at.former });
  return { id, findings };
}

/** Reads a record before its change; the result returns its former values afterwards. */
async function beginChange(
  db: Database,
  { kind, id: foreignId }: Draft,
  { link: { record_id }, fields }: Extract<Plan, { action: 'change' | 'conflict' }>,
  { source }: Writing,
): Promise<() => Promise<Former>> {
  const id = Number(record_id);
  const before = await findState(db, kind, id);
  const link = await findLink(db, source, kind, foreignId);
  const isOfSeries = fields.includes('scope');
  return async () => ({
    ...(before && formerOf(before, await findState(db, kind, id))),
    ...(link && { link }),
    ...(isOfSeries && { isOfSeries }),
  });
}

async function revisionOf(db: Database, { kind }: Draft, id: number | null): Promise<number | null> {
  return id === null ? null : ((await findRevision(db, kind, id)) ?? null);
}

function hashesAfter(draft: Draft, before: Link | undefined, kept: readonly string[]): Record<string, unknown> {
  const imported: unknown = before && JSON.parse(before.fields);
  const after: Record<string, unknown> = { ...fieldHashes(draft) };
  for (const field of kept) after[field] = isRecord(imported) ? imported[field] : undefined;
  return after;
}

/** Id of the written record; null if it is refused. */
async function attempt(draft: Draft, plan: Plan, at: At): Promise<number | null> {
  if (plan.action === 'cannot') {
    at.findings.push(plan.why);
    return null;
  }
  const { db, findings } = at;
  const known = 'link' in plan ? plan.link.record_id : null;
  if ('kept' in plan && plan.kept.length > 0) findings.push(await keptFinding(db, draft, plan));
  if (plan.action === 'same' || plan.action === 'conflict') return known;
  try {
    if (draft.kind === 'attendee') return await inSavepoint(db, () => writeAttendee(draft, plan, at));
    const owning = { db, ctx: at.ctx, source: at.writing.source, findings, changes: at.writing.changes };
    if (draft.kind === 'account') {
      const account = await inSavepoint(db, () => writeAccount(draft, owning));
      at.former = { password: passwordDigest((await findUser(db, account))?.password_hash ?? '') };
      return account;
    }
    if (draft.kind === 'order') return await inSavepoint(db, () => writeOrder(draft, owning));
    return await write(draft, plan, at);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    findings.push(typeof refusal === 'string' ? { code: 'refused', detail: refusal } : refusal);
    return known;
  }
}

async function keptFinding(
  db: Database,
  { kind }: Draft,
  { link, kept }: Plan & { kept: readonly string[]; link: Link },
) {
  const isThere = (await findRevision(db, kind, link.record_id ?? 0)) !== undefined;
  return { code: isThere ? 'changed-here' : 'deleted-here', detail: kept.join(', ') };
}

/** The sentence of a refusal, or its finding; undefined for a fault, which ends the import. */
function refusalOf(error: unknown): string | Finding | undefined {
  return error instanceof Unimportable ? error.finding : refusalSentence(error);
}

/** The sentence of a refusal by an endpoint. */
export function refusalSentence(error: unknown): string | undefined {
  if (error instanceof ApiError) return translate('en', error.messageKey, error.values);
  if (!(error instanceof InvalidParams)) return undefined;
  return [...error.problems].map(([name, { key, values }]) => translate('en', key, { name, ...values })).join(' ');
}

/** Required fields. All others are left out if the server refuses them. */
const NEEDED = new Set([
  'title',
  'name',
  'venue',
  'organizer',
  'start_date',
  'end_date',
  'provider',
  'post_id',
  'status',
]);

/** Attempts to write a record without the fields that the server refuses. */
const ATTEMPTS = 4;

async function write(draft: Draft, plan: Plan, at: At): Promise<number> {
  const { kind } = draft;
  if (kind === 'attendee' || kind === 'account' || kind === 'order') throw new Error('written by another function');
  const all = await paramsOf(draft, at);
  const isNew = plan.action === 'create';
  const sent: Params = isNew ? all : Object.fromEntries(fieldsOf(plan).map((name) => [name, all[name] ?? null]));
  const known = 'link' in plan ? Number(plan.link.record_id) : 0;
  for (let left = ATTEMPTS; ; left--) {
    try {
      return await inSavepoint(at.db, async () => {
        const params = {
          ...sent,
          ...(!isNew && { id: known }),
          ...(kind === 'ticket' && (await claim(all, isNew, at))),
        };
        const body = await callByName([RESOURCES[kind], isNew ? 'create' : 'update'], params, at.ctx);
        const id = Number(scalarText(body.id));
        if (kind !== 'ticket' && kind !== 'series') await noteSlug(sent.slug, body.slug, { kind, id, at });
        return id;
      });
    } catch (error) {
      const found = isNew ? existingTerm(error) : undefined;
      if (found !== undefined) {
        at.findings.push({ code: 'matched', detail: String(found) });
        at.isMatched = true;
        return found;
      }
      const refused = left > 1 ? refusedFields(error, { kind, sent }) : [];
      if (refused.length === 0) throw error;
      for (const name of refused) delete sent[name];
      at.findings.push({ code: 'left-out', detail: `${refused.join(', ')}: ${scalarText(refusalOf(error)) ?? ''}` });
    }
  }
}

/** A term with the same name and slug that the site already has. */
function existingTerm(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || error.code !== 'term_exists') return undefined;
  return idOf(error.data?.term_id) || undefined;
}

function refusedFields(error: unknown, { kind, sent }: { kind: Draft['kind']; sent: Params }): string[] {
  if (error instanceof ApiError && error.code === 'duplicate_term_slug' && 'slug' in sent) return ['slug'];
  if (!(error instanceof InvalidParams)) return [];
  const names = [...error.problems.keys()].filter((name) => name in sent);
  return names.every((name) => !isNeeded(name, kind, sent)) ? names : [];
}

/** The venue of an event may be left out, and the times of a sale, but not the name of a venue. */
const isNeeded = (name: string, kind: Draft['kind'], sent: Params): boolean =>
  NEEDED.has(name) && !Array.isArray(sent[name]) && !(kind === 'ticket' && name.endsWith('_date'));

/** Notes a different slug, and redirects the slug of the source to it unless another record has that slug. */
async function noteSlug(
  sent: unknown,
  made: unknown,
  { kind, id, at: { db, findings } }: { kind: AddressedKind; id: number; at: At },
): Promise<void> {
  if (typeof sent !== 'string' || sent === '' || typeof made !== 'string' || made === '') return;
  const isSame = [sent, decoded(sent)].some((slug) => made === slug || made.startsWith(`${slug}__trashed`));
  if (isSame) return;
  await addFormerSlug(db, { kind, id }, sent);
  findings.push({ code: 'slug-changed', detail: `${sent} → ${made}` });
}

function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}

/** Each write of a ticket consumes a one-time token. */
async function claim({ post_id }: Params, isNew: boolean, { ctx }: At): Promise<object> {
  const action = isNew ? 'add_ticket_nonce' : 'edit_ticket_nonce';
  const { nonce } = await callByName(['nonces', 'create'], { action, post_id }, ctx);
  return { post_id, [action]: nonce };
}
