import type { Me } from '../../../packages/client/src/marquee-client.ts';

export type Account = Pick<Me, 'id' | 'capabilities'>;
export type Capability = Me['capabilities'][number];

/** Rights over attendees and orders, each with the one that grants it for own events. */
export const READS_ATTENDEES = ['read_attendees', 'read_own_attendees'] as const satisfies readonly Capability[];
export const EXPORTS_ATTENDEES = ['export_attendees', 'read_own_attendees'] as const satisfies readonly Capability[];
export const CHECKS_IN = ['check_in', 'check_in_own'] as const satisfies readonly Capability[];
export const READS_ORDERS = ['read_orders', 'manage_own_attendees'] as const satisfies readonly Capability[];
export const SELLS = ['sell', 'manage_own_attendees'] as const satisfies readonly Capability[];
export const MANAGES_ATTENDEES = ['manage_attendees', 'manage_own_attendees'] as const satisfies readonly Capability[];

/** Whether an account has a right over the attendees and orders of an event, of all events or of its own. */
export function hasEventRight(
  { id, capabilities }: Account,
  [all, own]: readonly [Capability, Capability],
  { author }: { author: string },
): boolean {
  return capabilities.includes(all) || (author === String(id) && capabilities.includes(own));
}
