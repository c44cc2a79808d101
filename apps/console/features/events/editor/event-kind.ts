import type { Event, Image, Input } from '../../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../../client/call.ts';
import { perEventText } from '../../../data/event-texts.ts';
import { read } from '../../../data/queries.ts';
import type { Picture } from '../../../shared/pictures/picture-field.tsx';
import type { RecordKind } from '../../../shared/record/use-record.ts';
import type { Choice } from '../../../ui/choice-box.tsx';

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
    ...perEventText((name) => event[name]),
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
    author: Number(event.author),
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
  const { venue, organizer, categories, tags, image, post_password: password, ...plain } = patch;
  return {
    ...plain,
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
  isDraft: ({ status }) => status === 'draft' || status === 'pending',
};
