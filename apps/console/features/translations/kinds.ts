/** The kinds of records whose texts exist in several languages. */
export const KINDS = ['event', 'venue', 'organizer', 'category', 'tag', 'ticket', 'media'] as const;
export type Kind = (typeof KINDS)[number];

export const isKind = (text: string): text is Kind => KINDS.some((kind) => kind === text);

interface TextOf {
  /** As it is written. */
  name: string;
  /** Lines of its field. */
  rows?: number;
  /** Whether it has markup. */
  isRich?: boolean;
}

const description: TextOf = { name: 'description', isRich: true };
const shortDescription: TextOf = { name: 'description', rows: 3 };

/** The texts of each kind, the name first. */
export const TEXTS: Readonly<Record<Kind, readonly TextOf[]>> = {
  event: [{ name: 'title' }, { name: 'excerpt', rows: 3 }, description, { name: 'event_status_reason', rows: 2 }],
  venue: [{ name: 'venue' }, description],
  organizer: [{ name: 'organizer' }, description],
  category: [{ name: 'name' }, shortDescription],
  tag: [{ name: 'name' }, shortDescription],
  ticket: [{ name: 'name' }, shortDescription],
  media: [{ name: 'alt', rows: 2 }],
};
