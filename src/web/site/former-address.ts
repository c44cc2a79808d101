import { calendarPage } from '../calendar/calendar.ts';
import { type CalendarAddress, calendarAddress, segmentsOf } from '../frame/address.ts';
import { gonePage } from '../frame/failure.ts';
import { movedTo, type PageResponse } from '../frame/page-response.ts';
import { queryText, type Visit } from '../frame/visit.ts';

/**
 * Response for a former address of a record: a redirect to the current one, or a note that the record is in the trash.
 * Undefined without such a record. Called if the address has no page now.
 */
export async function formerResponse(visit: Visit): Promise<PageResponse | undefined> {
  const address = calendarAddress(visit.path);
  if (address) return ofSubject(visit, address);
  return (await ofEvent(visit)) ?? (await ofImportedSite(visit));
}

const UPLOADED = /^\/wp-content\/uploads\/[^?#]+\.\w{2,5}$/;
/** A tag, below the word with which addresses of articles began. */
const TAG = /^\/[^/]+\/tag\/([^/]+)\/?$/;
const PAGE = /^\/([^/]+)\/?$/;

/** Addresses that only sites of WordPress have: files of images and their pages, and tags. */
async function ofImportedSite(visit: Visit): Promise<PageResponse | undefined> {
  const { path } = visit;
  const tag = TAG.exec(path)?.[1];
  const ofTag = tag === undefined ? undefined : calendarAddress(`/events/tag/${tag}/`);
  // Redirects, since the requested address differs.
  if (ofTag) return calendarPage(visit, ofTag);
  const slug = PAGE.exec(path)?.[1];
  if (slug === undefined && !UPLOADED.test(path)) return undefined;
  const image = await visit.findFormerImage(slug === undefined ? { file: path } : { slug });
  return image === undefined ? undefined : movedTo(image);
}

/** View or feed of a category, tag, venue or organizer. */
async function ofSubject(visit: Visit, address: CalendarAddress): Promise<PageResponse | undefined> {
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
  // Redirects, since the requested address differs.
  return calendarPage(visit, { ...address, scope: present });
}

async function ofEvent(visit: Visit): Promise<PageResponse | undefined> {
  const { root, slug, rest } = eventAddress(visit.path);
  const former = slug === undefined ? undefined : await visit.findFormer('event', slug);
  if (!former) return undefined;
  if (former.isTrashed) return gonePage(visit);
  // A stored slug is already encoded.
  const path = `${root}${[former.slug, ...rest.map(encodeURIComponent)].join('/')}`;
  const end = rest.length === 0 || visit.path.endsWith('/') ? '/' : '';
  return movedTo(`${visit.link(`${path}${end}`)}${queryText(visit.query)}`);
}

/** Slug of the event in a path, with the path before and after it; no slug if there is none. */
function eventAddress(path: string): { root: string; slug?: string; rest: readonly string[] } {
  const [first = '', second = '', ...more] = segmentsOf(path) ?? [];
  if (first === 'event') return { root: '/event/', slug: second, rest: more };
  if (first === 'embed' && second === 'event') {
    const [slug, ...rest] = more;
    return { root: '/embed/event/', slug, rest };
  }
  // Without a word for its kind, the slug is the whole path.
  const slugs = [first === 'events' ? '' : first, second, ...more].filter(Boolean);
  return { root: '/event/', slug: slugs.length === 1 ? slugs[0] : undefined, rest: [] };
}
