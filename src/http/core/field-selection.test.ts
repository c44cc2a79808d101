import { describe, expect, it } from 'vitest';
import { jsonpCallback, selectFields } from './field-selection.ts';

const BODY = { id: 1, venue: { id: 2, city: 'Salem' }, tags: [{ id: 3 }], total: 4 };

describe('selectFields', () => {
  it.each([
    ['id', { id: 1 }],
    ['id,total', { id: 1, total: 4 }],
    [' id , total ', { id: 1, total: 4 }],
    [['id', 'total'], { id: 1, total: 4 }],
    ['venue.city', { venue: { city: 'Salem' } }],
    ['venue.city,venue.id', { venue: { city: 'Salem', id: 2 } }],
    ['venue,venue.city', { venue: { id: 2, city: 'Salem' } }],
    ['tags', { tags: [{ id: 3 }] }],
    ['tags.id', { tags: [] }],
    ['id.more', {}],
    ['unknown', {}],
    ['__proto__,constructor,toString', {}],
    ['', BODY],
    [undefined, BODY],
    [{ a: { b: 1 } }, BODY],
  ])('of %j keeps %j', (fields, expected) => {
    expect(selectFields(BODY, fields)).toEqual(expected);
  });

  it('does not touch the body itself', () => {
    selectFields(BODY, 'venue.city');
    expect(BODY.venue).toEqual({ id: 2, city: 'Salem' });
  });

  it.each([[[1, 2]], ['text'], [null]])('returns %j unchanged, since it has no members', (body) => {
    expect(selectFields(body, 'id')).toEqual(body);
  });

  it('filters each item of a top-level list', () => {
    expect(selectFields([BODY, { id: 3, name: 'x' }], 'id')).toEqual([{ id: BODY.id }, { id: 3 }]);
  });
});

describe('jsonpCallback', () => {
  it.each([
    [undefined, undefined],
    ['walk', 'walk'],
    ['site.walk_1', 'site.walk_1'],
    ['', null],
    ['alert(1)', null],
    ['alert(', null],
    ['alert)', null],
    ['walk;', null],
    ['a b', null],
    ['a\n', null],
    ['x'.repeat(101), null],
    [['a'], null],
  ])('reads %j as %j', (value, expected) => {
    expect(jsonpCallback(value)).toBe(expected);
  });
});
