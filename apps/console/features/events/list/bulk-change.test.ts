import { describe, expect, it } from 'vitest';
import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import { type BulkChange, bodyOf, formerOf } from './bulk-change.ts';

const event = {
  venue: { id: 3 },
  organizer: [{ id: 4 }, { id: 5 }],
  tags: [{ id: 6 }],
  status: 'draft',
  cost: '$5',
  ticketed: false,
} as unknown as Event;
const nowhere = { ...event, venue: [] } as unknown as Event;
const ticketed = { ...event, ticketed: ['tc'] } as unknown as Event;

describe('a change of many events', () => {
  it.each<[BulkChange, Event, unknown, unknown]>([
    [{ field: 'venue', value: { id: 9 } }, event, { venue: [9] }, { venue: [3] }],
    [{ field: 'venue', value: undefined }, event, { venue: [] }, { venue: [3] }],
    [{ field: 'venue', value: { id: 9 } }, nowhere, { venue: [9] }, { venue: [] }],
    [{ field: 'venue', value: { id: 3 } }, event, undefined, { venue: [3] }],
    [{ field: 'organizer', value: [{ id: 5 }] }, event, { organizer: [5] }, { organizer: [4, 5] }],
    [{ field: 'organizer', value: [{ id: 4 }, { id: 5 }] }, event, undefined, { organizer: [4, 5] }],
    [{ field: 'tags', value: [{ id: 7 }, { id: 6 }] }, event, { tags: [6, 7] }, { tags: [6] }],
    [{ field: 'tags', value: [{ id: 6 }] }, event, undefined, { tags: [6] }],
    [{ field: 'status', value: 'publish' }, event, { status: 'publish' }, { status: 'draft' }],
    [{ field: 'status', value: 'draft' }, event, undefined, { status: 'draft' }],
    [{ field: 'cost', value: 'Free' }, event, { cost: 'Free' }, { cost: '$5' }],
    [{ field: 'cost', value: 'Free' }, ticketed, undefined, { cost: '$5' }],
  ])('%j sets what differs, and can be undone', (change, of, body, former) => {
    expect([bodyOf(change, of), formerOf(change, of)]).toEqual([body, former]);
  });
});
