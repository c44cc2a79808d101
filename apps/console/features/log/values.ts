import { perLinkedKind } from '../../../../src/lib/linked-kinds.ts';
import type { createWhen } from '../../../client/when.ts';

/** Words and formats of one language and site. */
export interface ValueWords {
  when: Pick<ReturnType<typeof createWhen>, 'day' | 'time' | 'moment'>;
  orderStatus: (status: string) => string;
  /** Word for a value of a field that has a few; undefined for other fields. */
  word: (field: string, value: string) => string | undefined;
  role: (name: string) => string;
  payment: (id: string) => string;
  /** An amount in minor units of the site's currency. */
  money: (minor: number) => string;
  fieldName: (kind: string, field: string) => string;
  /** A name with its value. */
  pair: (name: string, value: string) => string;
}

type Show = (words: ValueWords, value: string) => string;

const showDay: Show = ({ when }, value) => when.day(value);
const showTime: Show = ({ when }, value) => when.time(`2000-01-01 ${value}`);
const showMoment: Show = ({ when }, value) => when.moment(value);
const showRole: Show = ({ role }, value) => role(value);
const showOrder: Show = ({ orderStatus, word }, value) => word('attendee_status', value) ?? orderStatus(value);

/** Formats of texts by the names of their fields; those of one kind of record take precedence. */
const SHOWN: Readonly<Record<string, Show>> = {
  'ticket:start_date': showDay,
  'ticket:end_date': showDay,
  start_time: showTime,
  end_time: showTime,
  sale_price_start: showDay,
  sale_price_end: showDay,
  start_date: showMoment,
  end_date: showMoment,
  date: showMoment,
  expires_utc: ({ when }, value) => `${when.moment(value)} UTC`,
  'order:status': showOrder,
  attendee_status: showOrder,
  gateway: ({ payment }, value) => payment(value),
  role: showRole,
  second_factor_roles: showRole,
};

const MONEY: ReadonlySet<string> = new Set(['ticket:price', 'ticket:sale_price', 'order:total']);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Readable value of a field; members of lists and objects are lines. */
export function formatValue(words: ValueWords, kind: string, field: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => formatValue(words, kind, field, one)).join('\n');
  if (isObject(value)) return formatMembers(words, kind, value);
  if (typeof value === 'boolean') return words.word('yes_no', value ? 'yes' : 'no') ?? String(value);
  if (typeof value === 'number' && MONEY.has(`${kind}:${field}`)) return words.money(value);
  if (typeof value !== 'string') return String(value);
  const show = SHOWN[`${kind}:${field}`] ?? SHOWN[field];
  return show?.(words, value) ?? words.word(`${kind}-${field}`, value) ?? words.word(field, value) ?? value;
}

/** Members with their names, without empty ones; unknown names stay as they are. */
const formatMembers = (words: ValueWords, kind: string, value: Record<string, unknown>): string =>
  Object.entries(value)
    .filter(([, member]) => member !== null && member !== '')
    .map(([name, member]) => words.pair(words.fieldName(kind, name), formatValue(words, kind, name, member)))
    .join('\n');

/** Keys of the label of a field; the key for its kind of record comes first, such as `start_date` of a ticket. */
export const fieldKeys = (kind: string, field: string) => [`field.${kind}:${field}`, `field.${field}`] as const;

/** Fields that hold ids of other records, and the kinds of those. */
const TARGETS = {
  event: 'event',
  event_id: 'event',
  post_parent: 'event',
  ticket: 'ticket',
  order: 'order',
  ...perLinkedKind((kind) => kind),
  categories: 'category',
  parent: 'category',
  tags: 'tag',
  author: 'user',
  user_id: 'user',
  image: 'media',
  logo: 'media',
} as const;

export type Target = (typeof TARGETS)[keyof typeof TARGETS];

/** Kind of the records whose ids a field holds; undefined for other values, such as the name in the field `venue`. */
export function targetOf(field: string, value: unknown): Target | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  return typeof first === 'number' && Object.hasOwn(TARGETS, field)
    ? TARGETS[field as keyof typeof TARGETS]
    : undefined;
}
