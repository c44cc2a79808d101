import { type CalendarAddress, calendarPath } from './address.ts';
import { type Answer, movedTo } from './answer.ts';
import { eventListPage } from './event-list.ts';
import { readFilters } from './filters.ts';
import { apiRootOf, findSubject, NotFound, type Subject } from './subject.ts';
import { queryText, type Visit } from './visit.ts';

/** A page of events: `/events/…` and what is below a category, tag, venue or organizer. */
export async function calendarPage(visit: Visit, asked: CalendarAddress): Promise<Answer> {
  const subject = await findSubject(visit, asked.scope);
  const address = { ...asked, scope: scopeOf(subject, visit) ?? asked.scope };
  const path = calendarPath(address);
  if (path !== visit.path) return movedTo(`${visit.link(path)}${queryText(visit.query)}`);
  const request = { address, subject, filters: readFilters(visit.query) };
  if (address.view === 'list' && address.format === 'page')
    return { ...(await eventListPage(visit, request)), apiRoot: apiRootOf(subject, visit.origin) };
  throw new NotFound();
}

/** The scope as its record is addressed: a category has its ancestors in its address, a slug its own spelling. */
function scopeOf(subject: Subject, { origin }: Visit): CalendarAddress['scope'] | undefined {
  if (subject.kind === 'all') return undefined;
  const slugs = new URL(subject.record.url, origin).pathname.split('/').filter(Boolean).map(decodeURIComponent);
  if (subject.kind === 'category') return { kind: 'category', slugs: slugs.slice(2) };
  return { kind: subject.kind, slug: slugs.at(-1) ?? '' };
}
