import type { Answer } from '../../../../packages/client/src/marquee-client.ts';
import {
  LINKED_KIND_NAMES,
  LINKED_KINDS,
  type LinkedKind,
  type LinkedPlural,
} from '../../../../src/lib/linked-kinds.ts';
import type { IconName } from '../../ui/icon.tsx';
import type en from './locales/en.json';

/** Kinds of linked records, as paths of the interface name them. */
export type Kind = LinkedPlural;
/** A linked record of any kind. */
export type Linked = Answer<`GET /events/v1/${Kind}/{id}`>;

type Label<K> = K extends `field.${infer Name}` ? Name : never;
/** Member of a record that has a label. */
export type TextName = Label<keyof typeof en>;

interface LinkedScreens {
  /** Text members in the order of forms and merges, the name first. */
  texts: readonly TextName[];
  /** Member beside the name in a list. */
  column: TextName;
  /** Members that distinguish records of the same name. */
  details: readonly TextName[];
  icon: IconName;
}

/** Members and icon of each kind on its screens. */
export const SCREENS: Readonly<Record<Kind, LinkedScreens>> = {
  venues: {
    texts: ['venue', 'address', 'zip', 'city', 'country', 'phone', 'website'],
    column: 'city',
    details: ['address', 'city'],
    icon: 'venue',
  },
  organizers: {
    texts: ['organizer', 'organizer_type', 'phone', 'email', 'website'],
    column: 'email',
    details: ['email', 'website'],
    icon: 'people',
  },
};

/** The name of a kind in the log and in events. */
export const singularOf = (kind: Kind): LinkedKind =>
  // Each plural belongs to a kind.
  LINKED_KIND_NAMES.find((name) => LINKED_KINDS[name].plural === kind) as LinkedKind;

/** Kind of a screen, by the path of its route. */
export const kindAt = (route: string): Kind =>
  LINKED_KINDS[LINKED_KIND_NAMES.find((name) => route.startsWith(`/${LINKED_KINDS[name].plural}`)) ?? 'venue'].plural;

/** Filter of the list of events by a record. */
export const eventsOf = (kind: Kind, id: number): Partial<Record<LinkedKind, number[]>> => ({
  [singularOf(kind)]: [id],
});

/** Text member of a record; empty if it is absent. */
export const textOf = (record: Linked, name: string): string => String(Reflect.get(record, name) ?? '');

/** Orders and views of the lists. */
export const ORDERS = ['name', 'upcoming', 'events'] as const;
export type Order = (typeof ORDERS)[number];
export const VIEWS = ['published', 'drafts', 'trash'] as const;
export type View = (typeof VIEWS)[number];

/** Statuses of each view. */
export const STATUSES: Readonly<Record<View, string[]>> = {
  published: ['publish'],
  drafts: ['draft', 'pending', 'future', 'private'],
  trash: ['trash'],
};

/** A row of a list. */
export interface Row {
  id: number;
  name: string;
  /** Text of the `column` of its kind. */
  detail: string;
  author: string;
  status: string;
  revision: number | undefined;
  /** Number of events that the account may see, and of the upcoming ones. */
  events: number;
  upcoming: number;
}

/** Name of a record; its member is called like its kind. */
export const nameOf = (record: Linked): string =>
  textOf(record, LINKED_KIND_NAMES.find((kind) => kind in record) ?? '');

/** Detail that distinguishes records of the same name. */
export const detailOf = (kind: Kind, record: Linked): string =>
  SCREENS[kind].details
    .map((name) => textOf(record, name))
    .filter(Boolean)
    .join(', ');

/** A record with the numbers of its events, by the name of its kind. */
type Counted = Partial<Record<LinkedKind, Linked>> & { events: number; upcoming: number };

export function rowsOf(kind: Kind, answer: Answer<`GET /admin/v1/${Kind}`>): Row[] {
  const { [kind]: list = [] }: Partial<Record<Kind, readonly Counted[]>> = answer;
  return list.flatMap(({ events, upcoming, [singularOf(kind)]: record }) =>
    record ? [rowOf(kind, record, { events, upcoming })] : [],
  );
}

const rowOf = (kind: Kind, record: Linked, counts: Pick<Row, 'events' | 'upcoming'>): Row => ({
  id: record.id,
  name: nameOf(record),
  author: record.author,
  status: record.status,
  revision: record.revision,
  detail: textOf(record, SCREENS[kind].column),
  ...counts,
});
