import { auditedSeries } from '../../calendar/events/series/audited.ts';
import { detach } from '../../calendar/events/series/series-store.ts';
import { removeFormerSlugs } from '../../calendar/posts/former-slugs.ts';
import type { Database } from '../../db/database.ts';
import type { MediaTable } from '../../db/tables/platform.ts';
import { callByName } from '../../demo/create.ts';
import { ApiError } from '../../http/core/errors.ts';
import { isRecord, membersOf } from '../../lib/text/list.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import { logChange } from '../../platform/audit/log.ts';
import { removeImage } from '../../platform/media/image-storage.ts';
import { findImages } from '../../platform/media/images.ts';
import type { InProcessContext } from '../../platform/users/in-process-context.ts';
import { findUser, OWNED, removeUser } from '../../platform/users/store.ts';
import { type Attendee, findAttendee } from '../../ticketing/attendees/store.ts';
import {
  removeImportedAttendee,
  removeImportedOrder,
  removeImportedTicket,
} from '../../ticketing/imports/remove-imported.ts';
import { type Former, passwordDigest } from '../changes.ts';
import type { Finding } from '../drafts.ts';
import type { LinkKind } from '../links.ts';
import { findIds, findLocalChange, findOwnEntries, findUseOfAttendee, findUseOfOrder, isNamedIn } from './local-use.ts';

/** Removes records that an import created, unless this site has changed or uses them. */

/** Thrown for a record that stays, with the reason. Rolls its savepoint back, so that no part of it is removed. */
export class Kept extends Error {
  readonly reason: Finding;
  constructor(code: string, detail = '') {
    super(code);
    this.reason = { code, detail };
  }
}

const keepFor = (reason: Finding | undefined): void => {
  if (reason) throw new Kept(reason.code, reason.detail);
};

export interface Undoing {
  db: Database;
  ctx: InProcessContext;
  importId: number;
  /** Decides without writing. */
  isDryRun: boolean;
  /** Records that a plan removes: `kind id`. */
  planned: Set<string>;
  /** Images whose files are removed after the transaction. */
  images: MediaTable[];
}

export interface Target {
  kind: LinkKind;
  record_id: number;
  revision: number | null;
  former: Former;
}

/** @throws {Kept} */
export async function removeCreated(target: Target, at: Undoing): Promise<void> {
  await REMOVERS[target.kind](target, at);
}

type Remover = (target: Target, at: Undoing) => Promise<void>;

/** Ids of records that stay. A real undo has already removed the others; a plan only lists them. */
const staying = (kind: LinkKind, ids: readonly number[], { planned }: Undoing): number[] =>
  ids.filter((id) => !planned.has(`${kind} ${id}`));

/** Keeps a record that others use. */
function keepForOthers(kind: LinkKind, ids: readonly number[], at: Undoing): void {
  const [first] = staying(kind, ids, at);
  if (first !== undefined) throw new Kept('used-here', `${kind} ${first}`);
}

/** An order and its attendees stay or go together. */
async function removeOrder({ record_id: id }: Target, at: Undoing): Promise<void> {
  const { db, ctx, importId, isDryRun, planned } = at;
  keepFor(await findUseOfOrder(db, id));
  const attendees = await attendeesOf(db, id);
  for (const attendee of attendees) {
    if (!(await isCreatedBy(importId, 'attendee', attendee.id, db)))
      throw new Kept('used-here', `attendee ${attendee.id}`);
    keepFor(await findUseOfAttendee(db, attendee));
  }
  if (isDryRun) {
    for (const { id: attendee } of attendees) planned.add(`attendee ${attendee}`);
    return;
  }
  // The money goes with the order.
  for (const attendee of attendees) await removeImportedAttendee(db, attendee, { ctx, isSettled: true });
  await removeImportedOrder(db, id, ctx);
}

async function attendeesOf(db: Database, orderId: number): Promise<Attendee[]> {
  const found: Attendee[] = [];
  for (const id of await findIds(db, 'attendees', { order_id: orderId })) {
    const attendee = await findAttendee(db, id);
    if (attendee) found.push(attendee);
  }
  return found;
}

const isCreatedBy = async (importId: number, kind: LinkKind, id: number, db: Database): Promise<boolean> =>
  (await findIds(db, 'import_changes', { kind, record_id: id, import_id: importId, action: 'created' })).length > 0;

async function removeAttendee({ record_id: id, former }: Target, at: Undoing): Promise<void> {
  const { db, ctx, importId, isDryRun, planned } = at;
  const attendee = await findAttendee(db, id);
  if (!attendee || planned.has(`attendee ${id}`)) return;
  const { order_id: order } = attendee;
  if (order !== null && (await isCreatedBy(importId, 'order', order, db))) throw new Kept('order-stays', String(order));
  keepFor(await findUseOfAttendee(db, attendee));
  if (!isDryRun) await removeImportedAttendee(db, attendee, { ctx, isSettled: former.isSettled === true });
}

async function removeTicket(target: Target, at: Undoing): Promise<void> {
  const { db, ctx, isDryRun } = at;
  const { record_id: id } = target;
  keepFor(await findLocalChange(db, 'ticket', target));
  const attendees = staying('attendee', await findIds(db, 'attendees', { ticket_id: id }), at);
  if (attendees.length > 0) throw new Kept('sold-here', String(attendees.length));
  if (await isNamedIn(db, 'cart_items', 'ticket_id', id)) await keepForCarts(id, at);
  if (!isDryRun && !(await removeImportedTicket(db, id, ctx))) throw new Kept('sold-here');
}

