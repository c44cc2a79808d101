/** Kinds of mails, on the server and in the console. */

/** Mails to the customer of an order. */
export const ORDER_MAIL_KINDS = ['order', 'tickets', 'refund', 'payment_failed', 'place_cancelled'] as const;

/** Kinds of mails that an announcement to the holders of an event's tickets sends. */
export const ANNOUNCEMENT_KINDS = ['announcement', 'event_moved', 'event_postponed', 'event_cancelled'] as const;

/** Mails to customers and holders, whose subject and introduction organizers may word. */
export const WORDED_MAIL_KINDS = [
  ...ORDER_MAIL_KINDS,
  'ticket_received',
  'ticket_transferred',
  'rsvp',
  'rsvp_changed',
  'reminder',
  ...ANNOUNCEMENT_KINDS,
] as const;

export const CUSTOMER_MAIL_KINDS = [...WORDED_MAIL_KINDS, 'my_tickets'] as const;

/** Mails to accounts with a link that signs in. */
const LINK_MAIL_KINDS = ['invitation', 'sign-in', 'password'] as const;
export type LinkMailKind = (typeof LINK_MAIL_KINDS)[number];

/** Notices to accounts about their own security. */
export const NOTICE_MAIL_KINDS = ['new-device', 'factor-removed', 'password-changed', 'address-changed'] as const;

/** Alerts that accounts may choose. */
export const ALERT_KINDS = ['payments', 'jobs', 'few-left', 'sold-out', 'orders'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

const ACCOUNT_MAIL_KINDS = [
  ...LINK_MAIL_KINDS,
  ...NOTICE_MAIL_KINDS,
  ...ALERT_KINDS.map((alert) => `alert-${alert}` as const),
] as const;
export type AccountMailKind = (typeof ACCOUNT_MAIL_KINDS)[number];

export const MAIL_KINDS = [...CUSTOMER_MAIL_KINDS, ...ACCOUNT_MAIL_KINDS] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

export const isAboutOrder = (kind: MailKind): boolean => ORDER_MAIL_KINDS.some((one) => one === kind);

/** Whether mails of a kind are announcements, whose text staff write. */
export const isAnnouncement = (kind: MailKind): boolean => ANNOUNCEMENT_KINDS.some((one) => one === kind);
