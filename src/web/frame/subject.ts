import type { LinkedRecord } from '../../calendar/linked-kinds/registry.ts';
import { ApiError, InvalidParams } from '../../http/core/errors.ts';
import { Urls } from '../../http/core/urls.ts';
import { LINKED_KINDS, type LinkedKind } from '../../lib/linked-kinds.ts';
import type { Scope } from './address.ts';
import type { Event, Term } from './responses.ts';
import type { Visit } from './visit.ts';

/** Criterion shared by the events of a page. */
export type Subject =
  | { kind: 'all' }
  | { kind: 'category'; record: Term }
  | { kind: 'tag'; record: Term }
  | LinkedSubject;

/** A record of a linked kind, whose page lists its events. */
type LinkedSubject = { [K in LinkedKind]: { kind: K; record: LinkedRecord<K> } }[LinkedKind];

/** No page at this address, or none that visitors may see. */
export class NotFound extends Error {}

/**
 * Finds the subject of a page by its address.
 * @throws {NotFound}
 */
export async function findSubject({ ask }: Visit, scope: Scope): Promise<Subject> {
  switch (scope.kind) {
    case 'all':
      return { kind: 'all' };
    case 'category': {
      const { categories } = await ask('categories.list', { slug: scope.slugs.at(-1), hide_empty: false });
      return { kind: 'category', record: found(categories) };
    }
    case 'tag': {
      const { tags } = await ask('tags.list', { slug: scope.slug, hide_empty: false });
      return { kind: 'tag', record: found(tags) };
    }
    default: {
      const { kind, slug } = scope;
      const record = await orNotFound(ask(`${LINKED_KINDS[kind].plural}.read_by_slug`, { slug }));
      // The endpoint of a kind returns its records.
      return { kind, record } as LinkedSubject;
    }
  }
}

/** Text member of a linked record, if its kind has one of this name. */
export function textOf(record: LinkedRecord, name: string): string | undefined {
  const { [name]: value }: Readonly<Record<string, unknown>> = record;
  return typeof value === 'string' ? value : undefined;
}

/** Name of the subject of a page; undefined for the whole calendar. */
export function nameOf(subject: Subject): string | undefined {
  switch (subject.kind) {
    case 'all':
      return undefined;
    case 'category':
    case 'tag':
      return subject.record.name;
    default:
      return textOf(subject.record, subject.kind);
  }
}

/** Parameters of the event list for the events of a subject. */
export function filterOf(subject: Subject): Readonly<Record<string, unknown>> {
  switch (subject.kind) {
    case 'all':
      return {};
    case 'category':
      return { categories: String(subject.record.id) };
    case 'tag':
      return { tags: String(subject.record.id) };
    default:
      return { [subject.kind]: String(subject.record.id) };
  }
}

/** REST address of the events of a term; undefined for anything else. */
export function apiRootOf(subject: Subject, origin: string): string | undefined {
  if (subject.kind !== 'category' && subject.kind !== 'tag') return undefined;
  const name = subject.kind === 'category' ? 'categories' : 'tags';
  return `${new Urls(origin).rest('events', '/events/')}?${name}=${encodeURIComponent(subject.record.slug)}`;
}

function found<T>([first]: readonly T[]): T {
  if (first === undefined) throw new NotFound();
  return first;
}

/** Statuses of records that are missing or hidden from visitors. */
const HIDDEN: ReadonlySet<number> = new Set([400, 401, 403, 404]);
/** Codes of 403 with a page of their own. */
const TELLING: ReadonlySet<string> = new Set(['event-no-longer-available', 'event-password-protected']);

/** Turns the refusal of a record that is hidden or missing into `NotFound`. */
export async function orNotFound<T>(reading: Promise<T>): Promise<T> {
  return reading.catch((error: unknown) => {
    const isHidden =
      error instanceof InvalidParams ||
      (error instanceof ApiError && HIDDEN.has(error.status) && !TELLING.has(error.code));
    throw isHidden ? new NotFound() : error;
  });
}

/**
 * Reads an event with the visitor's password; undefined if it needs another one.
 * @throws {NotFound}
 */
export function readEvent({ ask }: Visit, slug: string, password: string | undefined): Promise<Event | undefined> {
  return orNotFound(
    ask('events.read_by_slug', { slug, password }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'event-password-protected') return undefined;
      throw error;
    }),
  );
}
