import { ANONYMOUS, ROLE_NAMES, type Role, viewerOf } from '../../http/core/auth.ts';
import type { AnyEndpoint } from '../../http/core/endpoint.ts';

/** Roles that may use an endpoint: on every record, on their own only, or on their own until it is published. */
export interface Rights {
  all: Role[];
  own: Role[];
  unpublished: Role[];
}

const CALLER = 1;
const SOMEBODY_ELSE = 2;

/** Evaluates the rule of the endpoint for each role with sample records; undefined if it is public. */
export function rightsOf({ may }: AnyEndpoint): Rights | undefined {
  const [others, own, draft] = [
    sampleTarget(SOMEBODY_ELSE, 'publish'),
    sampleTarget(CALLER, 'publish'),
    sampleTarget(CALLER, 'draft'),
  ];
  if (!may || may(ANONYMOUS, others, {})) return undefined;
  const rights: Rights = { all: [], own: [], unpublished: [] };
  for (const role of ROLE_NAMES) {
    const viewer = viewerOf({ id: CALLER, username: role, email: '', role });
    if (may(viewer, others, {})) rights.all.push(role);
    else if (may(viewer, own, {})) rights.own.push(role);
    else if (may(viewer, draft, {})) rights.unpublished.push(role);
  }
  return rights;
}

/** A sample record of an account and its related records, under the names used by targets of endpoints. */
function sampleTarget(owner: number, status: string) {
  const record = { id: owner, user_id: owner, author_id: owner, event_id: 0, status, trashed_from: '' };
  const merged = { survivor: record, merged: [record] };
  return {
    ...record,
    ...merged,
    owner,
    event: record,
    events: [record],
    own: [record],
    post: record,
    row: record,
    isAny: true,
    isPublic: true,
  };
}
