/** Views of the list. */
export const EVENT_VIEWS = ['upcoming', 'past', 'drafts', 'trash'] as const;
/** Views of users who see only published events. */
export const PUBLIC_VIEWS = ['upcoming', 'past'] as const;
export type EventView = (typeof EVENT_VIEWS)[number];

const PUBLICATION = ['publish', 'draft', 'pending', 'future', 'private'] as const;
export const TAKING_PLACE = ['cancelled', 'postponed', 'rescheduled', 'moved_online'] as const;

/** Statuses that the list can be filtered by. */
export const EVENT_STATUSES = [...PUBLICATION, ...TAKING_PLACE] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];
