import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { ANONYMOUS, mayEdit, ROLE_NAMES, SCOPE_NAMES, viewerOf, withKey } from '../../http/core/auth.ts';
import { STATUSES } from './post.ts';
import { isEditable, isVisible, mayRead, readableBy } from './visibility.ts';

const OWN = 1;
const POSTS = [OWN, 2].flatMap((author_id) => STATUSES.map((status) => ({ author_id, status })));

const ACCOUNTS = ROLE_NAMES.map((role) => ({ id: OWN, username: role, email: '', role }));
const VIEWERS = [
  ANONYMOUS,
  withKey(ANONYMOUS, { id: 1, eventId: null }),
  ...ACCOUNTS.map((account) => viewerOf(account)),
  ...ACCOUNTS.flatMap((account) => SCOPE_NAMES.map((scope) => viewerOf(account, [scope]))),
];

describe.each(DATABASES)('the rules for who may read and who may change a record on %s', (kind) => {
  const server = useTestServer(kind);

  it('are the same in TypeScript and in SQL for every viewer, status and author', async () => {
    const { query } = server().context.db;
    const posts = POSTS.map(
      ({ author_id, status }) => sql`SELECT ${sql.lit(author_id)} AS author_id, ${sql.lit(status)} AS status`,
    );
    for (const viewer of VIEWERS) {
      const isReadable = isVisible(readableBy(viewer), sql`p.status`, sql`p.author_id`);
      const { rows } = await sql`SELECT author_id, status FROM (${sql.join(posts, sql` UNION ALL `)}) AS p
        WHERE ${isReadable}`.execute(query);
      expect(rows).toEqual(POSTS.filter((post) => mayRead(viewer, post)));
      const editable = await sql`SELECT author_id, status FROM (${sql.join(posts, sql` UNION ALL `)}) AS p
        WHERE ${isEditable(viewer, sql`p.status`, sql`p.author_id`)}`.execute(query);
      expect(editable.rows).toEqual(POSTS.filter((post) => post.status !== 'trash' && mayEdit(viewer, post)));
    }
  });
});
