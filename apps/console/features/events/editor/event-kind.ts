import type { Event, Image, Input } from '../../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../../client/call.ts';
import { perEventText } from '../../../data/event-texts.ts';
import { read } from '../../../data/queries.ts';
import type { Picture } from '../../../shared/pictures/picture-field.tsx';
import type { RecordKind } from '../../../shared/record/use-record.ts';
import type { Choice } from '../../../ui/choice-box.tsx';
import type { Scope } from '../repeat/scope-choice.tsx';

/** Editable fields of an event, by their parameters. */
export type EventFields = ReturnType<typeof fieldsOf>;

const chosen = (records: readonly { id: number; name: string }[]): Choice[] =>
  records.map(({ id, name }) => ({ id, name }));

const pictureOf = ({ id, url }: Image): Picture => ({ id, url });

const fieldsOf = (event: Event) => {
  const { title, start_date, end_date, timezone, description, cost, website, slug, date } = event;
  return {
    title,
    start_date,
    end_date,
    timezone,
    description,
    cost,
    website,
    slug,
    date,
    // Absent while they have their default.
    ...perEventText((name) => event[name] ?? ''),
    attendance_mode: event.attendance_mode ?? 'on_site',
    online_access: event.online_access ?? 'holders',
    online_url: event.online_url ?? '',
    door_time: event.door_time ?? '',
    // Flags are null only without the password.
    all_day: event.all_day === true,
    featured: event.featured === true,
    sticky: event.sticky === true,
    hide_from_listings: event.hide_from_listings === true,
    show_map: event.show_map === true,
    // A status of the server.
    status: event.status as NonNullable<Change['status']>,
    event_status: event.event_status ?? 'scheduled',
    event_status_reason: event.event_status_reason ?? '',
    sale_stays_open: event.sale_stays_open === true,
    author: Number(event.author),
    // Whether sale periods move with the start, which the server does not store.
    moves_sales: false,
    // Events of the series that a save concerns, and whether ticket holders were considered: part of a save only.
    scope: 'this' as Scope,
    confirm_holders: false,
    // Never sent by the server; null keeps it.
    post_password: null as string | null,
    image: event.image ? pictureOf(event.image) : null,
    venue: chosen([event.venue].flat().map(({ id, venue: name }) => ({ id, name }))),
    organizer: chosen(event.organizer.map(({ id, organizer: name }) => ({ id, name }))),
    categories: chosen(event.categories),
    tags: chosen(event.tags),
  };
};

type Change = Omit<Input<'PATCH /events/v1/events/{id}'>, 'id'>;

/** Changed fields as parameters: chosen records by their ids, new ones by their names. */
function changeOf(patch: Partial<EventFields>): Change {
  const { venue, organizer, categories, tags, image, post_password: password, moves_sales, ...plain } = patch;
  return {
    ...plain,
    ...(moves_sales && plain.start_date !== undefined && { move_sales: true }),
    ...(venue && { venue: venue.map(({ id, name }) => id ?? { venue: name }) }),
    ...(organizer && { organizer: organizer.map(({ id, name }) => id ?? { organizer: name }) }),
    ...(categories && { categories: categories.map(({ id, name }) => id ?? name) }),
    ...(tags && { tags: tags.map(({ id, name }) => id ?? name) }),
    ...(typeof password === 'string' && { post_password: password }),
    ...(image !== undefined && { image: image && String(image.id) }),
  };
}

/** Form of an event. */
export const eventKind: RecordKind<Event, EventFields> = {
  path: '/events/v1/events',
  read: (id) => read('GET /events/v1/events/{id}', { id }),
  write: (id, patch, options) => call('PATCH /events/v1/events/{id}', { id, ...changeOf(patch) }, options),
  fieldsOf,
  // A change of one in a series is saved once it is known which others it concerns.
  isDraft: ({ status, series }) => !series && (status === 'draft' || status === 'pending'),
};
