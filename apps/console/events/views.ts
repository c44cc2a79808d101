/** Which events a list shows. */
export const EVENT_VIEWS = ['upcoming', 'past', 'drafts', 'trash'] as const;
export type EventView = (typeof EVENT_VIEWS)[number];
