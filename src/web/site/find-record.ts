import { LINKED_KIND_NAMES, LINKED_KINDS } from '../../lib/linked-kinds.ts';
import { codeOf, withCode } from '../event/promotion-code.ts';
import { isId } from '../frame/address.ts';
import { movedTo, type PageResponse } from '../frame/page-response.ts';
import { NotFound, orNotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';

/** Records with a page, looked up by id. */
const BY_ID = [
  'events.read',
  ...LINKED_KIND_NAMES.map((kind) => `${LINKED_KINDS[kind].plural}.read` as const),
] as const;

/**
 * `/?p=ID`, the short address of a record.
 * @throws {NotFound}
 */
export async function pageOfId(visit: Visit, id: string): Promise<PageResponse> {
  if (!isId(id)) throw new NotFound();
  for (const name of BY_ID) {
    const found = await ifFound(orNotFound(visit.ask(name, { id })));
    if (found) return movedTo(withCode(visit.link(found.url), codeOf(visit)));
  }
  throw new NotFound();
}

/** Event at an address with only its slug, `/lantern-walk/` or `/events/lantern-walk/`. */
export async function pageOfSlug(visit: Visit, slug: string): Promise<PageResponse | undefined> {
  const found = await ifFound(orNotFound(visit.ask('events.read_by_slug', { slug })));
  return found && movedTo(withCode(visit.link(found.url), codeOf(visit)));
}

const ifFound = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error: unknown) => {
    if (error instanceof NotFound) return undefined;
    throw error;
  });
