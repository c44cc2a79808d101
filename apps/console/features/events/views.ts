/** Which events a list shows. */
export const EVENT_VIEWS = ['upcoming', 'past', 'drafts', 'trash'] as const;
/** Those of people who see only what is published. */
export const PUBLIC_VIEWS = ['upcoming', 'past'] as const;
export type EventView = (typeof EVENT_VIEWS)[number];
