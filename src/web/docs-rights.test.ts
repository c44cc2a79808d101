import { describe, expect, it } from 'vitest';
import { can, mayEdit, type Owned } from '../http/auth.ts';
import { type AnyEndpoint, endpoint, ok } from '../http/endpoint.ts';
import { rightsOf } from './docs-rights.ts';

const ruled = (may: AnyEndpoint['may']): AnyEndpoint =>
  endpoint({
    namespace: 'admin',
    methods: ['GET'],
    path: '/x',
    name: 'x.read',
    summary: 'Read',
    input: {},
    answers: {},
    errors: [],
    may,
    handle: async () => ok({}),
  });

describe('the rights that the documentation states', () => {
  it('are nobody’s business without a rule', () => {
    expect(rightsOf(ruled(undefined))).toBeUndefined();
  });

  it('follow from the rule for records with an author and a status, however deep it looks', () => {
    const expected = { all: ['administrator', 'editor'], own: ['author'], unpublished: ['contributor'] };
    expect(rightsOf(ruled((viewer, post: Owned) => mayEdit(viewer, post)))).toEqual(expected);
    expect(rightsOf(ruled((viewer, { post }: { post: Owned }) => mayEdit(viewer, post)))).toEqual(expected);
  });

  it('follow from a rule that is given an id', () => {
    const rule: AnyEndpoint['may'] = (viewer, id: number) => viewer.account?.id === id;
    expect(rightsOf(ruled(rule))).toMatchObject({ all: [], own: expect.arrayContaining(['subscriber', 'door']) });
  });

  it('follow from a rule about the caller alone', () => {
    expect(rightsOf(ruled((viewer) => can(viewer, 'manage_users')))).toEqual({
      all: ['administrator'],
      own: [],
      unpublished: [],
    });
  });

  it('are none where the rule cannot be asked', () => {
    const rule = () => {
      throw new Error('what is this?');
    };
    expect(rightsOf(ruled(rule))).toEqual({ all: [], own: [], unpublished: [] });
  });
});
