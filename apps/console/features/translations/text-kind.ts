import type { UseQueryOptions } from '@tanstack/react-query';
import type { Translations } from '../../../../packages/client/src/marquee-client.ts';
import { LINKED_KINDS, perLinkedKind } from '../../../../src/lib/linked-kinds.ts';
import { call } from '../../../client/call.ts';
import { read } from '../../data/queries.ts';
import type { RecordKind } from '../../shared/record/use-record.ts';
import { type Kind, TEXTS } from './kinds.ts';

/** A record of any kind. */
export interface TextRecord {
  [name: string]: unknown;
  id: number;
  revision?: number;
  translations?: Translations;
}

/** Texts by their parameters. */
export type Texts = Readonly<Record<string, string>>;

/** Paths of the records of each kind. */
const PATHS = {
  event: '/events/v1/events',
  ...perLinkedKind((kind) => `/events/v1/${LINKED_KINDS[kind].plural}` as const),
  category: '/events/v1/categories',
  tag: '/events/v1/tags',
  ticket: '/tickets/v1/tickets',
  media: '/admin/v1/media',
} as const;

/** A ticket's name is written as `name` and read as `title`. */
const shownAs = (kind: Kind, name: string): string => (kind === 'ticket' && name === 'name' ? 'title' : name);

const textIn = (record: TextRecord, kind: Kind, name: string): string => String(record[shownAs(kind, name)] ?? '');

/** Query of a record in a language. */
export const readTexts = (kind: Kind, id: number, language: string) =>
  // Every kind is read by id.
  read(`GET ${PATHS[kind]}/{id}` as 'GET /events/v1/events/{id}', { id }, { language }) as unknown as UseQueryOptions<
    TextRecord,
    Error,
    TextRecord,
    readonly unknown[]
  >;

/** Texts of a record in the language in which it was read. */
export const textsOf = (kind: Kind, record: TextRecord): Texts =>
  Object.fromEntries(TEXTS[kind].map(({ name }) => [name, textIn(record, kind, name)]));

/** Texts of a record without those that fall back to the first language. */
export function ownTextsOf(kind: Kind, record: TextRecord, language: string): Texts {
  const own = record.translations?.[language] ?? [];
  const has = (name: string) => own.includes(name) || own.includes(shownAs(kind, name));
  return Object.fromEntries(TEXTS[kind].map(({ name }) => [name, has(name) ? textIn(record, kind, name) : '']));
}

/** Form of the translated texts of a kind. */
export const textKind = (kind: Kind, language: string): RecordKind<TextRecord, Texts> => ({
  path: PATHS[kind],
  read: (id) => readTexts(kind, id, language),
  async write(id, patch, { revision }) {
    const event = kind === 'ticket' ? (await call('GET /tickets/v1/tickets/{id}', { id })).post_id : undefined;
    const sent = { id, ...patch, ...(event !== undefined && { post_id: event }) };
    const operation = `PATCH ${PATHS[kind]}/{id}` as 'PATCH /events/v1/events/{id}';
    const written = await call(operation, sent, { revision, language });
    return written as typeof written & TextRecord;
  },
  fieldsOf: (record) => ownTextsOf(kind, record, language),
  isDraft: () => false,
});
