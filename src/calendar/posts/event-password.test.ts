import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { EVENING } from '../../../test/tickets.ts';
import { ANONYMOUS, ROLE_NAMES, SCOPE_NAMES, type Viewer, viewerOf, withKey } from '../../http/core/auth.ts';
import { areTicketsLocked, eventsWithLockedTickets } from '../../ticketing/tickets/visibility.ts';
import { type Event, getEvents, withDerived } from '../events/store.ts';
import { isLocked, lockedIds, type Reader } from './event-password.ts';
import { STATUSES } from './post.ts';

const PASSWORDS = ['', 'sesame', 'Sesame', 'sésame ', "o'clock", '%'];
const AUTHORS = ['administrator', 'author', 'contributor'] as const;

/** Two forms of a rule that have to agree: for one event, and for all events. */
interface RulePair {
  ofOne(event: Event, viewer: Viewer, password: string | undefined): boolean;
  ofAll(reader: Reader): RawBuilder<number> | undefined;
}

const RULE_PAIRS: [string, RulePair][] = [
  ['events', { ofOne: isLocked, ofAll: lockedIds }],
  ['the tickets of events', { ofOne: areTicketsLocked, ofAll: eventsWithLockedTickets }],
];

describe.each(DATABASES)('the rule for events behind a password on %s', (kind) => {
  const server = useTestServer(kind);

  /** One event of every author, status, password and status before the trash. */
  async function makeAll(): Promise<Event[]> {
    const { context, make, userId } = server();
    const { id } = await make('POST /events', EVENING);
    const [pattern] = await getEvents(context.db, [id]);
    const rows = AUTHORS.flatMap((author) =>
      STATUSES.flatMap((status) =>
        (status === 'trash' ? ['', 'draft', 'publish', 'private'] : ['']).flatMap((trashed_from) =>
          PASSWORDS.map((password) => ({ author_id: userId(author), status, trashed_from, password })),
        ),
      ),
    );
    const events = rows.map((row, index) => ({
      ...(pattern as Event),
      ...row,
      slug: `event-${index}`,
      id: 10_000 + index,
    }));
    const { query } = context.db;
    await query
      .insertInto('records')
      .values(events.map((event) => ({ id: event.id, kind: 'event' as const })))
      .execute();
    await query
      .insertInto('events')
      .values(events.map(({ id, ...values }) => ({ id, ...withDerived(values) })))
      .execute();
    return events;
  }

  it.each(RULE_PAIRS)(
    'is the same for %s in TypeScript and in SQL, for every viewer',
    async (_name, { ofOne, ofAll }) => {
      const { context, userId } = server();
      const events = await makeAll();
      const accounts = ROLE_NAMES.map((role) => ({ id: userId(role), username: role, email: '', role }));
      const signedIn = fc
        .record({
          account: fc.constantFrom(...accounts),
          scopes: fc.option(fc.subarray([...SCOPE_NAMES]), { nil: undefined }),
        })
        .map(({ account, scopes }) => viewerOf(account, scopes));
      const key = fc.option(fc.record({ id: fc.constant(1), eventId: fc.constantFrom(null, 10_001, 10_004, 1) }));
      const reader = fc.record({
        viewer: fc
          .tuple(fc.oneof(fc.constant(ANONYMOUS), signedIn), key)
          .map(([viewer, brought]) => (brought ? withKey(viewer, brought) : viewer)),
        password: fc.option(fc.constantFrom(...PASSWORDS), { nil: undefined }),
      });
      await fc.assert(
        fc.asyncProperty(reader, async (asking) => {
          const locked = ofAll(asking);
          const { rows } = locked ? await sql<{ id: number }>`${locked}`.execute(context.db.query) : { rows: [] };
          const expected = events.filter((event) => ofOne(event, asking.viewer, asking.password)).map(({ id }) => id);
          expect(rows.map(({ id }) => id).sort()).toEqual(expected);
        }),
        { numRuns: 150 },
      );
      await context.db.query.deleteFrom('events').execute();
      await context.db.query.deleteFrom('records').execute();
    },
  );
});
