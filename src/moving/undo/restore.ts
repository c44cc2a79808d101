import { makeStep } from '../../calendar/events/series/make-occurrences.ts';
import { inSavepoint } from '../../db/database.ts';
import type { AddressedKind } from '../../db/tables/calendar.ts';
import { callByName } from '../../demo/create.ts';
import { ApiError, InvalidParams } from '../../http/core/errors.ts';
import { fromUtc } from '../../lib/dates/dates.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import type { Values } from '../../platform/audit/kind.ts';
import type { InProcessContext } from '../../platform/users/in-process-context.ts';
import { replaceSecurityCode } from '../../ticketing/imports/import-attendee.ts';
import { eventTickets } from '../../ticketing/tickets/event-tickets.ts';
import { SNAPSHOTS } from '../changes.ts';
import type { LinkKind } from '../links.ts';
import { findLocalChange } from './local-use.ts';
import { Kept, type Target, type Undoing } from './remove.ts';

/** Restores the former values of records that an import changed, through the endpoints that write them. */

/**
 * @returns fields that the rules of this site now refuse
 * @throws {Kept} if the record was changed here since
 */
export async function restoreChanged(target: Target, at: Undoing): Promise<readonly string[]> {
  const { kind, record_id: id, former } = target;
  if (kind === 'account' || kind === 'order' || kind === 'media') return [];
  const changed = await findLocalChange(at.db, kind, target);
  if (changed) throw new Kept(changed.code, changed.detail);
  if (at.isDryRun) return [];
  const ctx = former.modified ? { ...at.ctx, now: fromUtc(former.modified) } : at.ctx;
  const within = { ...at, ctx };
  const scope = former.isOfSeries ? { scope: 'all' } : {};
  const values = former.values ?? {};
  const refused = [...(await writeValues(kind, id, { ...values, ...scope }, within))];
  for (const [language, texts] of Object.entries(former.texts ?? {})) {
    const inside = { ...within, ctx: { ...ctx, language, askedLanguage: language } };
    refused.push(...(await writeValues(kind, id, { ...texts, ...scope }, inside)));
  }
  await forgetSlugs(target, at);
  return refused;
}

type RestoredKind = Exclude<LinkKind, 'account' | 'order' | 'media'>;

const ENDPOINTS: Readonly<Record<RestoredKind, string>> = {
  ...{ event: 'events', venue: 'venues', organizer: 'organizers', category: 'categories', tag: 'tags' },
  ...{ series: 'series', ticket: 'tickets', attendee: 'attendees' },
};

/** Attempts without the fields that are refused. */
const ATTEMPTS = 4;

async function writeValues(kind: RestoredKind, id: number, values: Values, at: Undoing): Promise<readonly string[]> {
  const { security_code, ...sent } = withoutUnset(values);
  if (typeof security_code === 'string') await replaceSecurityCode(at.db, id, security_code);
  const left: Record<string, unknown> = sent;
  const refused: string[] = [];
  for (let attempts = ATTEMPTS; attempts > 0 && Object.keys(left).length > 0; attempts--) {
    try {
      await inSavepoint(at.db, () => update(kind, id, left, at));
      return refused;
    } catch (error) {
      const names = error instanceof InvalidParams ? [...error.problems.keys()].filter((name) => name in left) : [];
      if (!(error instanceof ApiError) && !(error instanceof InvalidParams)) throw error;
      const lost = names.length > 0 ? names : Object.keys(left);
      refused.push(...lost);
      for (const name of lost) delete left[name];
    }
  }
  return refused;
}

/** A draft that never had a publication date has none to restore. */
const withoutUnset = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !(scalarText(value) ?? '').startsWith('0000-00-00')));

async function update(kind: RestoredKind, id: number, values: Values, { db, ctx }: Undoing): Promise<void> {
  const paramsOf = SNAPSHOTS[kind]?.restoring?.paramsOf;
  await callByName([ENDPOINTS[kind], 'update'], { ...(paramsOf ? await paramsOf(ctx, id, values) : values), id }, ctx);
  if (kind === 'series') await makeAll(id, { db, ctx });
}

async function makeAll(id: number, { db, ctx }: { db: Undoing['db']; ctx: InProcessContext }): Promise<void> {
  const maker = { context: ctx.context, now: ctx.now, ...(ctx.actor && { actor: ctx.actor }) };
  for (let left = 1; left > 0; ) left = await makeStep(db, id, { maker, tickets: eventTickets });
}

const isAddressed = (kind: LinkKind): kind is Extract<LinkKind, AddressedKind> =>
  kind === 'event' || kind === 'venue' || kind === 'organizer' || kind === 'category' || kind === 'tag';

/** Removes the addresses that the import gave a record. */
async function forgetSlugs({ kind, record_id, former }: Target, { db }: Undoing): Promise<void> {
  const { slugs } = former;
  if (slugs === undefined || !isAddressed(kind)) return;
  await db.query
    .deleteFrom('former_slugs')
    .where('kind', '=', kind)
    .where('record_id', '=', record_id)
    .$if(slugs.length > 0, (only) => only.where('slug', 'not in', slugs))
    .execute();
}
