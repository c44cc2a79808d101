import { ANONYMOUS, ROLE_NAMES, type Role, type Viewer, viewerOf } from '../http/auth.ts';
import type { AnyEndpoint } from '../http/endpoint.ts';

/** Which roles may use an endpoint: on every record, on their own only, or on their own until it is published. */
export interface Rights {
  all: Role[];
  own: Role[];
  unpublished: Role[];
}

/**
 * Asks the rule of the endpoint itself, role by role, with stand-ins for the records it judges; undefined when everybody
 * may, perhaps not with every parameter.
 */
export function rightsOf({ may }: AnyEndpoint): Rights | undefined {
  if (!may) return undefined;
  const rights: Rights = { all: [], own: [], unpublished: [] };
  const [other, own, draft] = [standIn('publish'), standIn('publish'), standIn('draft')];
  const allows = (viewer: Viewer, target: unknown): boolean => {
    try {
      return may(viewer, target, {});
    } catch {
      return false;
    }
  };
  if (allows(ANONYMOUS, other)) return undefined;
  for (const role of ROLE_NAMES) {
    if (allows(callerOf(role), other)) rights.all.push(role);
    else if (allows(callerOf(role, own), own)) rights.own.push(role);
    else if (allows(callerOf(role, draft), draft)) rights.unpublished.push(role);
  }
  return rights;
}

/**
 * An account whose id is `target`: since a stand-in is its own author and its own id, it belongs to that account, under
 * whatever name a rule knows the owner by, and also where the rule is given nothing but an id.
 */
function callerOf(role: Role, target?: unknown): Viewer {
  // Rules compare ids and do not calculate with them.
  const id = (target ?? Symbol('nobody’s')) as number;
  return viewerOf({ id, username: role, email: '', role });
}

/** A record every member of which is the record again, save those that a rule reads as texts. */
function standIn(status: string): unknown {
  const texts: Readonly<Record<string | symbol, string>> = { status, trashed_from: '' };
  const record: object = new Proxy({}, { get: (_target, name) => texts[name] ?? record });
  return record;
}
