/** What reports are about, and how they are divided. */
export const KINDS = ['sales', 'attendance'] as const;
export type Kind = (typeof KINDS)[number];
export const GROUPINGS = ['day', 'hour', 'ticket', 'event'] as const;
export type Grouping = (typeof GROUPINGS)[number];
