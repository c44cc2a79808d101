interface EventText {
  /** Member of the event; `field.NAME` of the shared texts is its label. */
  name: string;
  /** Whether its field has several lines. */
  isLong?: boolean;
}

/** Plain texts of events between the title and the description: in the form, in the log and in translations. */
export const EVENT_TEXTS = [{ name: 'excerpt', isLong: true }] as const satisfies readonly EventText[];

export type EventTextName = (typeof EVENT_TEXTS)[number]['name'];

/** A value for each of these texts. */
export const perEventText = <T>(make: (name: EventTextName) => T): Record<EventTextName, T> =>
  // The keys are those of the table.
  Object.fromEntries(EVENT_TEXTS.map(({ name }) => [name, make(name)])) as Record<EventTextName, T>;
