import type { z } from 'zod';
import type { Database } from '../../../db/database.ts';
import { mayEdit } from '../../../http/core/auth.ts';
import type { InputOf, LookupContext } from '../../../http/core/endpoint.ts';
import {
  boolean,
  clearable,
  custom,
  date,
  filledText,
  integer,
  oneOf,
  text,
  withDefault,
  zone,
} from '../../../http/input/schemas.ts';
import { type LinkedKind, perLinkedKind } from '../../../lib/linked-kinds.ts';
import { MAX_COST_ENTRIES, MAX_COST_LENGTH, readCostInput } from '../../../lib/money/cost.ts';
import { capitalize } from '../../../lib/text/text.ts';
import { checkName } from '../../../platform/translations/rules.ts';
import { linkedPostKinds } from '../../linked-kinds/registry.ts';
import { findPostReferences, ownedAs, postFields } from '../../posts/post.ts';
import { isVisibleTo } from '../../posts/visibility.ts';
import { ATTENDANCE_MODES, ONLINE_ACCESS } from '../attendance.ts';
import { PARAMETERS } from '../event-fields.ts';
import { EVENT_STATUSES } from '../event-status.ts';
import { type Event, findEvent, findLinks } from '../store.ts';
import { eventTimes, touchesTimes } from '../times.ts';
import { findLinkedReferences, findTermReferences, MAX_REFERENCE, MAX_REFERENCES } from './references.ts';
import type { EventReferences } from './save.ts';

const NOTHING = { type: 'null' };
const ID = { type: 'integer', minimum: 1 };
const CSV = { type: 'string' };

/** A term in the form of responses. */
const SHOWN = { type: 'object', properties: { id: ID }, required: ['id'] };
const REVISION = { type: 'integer', minimum: 1, description: 'Revision on which the change is based.' };
/** Members that identify a linked post in responses. */
const LINKED = { type: 'object', properties: { id: ID, revision: REVISION }, required: ['id'] };

/** Terms by id, slug or name. */
const TERMS = {
  anyOf: [
    {
      type: 'array',
      items: { anyOf: [{ type: 'integer' }, { type: 'string', maxLength: MAX_REFERENCE }, SHOWN] },
      maxItems: MAX_REFERENCES,
    },
    { type: 'integer' },
    CSV,
    NOTHING,
  ],
};

/**
 * Linked posts by id, or as objects: the body of a request that creates one, or with an `id` the body of a request that
 * changes it.
 */
function linkedField(kind: LinkedKind): z.ZodType<unknown> {
  const { plural } = linkedPostKinds[kind];
  const schema = (name: string) => ({ $ref: `#/components/schemas/${capitalize(kind)}${name}` });
  const single = [ID, schema('Input'), { allOf: [schema('Change'), LINKED] }];
  const anyOf = [...single, { type: 'array', items: { anyOf: single }, maxItems: MAX_REFERENCES }, CSV, NOTHING];
  const description =
    `${capitalize(plural)} by id, or as objects: without an \`id\` to create one, with an \`id\` in the form of responses. Fields of ` +
    `an object that differ from the ${kind} change it; its \`revision\` must be the current one. Empty removes all.`;
  return withDefault(custom(description, { anyOf }), null);
}

const AMOUNTS = [{ type: 'string', maxLength: MAX_COST_LENGTH }, { type: 'number' }];
const COST = { anyOf: [...AMOUNTS, { type: 'array', items: { anyOf: AMOUNTS }, maxItems: MAX_COST_ENTRIES }, NOTHING] };

const { title, description, ...texts } = PARAMETERS.texts;

