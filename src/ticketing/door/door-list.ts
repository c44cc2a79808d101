import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { assertFound, endpoint, ok } from '../../http/core/endpoint.ts';
import { boolean, filledText } from '../../http/input/schemas.ts';
import { type DoorRow, digestText, digestWith, EMPTY_DIGEST } from '../../lib/door/door-list.ts';
import { ADMISSIONS } from '../../lib/door/door-verdict.ts';
import { secretHash } from '../../lib/hash.ts';
import type { SiteKey } from '../../lib/site-keys.ts';
import { doorEventSchema, doorTicketSchema, findDoorTickets } from './gate-events.ts';
import { type Gate, settleGate } from './gate-store.ts';
import { openGateOf } from './greeting.ts';
import { findListed, findListedById, MOVED_AWAY, rowMaker } from './list-rows.ts';
import { publicKeySchema, publicKeys } from './signing.ts';

/**
 * The list of a gate: `/door/attendees`. A device loads it in pages, and continues with the changes since. The position
 * is a version before which all changes are committed (`Dialect.changeMark`), read before the rows, so that changes may
 * come twice, but none is missed, whatever the order in which transactions end.
 */

const PAGE_ROWS = 2000;

/** Position of a device in the list. */
type Position =
  /** Within the whole list: changes since `mark` follow it. */
  | { kind: 'whole'; mark: number; event: number; after: number }
  /** Within the changes since `mark`; those since `next` follow them. */
  | { kind: 'changes'; mark: number; next: number | undefined; after: number };

interface Page {
  rows: DoorRow[];
  gone: number[];
  position: Position;
  /** Whether more rows follow at once. */
  more: boolean;
  /** Whether the rows begin a new list in place of the earlier one. */
  reset: boolean;
}

/**
 * Layout of the rows of a gate. It changes when rows change without a recorded change, and once all transactions have
 * ended that began before the gate had its events.
 */
function layoutOf({ id, events_key, names, settled_version }: Gate, mark: number): string {
  const isSettled = settled_version !== null && mark >= settled_version;
  return secretHash(JSON.stringify([id, events_key, names, isSettled])).slice(0, 12);
}

function tokenOf(gate: Gate, position: Position, mark: number): string {
  const { kind, mark: from, after } = position;
  const other = kind === 'whole' ? position.event : (position.next ?? 0);
  return [layoutOf(gate, mark), kind, from, other, after].join('.');
}

