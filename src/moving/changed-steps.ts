import { isRecord } from '../lib/text/list.ts';
import { type Draft, type Finding, idOf, readLinked } from './drafts.ts';
import { type Source, SourceRefusal } from './source.ts';
import { type Batch, optionalPage, pageOrEnd, type Reading, readEventAlone, STEPS, type Step } from './steps.ts';

/** Steps of a later import from a running site that lists changed records. */

const LISTS = { venue: 'tribe_venue', organizer: 'tribe_organizer', event: 'tribe_events' } as const;
type ListedKind = keyof typeof LISTS;

const PUBLISHED = 'publish,future,draft,pending,private';
/** Later than any change. */
const NEVER = '2999-01-01T00:00:00Z';

/** Whether a source has lists of changed records: others ignore the parameter, and list everything. */
export async function tellsChanges(source: Source): Promise<boolean> {
  for (const list of Object.values(LISTS)) {
    const query = { page: 1, per_page: 1, _fields: 'id', modified_after: NEVER };
    const found = await optionalPage(() => source.page(`wp/v2/${list}`, query));
    if (!found || found.items.length > 0) return false;
  }
  return true;
}

/** Reads the ids of changed records, then each record by itself, since these lists have other members. */
const changed = (kind: ListedKind, since: string): Step => ({
  name: `changed ${kind}s`,
  async read(page, reading): Promise<Batch> {
    const { source } = reading;
    const query = { page, orderby: 'id', order: 'asc', _fields: 'id', modified_after: since };
    const list = (status?: string) => source.page(`wp/v2/${LISTS[kind]}`, { ...query, status });
    const found = await pageOrEnd(async () => {
      if (!source.hasCredentials) return list();
      return (await optionalPage(() => list(`${PUBLISHED},trash`))) ?? list(PUBLISHED);
    }, page);
    const drafts: Draft[] = [];
    const findings: Finding[] = [];
    for (const item of found.items) {
      const record = await readAlone(kind, idOf(item.id), reading);
      if ('code' in record) findings.push(record);
      else drafts.push(record);
    }
    return { drafts, findings, total: found.total, isLast: page >= found.pages };
  },
});

async function readAlone(kind: ListedKind, id: number, reading: Reading): Promise<Draft | Finding> {
  // Checks each event alone as a visitor, instead of reading all lists of events.
  reading.open ??= new Set();
  if (kind === 'event') return readEventAlone(id, reading);
  try {
    const { body } = await reading.source.read(`tribe/events/v1/${kind}s/${id}`);
    return readLinked(kind, isRecord(body) ? body : {});
  } catch (error) {
    if (error instanceof SourceRefusal) return { code: 'not-shown', detail: `${kind} ${id}: ${error.message}` };
    throw error;
  }
}

/**
 * Steps that read venues, organizers and events only if they have changed. Terms, tickets and attendees have no such lists.
 * @param since UTC time in ISO 8601
 */
export function changedSteps(since: string): readonly Step[] {
  const inPlace: Readonly<Record<string, Step>> = {
    ...{ venues: changed('venue', since), organizers: changed('organizer', since), events: changed('event', since) },
  };
  return STEPS.filter(({ name }) => name !== 'events that no list has').map((step) => inPlace[step.name] ?? step);
}