/** Parameters of a write. */
export const eventFields = {
  ...postFields,
  title,
  description,
  slug: clearable(filledText('Slug; derived from the title by default.', { max: 300 })),
  ...texts,
  timezone: clearable(zone('Time zone of the event; by default, the time zone of the site.')),
  all_day: withDefault(clearable(boolean('Whether it is an all-day event.')), false),
  start_date: date('Start, in the time zone of the event unless it has an offset.'),
  end_date: date('End; not before the start.'),
  cost: custom('Cost: a number, a text such as `$10 - $20` or `Free`, or a list.', COST),
  ...PARAMETERS.details,
  event_status: withDefault(
    clearable(
      oneOf(
        'Whether it takes place as announced. Tickets of a cancelled event are not sold, nor those of a postponed one without `sale_stays_open`.',
        EVENT_STATUSES,
      ),
    ),
    'scheduled',
  ),
  ...PARAMETERS.reason,
  previous_start_date: clearable(
    date('Original start. Set by the server when the start of a rescheduled event moves.'),
  ),
  attendance_mode: withDefault(
    clearable(oneOf('How people attend it: at a venue, online, or both.', ATTENDANCE_MODES)),
    'on_site',
  ),
  online_access: withDefault(
    clearable(oneOf('Readers of `online_url`: holders of a ticket that admits, or everyone.', ONLINE_ACCESS)),
    'holders',
  ),
  ...PARAMETERS.attendance,
  categories: withDefault(
    custom(
      'Categories by id, slug or name, or in the form of responses; unknown names are created. Empty removes all.',
      TERMS,
    ),
    null,
  ),
  tags: withDefault(
    custom(
      'Tags by id, slug or name, or in the form of responses; unknown names are created. Empty removes all.',
      TERMS,
    ),
    null,
  ),
  ...perLinkedKind(linkedField),
  post_password: clearable(
    text('Password required to read the event; empty removes it. Never returned.', { max: 200 }),
  ),
  post_parent: clearable(integer('Event that this one is part of; 0 for none.')),
};

type EventFields = Partial<InputOf<typeof eventFields>>;

interface EventLookup extends LookupContext {
  /** The event to be updated; absent if it does not exist. */
  current?: Event;
  isUpdate: boolean;
}

/** Looks up all records named by a write, and rejects missing and invalid references. */
export async function findReferences(
  input: EventFields,
  { current: found, isUpdate, ...lookup }: EventLookup,
): Promise<EventReferences> {
  const { ctx, addProblem } = lookup;
  // Viewers who may not change the event could learn its dates from contradictions.
  const current = found && mayEdit(ctx.viewer, ownedAs(found)) ? found : undefined;
  checkName('event', input, { ctx, addProblem, isUpdate });
  const cost = input.cost === undefined ? undefined : readCostInput(input.cost, isUpdate ? 'update' : 'create');
  if (input.cost !== undefined && !cost) addProblem('cost', { key: 'param.cost' });
  if (input.post_parent) await checkParent(input.post_parent, current, lookup);
  if (endsEarly(input, { current, isUpdate, ctx })) addProblem('end_date', { key: 'param.ends_early' });
  return {
    ...(await findPostReferences(input, lookup)),
    cost,
    linked: await findAllLinked(input, { ...lookup, current }),
    categories: await findTermReferences('categories', input.categories, lookup),
    tags: await findTermReferences('tags', input.tags, lookup),
  };
}

async function findAllLinked(
  input: EventFields,
  { current, ...lookup }: LookupContext & { current: Event | undefined },
): Promise<Required<EventReferences>['linked']> {
  const found: EventReferences['linked'] = {};
  const isSent = Object.values(linkedPostKinds).some(({ name }) => input[name] !== undefined);
  const links = current && isSent ? await findLinks(lookup.ctx.context.db, [current.id]) : [];
  const linked = new Set(links.map(({ target_id }) => target_id));
  for (const kind of Object.values(linkedPostKinds)) {
    const references = await findLinkedReferences(kind, input[kind.name], { ...lookup, linked });
    if (references) found[kind.name] = references;
  }
  return found;
}

/** Whether the valid dates of a write contradict each other. */
function endsEarly(input: EventFields, { current, isUpdate, ctx }: Omit<EventLookup, 'addProblem'>): boolean {
  const isReadable = isUpdate ? current !== undefined : input.start_date !== undefined && input.end_date !== undefined;
  if (!isReadable || !touchesTimes(input)) return false;
  return eventTimes(input, current, { siteZone: ctx.context.config.timezone, now: ctx.now }) === 'ends-early';
}

async function checkParent(id: number, current: Event | undefined, { ctx, addProblem }: LookupContext): Promise<void> {
  const parent = await findEvent(ctx.context.db, id);
  const isLoop = current && (await isPartOf(ctx.context.db, id, current.id));
  if (!parent || !isVisibleTo(ctx.viewer, parent)) addProblem('post_parent', { key: 'param.event_unknown' });
  else if (isLoop) addProblem('post_parent', { key: 'param.parent_below' });
}

/** Whether an event is a given other one, or a descendant of it. */
async function isPartOf(db: Database, id: number, whole: number): Promise<boolean> {
  const seen = new Set<number>();
  for (let at: number | null | undefined = id; at && !seen.has(at); at = (await findEvent(db, at))?.parent_id) {
    if (at === whole) return true;
    seen.add(at);
  }
  return false;
}
