import type { Mail } from '../../../../packages/client/src/marquee-client.ts';
import { textsOf } from '../../i18n/texts.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('mails');

/** Statuses of mails, those that need staff first. */
export const MAIL_STATUSES = [
  'held',
  'failed',
  'bounced',
  'queued',
  'sent',
] as const satisfies readonly Mail['status'][];

/** Kinds of mails to customers. */
export const CUSTOMER_KINDS = [
  'order',
  'tickets',
  'refund',
  'my_tickets',
  'payment_failed',
  'place_cancelled',
  'ticket_received',
  'ticket_transferred',
  'rsvp',
  'rsvp_changed',
  'reminder',
  'announcement',
  'event_moved',
  'event_postponed',
  'event_cancelled',
] as const satisfies readonly Mail['kind'][];

/** Kinds of mails to accounts, which administrators see. */
export const ACCOUNT_KINDS = [
  ...['invitation', 'sign-in', 'password', 'new-device', 'factor-removed', 'password-changed', 'address-changed'],
  ...['alert-payments', 'alert-jobs', 'alert-few-left', 'alert-sold-out', 'alert-orders'],
] as readonly Mail['kind'][];

/** Whether a mail has not arrived, and will not by itself. */
export const isUndelivered = ({ status }: Mail): boolean =>
  status === 'held' || status === 'failed' || status === 'bounced';
