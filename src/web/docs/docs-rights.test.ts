import { describe, expect, it } from 'vitest';
import { can, mayEdit, type Owned } from '../../http/core/auth.ts';
import { type AnyEndpoint, endpoint, ok } from '../../http/core/endpoint.ts';
import { rightsOf } from './docs-rights.ts';

const ruled = (may: AnyEndpoint['may']): AnyEndpoint =>
  endpoint({
    namespace: 'admin',
    methods: ['GET'],
    path: '/x',
    name: 'x.read',
    summary: 'Read',
    input: {},
    responses: {},
    errors: [],
    may,
    handle: async () => ok({}),
  });

describe('the rights in the documentation', () => {
  it('omits the rights of a public endpoint', () => {
    expect(rightsOf(ruled(undefined))).toBeUndefined();
  });

  it('lists roles by what their rule says of records of others, own records and own drafts', () => {
    const expected = { all: ['administrator', 'editor'], own: ['author'], unpublished: ['contributor'] };
    expect(rightsOf(ruled((viewer, post: Owned) => mayEdit(viewer, post)))).toEqual(expected);
    expect(rightsOf(ruled((viewer, target?: { post: Owned }) => !!target && mayEdit(viewer, target.post)))).toEqual(
      expected,
    );
  });

  it('lists roles whose rule depends on the viewer alone', () => {
    expect(rightsOf(ruled((viewer) => can(viewer, 'manage_users')))).toEqual({
      all: ['administrator'],
      own: [],
      unpublished: [],
    });
  });
});
