import { z } from 'zod';
import type { LinkedKind } from '../../lib/linked-kinds.ts';
import type { RequestContext } from './endpoint.ts';
import type { Urls } from './urls.ts';

/**
 * Revisions count the edits of a record and prevent two users from overwriting each other: the second sends the
 * revision it has read in `If-Match`, and is refused with the current record.
 */

interface Revised {
  revision: number;
}

/** The member `revision` of a response. */
export const revisionSchema = {
  revision: z.int().min(1).optional().describe('Number of edits of the record. Absent under `/wp-json/tribe`.'),
};

/** Value for `revisionSchema`. Clients of the reference get the revision only in the `ETag`. */
export const revisionOf = ({ revision }: Revised, { isReference }: Urls): Partial<Revised> =>
  isReference ? {} : { revision };

/** Entity tag with the digest of a body and the revision of its record. */
export const tagOf = (digest: string, revision?: number): string =>
  revision === undefined ? `"${digest}"` : `"r${revision}-${digest}"`;

/** `"r7"`, or the entity tag of a single read, `"r7-HASH"`; also as weak tags. */
const REVISION_TAG = /^(?:W\/)?"r(\d{1,9})(?:-[^"]*)?"$/;

/**
 * Revisions accepted by an `If-Match` header; undefined for any. The rest of an entity tag is ignored, since it changes
 * with language, parameters and sales.
 */
export function acceptedRevisions(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return header.split(',').flatMap((tag) => {
    const [, revision] = REVISION_TAG.exec(tag.trim()) ?? [];
    return revision === undefined ? [] : [Number(revision)];
  });
}

/** Thrown if a record does not have the revision that the request expects; `serve` responds with `edit-conflict`. */
export class OutdatedRevision extends Error {
  /** Kind of a nested record; undefined for the record named by the path. */
  readonly kind: LinkedKind | undefined;

  constructor(kind?: LinkedKind) {
    super();
    this.kind = kind;
  }
}

/**
 * Checks a record against the `If-Match` of the request. Call it in the transaction of the write, with the row on which
 * the write is based.
 * @throws {OutdatedRevision}
 */
export function checkRevision(
  { expectedRevisions }: Pick<RequestContext, 'expectedRevisions'>,
  { revision }: Revised,
): void {
  if (expectedRevisions && !expectedRevisions.includes(revision)) throw new OutdatedRevision();
}
