import type { Import } from '../../../../packages/client/src/marquee-client.ts';
import type en from './locales/en.json';
import { t } from './routes.ts';

/** Names of states, kinds and outcomes. */

type Key = keyof typeof en;

/** Text of a key that is made from a value of the server, or the value itself. */
function textOr(key: string, value: string, values: { count?: number } = {}): string {
  const text = t(key as Key, values);
  return text === key ? value : text;
}

export const stateName = (state: Import['state']): string => t(`state.${state}`);

const MAX_ADDRESS = 100;

/** The file or the address of an import. */
export const nameOf = ({ file_name, address }: Pick<Import, 'file_name' | 'address'>): string =>
  file_name || (address.length > MAX_ADDRESS ? `${address.slice(0, MAX_ADDRESS)}…` : address);

/** Kind of a record, such as an event. */
export const kindName = (kind: string): string => textOr(`record.${kind}`, kind);

/** A number of records of a kind, such as `12 events`. */
export const recordsText = (kind: string, count: number): string =>
  textOr(`records.${kind}`, `${count} ${kind}`, { count });

/** Sentence about a record, from the server if there is none in the language of the console. */
export const findingText = (code: string, message: string): string => textOr(`finding.${code}`, message);

export const fieldName = (field: string): string => textOr(`column.${field}`, field);

type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Numbers of records by outcome, such as `12 events, 3 venues`. */
export const outcomesOf = (counts: Counts): { outcome: string; text: string }[] =>
  Object.entries(counts)
    .filter(([, kinds]) => Object.keys(kinds).length > 0)
    .map(([outcome, kinds]) => ({
      outcome: textOr(`outcome.${outcome}`, outcome),
      text: Object.entries(kinds)
        .map(([kind, count]) => recordsText(kind, count))
        .join(', '),
    }));

const LOOKS: Partial<Record<Import['state'], string>> = {
  finished: 'badge good',
  failed: 'badge bad',
  planned: 'badge warn',
  mapping: 'badge warn',
};

export const stateLook = (state: Import['state']): string => LOOKS[state] ?? 'badge';

/** Whether the server is working on an import, so that the screen reads it at intervals. */
export const isBusy = ({ state }: Pick<Import, 'state'>): boolean =>
  state === 'planning' || state === 'importing' || state === 'undoing';

/** Path of the screen of a record; undefined for records without one. */
export function pathOf(record: { kind: string; id: number } | null): string | undefined {
  if (!record) return undefined;
  const { kind, id } = record;
  if (kind === 'event') return `/events/${id}`;
  if (kind === 'venue' || kind === 'organizer') return `/${kind}s/${id}`;
  if (kind === 'order') return `/orders/${id}`;
  return kind === 'account' ? `/users/${id}` : undefined;
}
