import { expect, it } from 'vitest';
import { useTestServer } from '../server.ts';
import { makeEvent } from '../tickets.ts';
import { changesFrom, measure, stepsIn } from './measures.ts';

const of = (measures: Record<string, number>) => new Map(Object.entries(measures));
const WHOLE = of({ 'events.revision': 25, 'audit.rows': 25 });

it.each([
  ['nothing', {}, 0],
  ['some', { 'events.revision': 7, 'audit.rows': 7 }, 7],
  ['all', { 'events.revision': 25, 'audit.rows': 25 }, 25],
  ['twice as many', { 'events.revision': 50, 'audit.rows': 50 }, 50],
  ['a step without its log', { 'events.revision': 7, 'audit.rows': 6 }, undefined],
  ['the log alone', { 'audit.rows': 1 }, undefined],
  ['something else', { 'events.revision': 7, 'audit.rows': 7, 'terms.rows': 1 }, undefined],
])('tells that %s of 25 steps is done', (_what, changes, steps) => {
  expect(stepsIn(of(changes), WHOLE, 25)).toBe(steps);
});

const server = useTestServer('sqlite');

it('sees every row and every edit', async () => {
  const { db } = server().context;
  const before = await measure(db);
  const event = await makeEvent(server());
  const made = await measure(db);
  expect(changesFrom(before, made)).toEqual(expect.objectContaining(of({})));
  expect(changesFrom(before, made).get('events.rows')).toBe(1);
  expect(changesFrom(before, made).get('audit.rows')).toBe(1);
  await server().make(`PATCH /events/${event}`, { title: 'Other' });
  expect(changesFrom(made, await measure(db))).toEqual(of({ 'events.revision': 1, 'audit.rows': 1 }));
});
