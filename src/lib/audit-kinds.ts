import { LINKED_KIND_NAMES } from './linked-kinds.ts';

/** Kinds of records in the audit log. */
export const AUDIT_KINDS = [
  'event',
  'series',
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
  'gate',
  'door_device',
  'signing_key',
  'tax_rate',
  'fee',
  'promotion',
  'invoice',
  'mail',
  'mail_text',
  'announcement',
  'site',
] as const;
