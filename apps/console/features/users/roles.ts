/** Roles, the mightiest first. */
export const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber', 'door'] as const;
export type Role = (typeof ROLES)[number];
