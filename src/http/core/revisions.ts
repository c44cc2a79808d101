import { z } from 'zod';
import type { LinkedKind } from '../../lib/linked-kinds.ts';
import type { RequestContext } from './endpoint.ts';
import type { Urls } from './urls.ts';

/**
 * Revisions count the edits of a record, so that two people do not overwrite each other: the second sends the revision
 * that it has read in `If-Match` and is refused with the present record.
 */

interface Revised {
  revision: number;
}

/** The member `revision` of an answer. */
export const revisionSchema = {
  revision: z.int().min(1).optional().describe('Counts the edits of the record. Absent under `/wp-json/tribe`.'),
};

/** The member of `revisionSchema`. Clients of the reference get it in the `ETag` only. */
export const revisionOf = ({ revision }: Revised, { isReference }: Urls): Partial<Revised> =>
  isReference ? {} : { revision };

/** `"r7"`, or the entity tag of a single read, `"r7-HASH"`; weak ones too. */
const REVISION_TAG = /^(?:W\/)?"r(\d{1,9})(?:-[^"]*)?"$/;

/**
 * The revisions that an `If-Match` header accepts; undefined for all. The rest of an entity tag does not count, since
 * it changes with the language, the parameters and the sales of the read.
 */
export function acceptedRevisions(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return header.split(',').flatMap((tag) => {
    const [, revision] = REVISION_TAG.exec(tag.trim()) ?? [];
    return revision === undefined ? [] : [Number(revision)];
  });
}

/** A record has another revision than the request expects; `serve` answers with `edit-conflict`. */
export class OutdatedRevision extends Error {
  /** Of a record inside the one that the path names; undefined for that one. */
  readonly kind: LinkedKind | undefined;

  constructor(kind?: LinkedKind) {
    super();
    this.kind = kind;
  }
}

/**
 * Checks a record against the `If-Match` of the request. To be called in the transaction of the write, with the row that
 * the write is based on.
 * @throws {OutdatedRevision}
 */
export function checkRevision({ expectedRevisions }: RequestContext, { revision }: Revised): void {
  if (expectedRevisions && !expectedRevisions.includes(revision)) throw new OutdatedRevision();
}
