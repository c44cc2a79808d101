/** Fields that hold ids of other records, and what those are; some only in records of one kind. */
const TARGETS = {
  event: 'event',
  event_id: 'event',
  post_parent: 'event',
  ticket: 'ticket',
  order: 'order',
  venue: 'venue',
  organizer: 'organizer',
  categories: 'category',
  parent: 'category',
  tags: 'tag',
  author: 'user',
  user_id: 'user',
  image: 'media',
  logo: 'media',
} as const;

export type Target = (typeof TARGETS)[keyof typeof TARGETS];

/** What the ids of a field are of; undefined for other fields. The name of a venue, too, is in a field `venue`. */
export function targetOf(field: string, value: unknown): Target | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  return typeof first === 'number' && Object.hasOwn(TARGETS, field)
    ? TARGETS[field as keyof typeof TARGETS]
    : undefined;
}
