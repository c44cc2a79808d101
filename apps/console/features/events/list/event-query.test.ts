import { expect, it } from 'vitest';
import { listQuery } from './event-query.ts';

it.each([
  ['upcoming', 'draft', { status: ['draft'] }],
  ['past', 'private', { status: ['private'] }],
  ['drafts', 'publish', { status: ['draft', 'pending', 'future', 'private'] }],
  ['trash', 'publish', { status: ['trash'] }],
  ['trash', 'cancelled', { status: ['trash'], event_status: ['cancelled'] }],
] as const)('filters the view %s by the status %s', (view, status, expected) => {
  const { status: statuses, event_status } = listQuery({ view, status }, true);
  expect({ status: statuses, ...(event_status && { event_status }) }).toEqual(expected);
});
