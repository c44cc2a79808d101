import { can, eventScope, type Viewer, viewerOf } from '../../http/core/auth.ts';
import { ALERT_KINDS, type AlertKind } from '../../lib/mail-kinds.ts';
import { accountOf, type UserRow } from './store.ts';

/** Alerts that accounts may get by mail. */

/** Whether a viewer may read the content of an alert. */
const IS_ALLOWED: Readonly<Record<AlertKind, (viewer: Viewer) => boolean>> = {
  // Findings may concern any order, even one that is unknown here.
  payments: (viewer) => eventScope(viewer, 'read_orders') === 'all',
  jobs: (viewer) => can(viewer, 'operate'),
  'few-left': (viewer) => eventScope(viewer, 'read_attendees') !== 'none',
  'sold-out': (viewer) => eventScope(viewer, 'read_attendees') !== 'none',
  orders: (viewer) => eventScope(viewer, 'read_orders') !== 'none',
};

/** Alerts that an account may choose by its rights. */
export function availableAlerts(user: UserRow): AlertKind[] {
  const viewer = viewerOf(accountOf(user));
  return ALERT_KINDS.filter((kind) => IS_ALLOWED[kind](viewer));
}

/** Alerts that an account has chosen and may still get. */
export function chosenAlerts(user: UserRow): AlertKind[] {
  // Written by `updateUser`.
  const chosen = JSON.parse(user.alerts) as string[];
  return availableAlerts(user).filter((kind) => chosen.includes(kind));
}
