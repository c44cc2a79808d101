/** Venues and organizers: the kinds of records of their own that events are linked to. */
export const KINDS = {
  venues: {
    name: 'venue',
    icon: 'venue',
    lines: ['address', 'city', 'stateprovince', 'zip', 'country', 'phone', 'website'],
    switches: ['show_map', 'show_map_link'],
    isPlace: true,
  },
  organizers: {
    name: 'organizer',
    icon: 'person',
    lines: ['email', 'phone', 'website'],
    switches: [],
    isPlace: false,
  },
} as const;

export type Kind = keyof typeof KINDS;

export const VIEWS = ['all', 'drafts', 'trash'] as const;
export type View = (typeof VIEWS)[number];

export const SORTS = ['name', 'events', 'upcoming'] as const;
export type Sort = (typeof SORTS)[number];

/** The statuses of each view. */
export const STATUSES: Readonly<Record<View, string>> = { all: 'any', drafts: 'draft', trash: 'trash' };
