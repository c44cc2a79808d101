interface LinkedKindWords {
  /** Last segment of the routes, key of the list, and OpenAPI tag. */
  plural: string;
  /** Description in the API documentation. */
  about: string;
  /** Translated text attributes; all others are the same in every language. */
  translatedAttributes: readonly string[];
  /** Attributes with one of a few values, which searches ignore. */
  choices: readonly string[];
}

/**
 * The kinds of records that events link to, besides terms. Tables, error codes, messages and documents are typed by
 * them; their fields and rules are in `calendar/linked-kinds/registry.ts`.
 */
export const LINKED_KINDS = {
  venue: { plural: 'venues', about: 'Locations of events.', translatedAttributes: [], choices: [] },
  organizer: {
    plural: 'organizers',
    about: 'People and groups that run events.',
    translatedAttributes: [],
    choices: ['organizer_type'],
  },
} as const satisfies Readonly<Record<string, LinkedKindWords>>;

export type LinkedKind = keyof typeof LINKED_KINDS;

export type LinkedPlural = (typeof LINKED_KINDS)[LinkedKind]['plural'];

export const LINKED_KIND_NAMES = Object.keys(LINKED_KINDS) as readonly LinkedKind[];

export const isLinkedKind = (name: string | undefined): name is LinkedKind =>
  name !== undefined && Object.hasOwn(LINKED_KINDS, name);

/** Builds a value for each kind. */
export function perLinkedKind<T>(make: (kind: LinkedKind) => T): Record<LinkedKind, T> {
  // Complete after the loop.
  const made = {} as Record<LinkedKind, T>;
  for (const kind of LINKED_KIND_NAMES) made[kind] = make(kind);
  return made;
}
