import type { Event, Me } from '../../../../packages/client/src/marquee-client.ts';
import { LINKED_KIND_NAMES, perLinkedKind } from '../../../../src/lib/linked-kinds.ts';
import { FORM_TEXTS } from '../../data/event-texts.ts';
import { mayChange, mayManageTickets } from '../../data/post-rights.ts';

/** Kinds of records with translated texts. */
export const KINDS = ['event', ...LINKED_KIND_NAMES, 'category', 'tag', 'ticket', 'media'] as const;
export type Kind = (typeof KINDS)[number];

export const isKind = (text: string): text is Kind => KINDS.some((kind) => kind === text);

interface TextOf {
  /** Parameter that writes it. */
  name: string;
  /** Number of lines of its field. */
  rows?: number;
  /** Whether it contains HTML. */
  isRich?: boolean;
}

const description: TextOf = { name: 'description', isRich: true };
const shortDescription: TextOf = { name: 'description', rows: 3 };

/** Translated texts of each kind, the name first. */
export const TEXTS: Readonly<Record<Kind, readonly TextOf[]>> = {
  event: [
    { name: 'title' },
    ...FORM_TEXTS.map(({ name, isLong }) => ({ name, ...(isLong && { rows: 3 }) })),
    description,
    { name: 'event_status_reason', rows: 2 },
  ],
  ...perLinkedKind((kind) => [{ name: kind }, description]),
  category: [{ name: 'name' }, shortDescription],
  tag: [{ name: 'name' }, shortDescription],
  ticket: [{ name: 'name' }, shortDescription],
  media: [{ name: 'alt', rows: 2 }],
};

/** Query of one page of the records of a kind that lack texts, oldest first. */
export type ReadPage = (page: number) => Promise<{ missing: readonly { id: number }[]; total_pages: number }>;

/** Id of the record after another one, on any page; the first other record if there is none after it. */
export async function gapAfter(last: number, readPage: ReadPage): Promise<number | undefined> {
  let first: number | undefined;
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { missing, total_pages } = await readPage(page);
    const next = missing.find(({ id }) => id > last);
    if (next) return next.id;
    first ??= missing.find(({ id }) => id !== last)?.id;
    pages = total_pages;
  }
  return first;
}

interface Translated {
  kind: Kind;
  record: { id?: number; author?: unknown; status?: unknown; trashed_from?: unknown };
  /** Event of a ticket. */
  event?: Pick<Event, 'author' | 'status'> | undefined;
}

/** Whether an account may edit the texts of a record, by the rules of the server. */
export function mayTranslate(me: Pick<Me, 'id' | 'capabilities'>, { kind, record, event }: Translated): boolean {
  const can = (...rights: Me['capabilities']) => rights.every((right) => me.capabilities.includes(right));
  const author = String(record.author ?? '');
  if (kind === 'category') return can('edit', 'manage_categories');
  if (kind === 'tag') return can('edit', 'manage_tags');
  if (kind === 'media') return can('upload') && (author === String(me.id) || can('edit_others'));
  if (kind === 'ticket') return event !== undefined && mayManageTickets(me, event);
  const { trashed_from } = record;
  return mayChange(me, {
    author,
    status: String(record.status ?? ''),
    trashed_from: typeof trashed_from === 'string' ? trashed_from : undefined,
  });
}
