/** Plain texts of events between the title and the description: in the form, in the log and in translations. */
const TEXTS = {
  excerpt: { isLong: true },
  accessibility: { isLong: true },
} satisfies Readonly<Record<string, { isLong?: boolean }>>;

/** Text member of events; its label is `field.NAME` of the shared texts. */
export type EventTextName = keyof typeof TEXTS;

interface EventText {
  name: EventTextName;
  /** Whether its field has several lines. */
  isLong?: boolean;
}

export const FORM_TEXTS = Object.entries(TEXTS).map(([name, text]) => ({ name, ...text })) as readonly EventText[];

/** Builds a value for each of these texts. */
export const perEventText = <T>(make: (name: EventTextName) => T): Record<EventTextName, T> =>
  // The keys come from the table.
  Object.fromEntries(FORM_TEXTS.map(({ name }) => [name, make(name)])) as Record<EventTextName, T>;