const TOKEN = /^([0-9a-f]{12})\.(whole|changes)\.(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/;

/** The position of a token; undefined for one of another list, or of a database that was restored since. */
function positionOf(gate: Gate, token: string | undefined, mark: number): Position | undefined {
  const [, layout, kind, ...numbers] = TOKEN.exec(token ?? '') ?? [];
  const [from = 0, other = 0, after = 0] = numbers.map(Number);
  if (layout !== layoutOf(gate, mark) || from > mark || (kind === 'changes' && other > mark)) return undefined;
  if (kind === 'whole') return { kind, mark: from, event: other, after };
  return { kind: 'changes', mark: from, next: other === 0 ? undefined : other, after };
}

interface Reading {
  db: Database;
  gate: Gate;
  siteKey: SiteKey;
}

/** Reads the page at a token. */
async function readPage({ db, gate, siteKey }: Reading, token: string | undefined): Promise<Page & { mark: number }> {
  // Read before the rows, so that changes committed in between are read again later.
  const mark = await db.dialect.changeMark(db);
  const position = positionOf(gate, token, mark);
  const make = rowMaker(gate, siteKey);
  if (position?.kind === 'changes') return { ...(await readChanges({ db, gate, make, mark }, position)), mark };
  const start = position ?? { kind: 'whole', mark, event: MOVED_AWAY, after: 0 };
  return { ...(await readWhole({ db, gate, make }, start)), reset: position === undefined, mark };
}

type RowMaker = ReturnType<typeof rowMaker>;

const partsOf = ({ events }: Gate): number[] => [MOVED_AWAY, ...events];

async function readWhole(
  { db, gate, make }: { db: Database; gate: Gate; make: RowMaker },
  { mark, event, after }: Extract<Position, { kind: 'whole' }>,
): Promise<Omit<Page, 'reset'>> {
  const rows: DoorRow[] = [];
  let last = { event, after };
  for (const id of partsOf(gate).filter((one) => one >= event)) {
    const from = id === event ? after : 0;
    const found = await findListed(db, gate, { event: id, after: from, limit: PAGE_ROWS - rows.length });
    rows.push(...found.map(make));
    last = { event: id, after: found.at(-1)?.id ?? from };
    if (rows.length >= PAGE_ROWS) {
      return { rows, gone: [], position: { kind: 'whole', mark, ...last }, more: true };
    }
  }
  return { rows, gone: [], position: { kind: 'changes', mark, next: undefined, after: 0 }, more: false };
}

async function readChanges(
  { db, gate, make, mark }: { db: Database; gate: Gate; make: RowMaker; mark: number },
  position: Extract<Position, { kind: 'changes' }>,
): Promise<Page> {
  const changed = await db.query
    .selectFrom('door_changes')
    .select('attendee_id')
    .distinct()
    .where('event_id', 'in', [0, ...gate.events])
    .where('version', '>=', position.mark)
    .where('attendee_id', '>', position.after)
    .orderBy('attendee_id')
    .limit(PAGE_ROWS + 1)
    .execute();
  // The same position as before, so that the response is the same as long as nothing changes.
  if (changed.length === 0 && position.next === undefined) {
    return { rows: [], gone: [], position, more: false, reset: false };
  }
  const ids = changed.slice(0, PAGE_ROWS).map(({ attendee_id }) => attendee_id);
  const attendees = await findListedById(db, ids);
  const found = new Set(attendees.map(({ id }) => id));
  const next = position.next ?? mark;
  const more = changed.length > PAGE_ROWS;
  return {
    rows: attendees.map(make),
    gone: ids.filter((id) => !found.has(id)),
    position: more
      ? { kind: 'changes', mark: position.mark, next, after: ids.at(-1) ?? 0 }
      : { kind: 'changes', mark: next, next: undefined, after: 0 },
    more,
    reset: false,
  };
}

/** Digest of the whole list, in pages. */
async function digestOf({ db, gate, siteKey }: Reading): Promise<string> {
  const make = rowMaker(gate, siteKey);
  let digest = EMPTY_DIGEST;
  for (const event of partsOf(gate)) {
    for (let after = 0; ; ) {
      const found = await findListed(db, gate, { event, after, limit: PAGE_ROWS });
      for (const attendee of found) digest = digestWith(digest, make(attendee));
      after = found.at(-1)?.id ?? after;
      if (found.length < PAGE_ROWS) break;
    }
  }
  return digestText(digest);
}

/** A page and the digest of the list after it, from one snapshot. */
const readWithDigest = ({ db, ...reading }: Reading, token: string | undefined) =>
  db.transaction(async (snapshot) => {
    await snapshot.dialect.snapshot(snapshot);
    const page = await readPage({ db: snapshot, ...reading }, token);
    return { page, digest: page.more ? null : await digestOf({ db: snapshot, ...reading }) };
  });

const rowSchema = z
  .tuple([
    z.int().describe('Id of the attendee.'),
    z.int().describe('Event; not an event of the gate for an attendee who was moved to another one.'),
    z.int().describe('Ticket.'),
    z.enum(ADMISSIONS).describe('`ok` if it admits, otherwise why not.'),
    z.string().describe('UTC time of the entry; empty unless the holder is in.'),
    z.union([z.literal(0), z.literal(1)]).describe('1 if the holder was in and has left.'),
    z.string().describe('Name, as the gate shows it.'),
    z.int().describe('Number that attendees of the same order share; 0 for none.'),
    z.int().describe('Amount owed for the order, in minor units.'),
    z.int().describe('Id in the code; for a series pass, its first attendee.'),
    z.string().describe('Proof of the code; see `list_secret` of `POST /door/hello`.'),
    z.string().describe('Note for the door.'),
  ])
  .meta({ id: 'DoorRow', description: 'An attendee in the list of a gate.' });

const listSchema = z
  .object({
    token: z.string().describe('Sent as `since` with the next request.'),
    more: z.boolean().describe('Whether more rows follow at once.'),
    reset: z.boolean().describe('Whether the rows begin a new list, in place of the one that the device has.'),
    attendees: z.array(rowSchema).describe(`At most ${PAGE_ROWS}; a row replaces the earlier one of the attendee.`),
    gone: z.array(z.int()).describe('Attendees who were deleted.'),
    digest: z
      .string()
      .nullable()
      .describe('Digest of the whole list after this response, if asked for; null while more rows follow.'),
    events: z.array(doorEventSchema),
    tickets: z.array(doorTicketSchema),
    keys: z.array(publicKeySchema).describe('Public keys of signed codes, also retired ones.'),
    currency: z.string().describe('ISO 4217 code of the amounts.'),
  })
  .meta({ id: 'DoorList', description: 'Attendees of the events of a gate: the whole list, or the changes.' });

export const doorListEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/door/attendees',
  name: 'door.attendees',
  summary: 'Synchronise the list of a gate',
  description:
    'For paired devices. Without `since`, the whole list in pages; with it, what has changed. A row may come twice, and none is missed. Unchanged responses are 304 with `If-None-Match`.',
  input: {
    since: filledText('Token of the last response.', { max: 100 }),
    digest: boolean('Whether to compare the list: its digest is in the response.'),
  },
  responses: { 200: listSchema },
  errors: ['rest_forbidden'],
  may: ({ device }) => device !== undefined,
  async handle(ctx, { since, digest: wantsDigest }) {
    const { context, viewer } = ctx;
    const { gate: open, events } = await openGateOf(ctx, assertFound(viewer.device));
    const gate = await settleGate(context.db, open);
    const reading = { db: context.db, gate, siteKey: context.siteKey };
    const { page, digest } = wantsDigest
      ? await readWithDigest(reading, since)
      : { page: await readPage(reading, since), digest: null };
    return ok({
      token: tokenOf(gate, page.position, page.mark),
      more: page.more,
      reset: page.reset,
      attendees: page.rows,
      gone: page.gone,
      digest,
      events,
      tickets: await findDoorTickets(ctx, gate.events),
      keys: await publicKeys(context),
      currency: context.config.currency,
    });
  },
});
