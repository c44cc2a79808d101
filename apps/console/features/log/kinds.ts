import { LINKED_KIND_NAMES } from '../../../../src/lib/linked-kinds.ts';

/** Kinds of records in the log. */
export const KINDS = [
  'event',
  ...LINKED_KIND_NAMES,
  'category',
  'tag',
  'ticket',
  'attendee',
  'order',
  'media',
  'user',
  'app_password',
  'token',
  'check_in_key',
  'site',
] as const;

export type Kind = (typeof KINDS)[number];

export const ACTIONS = ['created', 'changed', 'published', 'trashed', 'restored', 'deleted'] as const;
