import { describe, expect, it } from 'vitest';
import { mayChange, mayManageTickets } from '../../../apps/console/data/post-rights.ts';
import { consequenceOf } from '../../../apps/console/features/events/editor/consequence.ts';
import { STATUSES } from '../../../src/calendar/posts/post.ts';
import {
  mayEdit,
  mayManageTickets as mayManageTicketsThere,
  ROLE_NAMES,
  ROLES,
  type Viewer,
} from '../../../src/http/core/auth.ts';

describe('the right to change an event and its tickets', () => {
  const cases = ROLE_NAMES.flatMap((role) =>
    STATUSES.filter((status) => status !== 'trash').flatMap((status) =>
      [7, 8].map((author_id) => ({ role, status, author_id })),
    ),
  );

  it('is the same in the console and on the server, for every role, status and author', () => {
    const account = { id: 7 };
    const answers = cases.map(({ role, status, author_id }) => {
      // The members that the rule looks at.
      const viewer = { account, capabilities: new Set(ROLES[role]) } as unknown as Viewer;
      const me = { ...account, capabilities: [...ROLES[role]] };
      return {
        server: [mayEdit(viewer, { author_id, status }), mayManageTicketsThere(viewer, { author_id, status })],
        here: [
          mayChange(me, { author: `${author_id}`, status }),
          mayManageTickets(me, { author: `${author_id}`, status }),
        ],
      };
    });
    expect(answers.map(({ here }) => here)).toEqual(answers.map(({ server }) => server));
    for (const rule of [0, 1]) expect(new Set(answers.map(({ server }) => server[rule])).size).toBe(2);
  });
});

describe('the notice to ticket holders', () => {
  it.each([
    [['title', 'description', 'tags'], 'scheduled', undefined],
    [['start_date'], 'scheduled', 'moved'],
    [['end_date', 'title'], 'scheduled', 'moved'],
    [['timezone'], 'scheduled', 'moved'],
    [['all_day'], 'postponed', 'moved'],
    [['event_status', 'start_date'], 'postponed', 'postponed'],
    [['venue'], 'scheduled', 'moved'],
    [['event_status'], 'cancelled', 'cancelled'],
    [['event_status', 'start_date'], 'cancelled', 'cancelled'],
    [['start_date'], 'cancelled', undefined],
    [['event_status'], 'moved_online', undefined],
    [[], 'scheduled', undefined],
  ] as const)('of changes to %j of an event that is %s: %s', (changed, event_status, consequence) => {
    expect(consequenceOf(changed, { event_status })).toBe(consequence);
  });
});
