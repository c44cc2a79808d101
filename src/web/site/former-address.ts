import { calendarPage } from '../calendar/calendar.ts';
import { type CalendarAddress, calendarAddress, segmentsOf } from '../frame/address.ts';
import { type Answer, movedTo } from '../frame/answer.ts';
import { gonePage } from '../frame/failure.ts';
import { queryText, type Visit } from '../frame/visit.ts';

/**
 * What is at an address under which a record could be found before: the way to its present one, or that it is in the
 * trash. Undefined if there was no such record. To be asked when nothing is at the address now.
 */
export async function formerAnswer(visit: Visit): Promise<Answer | undefined> {
  const address = calendarAddress(visit.path);
  return address ? ofSubject(visit, address) : ofEvent(visit);
}

/** A view or feed of a term or a linked record. */
async function ofSubject(visit: Visit, address: CalendarAddress): Promise<Answer | undefined> {
  const { scope } = address;
  if (scope.kind === 'all') return undefined;
  const former = await visit.findFormer(
    scope.kind,
    scope.kind === 'category' ? (scope.slugs.at(-1) ?? '') : scope.slug,
  );
  if (!former) return undefined;
  if (former.isTrashed) return gonePage(visit);
  const present =
    scope.kind === 'category' ? { kind: scope.kind, slugs: [former.slug] } : { kind: scope.kind, slug: former.slug };
  // Redirects, since this is not the address that was asked for.
  return calendarPage(visit, { ...address, scope: present });
}

async function ofEvent(visit: Visit): Promise<Answer | undefined> {
  const { root, slug, rest } = eventAddress(visit.path);
  const former = slug === undefined ? undefined : await visit.findFormer('event', slug);
  if (!former) return undefined;
  if (former.isTrashed) return gonePage(visit);
  // A stored slug is encoded already.
  const path = `${root}${[former.slug, ...rest.map(encodeURIComponent)].join('/')}`;
  const end = rest.length === 0 || visit.path.endsWith('/') ? '/' : '';
  return movedTo(`${visit.link(`${path}${end}`)}${queryText(visit.query)}`);
}

/** The slug of the event that a path names, if it names one, and what comes before and after it. */
function eventAddress(path: string): { root: string; slug?: string; rest: readonly string[] } {
  const [first = '', second = '', ...more] = segmentsOf(path) ?? [];
  if (first === 'event') return { root: '/event/', slug: second, rest: more };
  if (first === 'embed' && second === 'event') {
    const [slug, ...rest] = more;
    return { root: '/embed/event/', slug, rest };
  }
  // Without a word for its kind, a slug is the whole address.
  const slugs = [first === 'events' ? '' : first, second, ...more].filter(Boolean);
  return { root: '/event/', slug: slugs.length === 1 ? slugs[0] : undefined, rest: [] };
}