async function keepForCarts(id: number, { db }: Undoing): Promise<void> {
  const row = await db.query.selectFrom('tickets').select('held').where('id', '=', id).executeTakeFirst();
  if (row && row.held > 0) throw new Kept('in-cart', String(row.held));
}

async function removeEvent(target: Target, at: Undoing): Promise<void> {
  const { record_id: id } = target;
  if (at.planned.has(`event ${id}`)) return;
  keepFor(await findLocalChange(at.db, 'event', target));
  const [series] = await findIds(at.db, 'events', { id }, 'series_id');
  if (series) keepForOthers('series', [series], at);
  await removeUnused(id, at);
}

async function removeUnused(id: number, at: Undoing): Promise<void> {
  const { db, isDryRun } = at;
  const attendees = staying('attendee', await findIds(db, 'attendees', { event_id: id }), at);
  if (attendees.length > 0) throw new Kept('sold-here', String(attendees.length));
  keepForOthers('ticket', await findIds(db, 'tickets', { event_id: id, is_deleted: 0 }), at);
  if (!isDryRun) await callByName(['events', 'delete'], { id, force: true }, at.ctx);
}

/** A series and its events stay or go together. */
async function removeSeries(target: Target, at: Undoing): Promise<void> {
  const { db, ctx, isDryRun } = at;
  const { record_id: id } = target;
  keepFor(await findLocalChange(db, 'series', target));
  const events = await findIds(db, 'events', { series_id: id });
  for (const event of events) keepFor(await findOwnEntries(db, 'event', event));
  for (const event of events) {
    if (!isDryRun) await detach(db, event);
    await removeUnused(event, at);
  }
  if (isDryRun) {
    for (const event of events) at.planned.add(`event ${event}`);
    return;
  }
  await logChange(db, ctx.actor, { kind: auditedSeries, id }, async () => {
    await db.query.deleteFrom('series').where('id', '=', id).execute();
    await db.query.deleteFrom('records').where('id', '=', id).execute();
  });
}

const PLURALS = { venue: 'venues', organizer: 'organizers', category: 'categories', tag: 'tags' } as const;

/** Venues, organizers and terms stay as long as events have them. */
const removeNamed =
  (kind: keyof typeof PLURALS): Remover =>
  async (target, at) => {
    const { record_id: id } = target;
    keepFor(await findLocalChange(at.db, kind, target));
    keepForOthers('event', await findIds(at.db, 'event_links', { kind, target_id: id }, 'event_id'), at);
    if (kind === 'category') await keepForChildren(id, at);
    if (!at.isDryRun) await callByName([PLURALS[kind], 'delete'], { id, force: true }, at.ctx);
  };

/** Children that the import created do not count: they are removed before or after. */
async function keepForChildren(id: number, at: Undoing): Promise<void> {
  const children = staying('category', await findIds(at.db, 'terms', { parent_id: id, taxonomy: 'category' }), at);
  for (const child of children)
    if (!(await isCreatedBy(at.importId, 'category', child, at.db))) throw new Kept('used-here', `category ${child}`);
}

async function removeMedia(target: Target, at: Undoing): Promise<void> {
  const { db, ctx, isDryRun } = at;
  const { record_id: id } = target;
  keepFor(await findLocalChange(db, 'media', target));
  const uses = await callByName(['media', 'used_by'], { id }, ctx);
  if (uses.is_logo === true || uses.is_in_site_texts === true) throw new Kept('used-here', 'site');
  for (const use of membersOf(uses.used_by) ?? [])
    if (isRecord(use)) keepForOthers(use.kind as LinkKind, [Number(scalarText(use.id))], at);
  const row = (await findImages(db, [id])).get(id);
  if (isDryRun || !row) return;
  await removeFormerSlugs(db, { kind: 'media', id });
  await removeImage(db, row, ctx);
  at.images.push(row);
}

async function removeAccount({ record_id: id, former }: Target, at: Undoing): Promise<void> {
  const { db, ctx, isDryRun } = at;
  const user = await findUser(db, id);
  if (!user) return;
  if (ctx.viewer.account?.id === id) throw new Kept('own-account');
  if (user.last_seen_utc !== null || passwordDigest(user.password_hash) !== former.password)
    throw new Kept('signed-in');
  keepFor(await findOwnEntries(db, 'user', id));
  if (await isNamedIn(db, 'audit', 'user_id', id)) throw new Kept('signed-in');
  await keepForOwned(id, at);
  if (isDryRun) return;
  try {
    await removeUser(db, id, undefined, ctx.actor);
  } catch (error) {
    if (error instanceof ApiError) throw new Kept(error.code === 'user-owns-records' ? 'owns-records' : 'last-account');
    throw error;
  }
}

/** Kinds of the records of tables with authors. */
const KINDS: Readonly<Record<(typeof OWNED)[number], readonly LinkKind[]>> = {
  ...{ events: ['event'], linked_posts: ['venue', 'organizer'], media: ['media'], series: ['series'] },
};

async function keepForOwned(author_id: number, { db, planned }: Undoing): Promise<void> {
  for (const table of OWNED)
    for (const id of await findIds(db, table, { author_id }))
      if (!KINDS[table].some((kind) => planned.has(`${kind} ${id}`))) throw new Kept('owns-records');
}

const REMOVERS: Readonly<Record<LinkKind, Remover>> = {
  order: removeOrder,
  attendee: removeAttendee,
  ticket: removeTicket,
  series: removeSeries,
  event: removeEvent,
  venue: removeNamed('venue'),
  organizer: removeNamed('organizer'),
  category: removeNamed('category'),
  tag: removeNamed('tag'),
  media: removeMedia,
  account: removeAccount,
};
