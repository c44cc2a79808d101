import type { LinkProps } from '@tanstack/react-router';
import type { IconName } from '../../client/icons.ts';
import type { Capability } from './account.ts';
import type { FrameText } from './texts.ts';

export interface RailEntry {
  to: NonNullable<LinkProps['to']>;
  label: FrameText;
  icon: IconName;
  /** Shown to who has one of these rights; to everybody without them. */
  rights?: readonly Capability[];
  /** After `g`, the key that goes there. */
  key?: string;
  /** Whether it is one of the tabs of a phone; the others are below "More". */
  isTab?: boolean;
}

/** The screens in the rail, in its order. A screen that does not exist has no entry. */
export const RAIL: readonly RailEntry[] = [
  { to: '/', label: 'rail.home', icon: 'home', key: 'h', isTab: true },
  { to: '/events', label: 'rail.events', icon: 'events', key: 'e', isTab: true },
  { to: '/calendar', label: 'rail.calendar', icon: 'calendar', key: 'c' },
  { to: '/attendees', label: 'rail.attendees', icon: 'people', rights: ['read_attendees'], key: 'a' },
  { to: '/orders', label: 'rail.orders', icon: 'orders', rights: ['manage_attendees'], key: 'o', isTab: true },
  {
    ...{ to: '/reports', label: 'rail.reports', icon: 'report', key: 'r' },
    rights: ['manage_attendees', 'read_own', 'read_attendees'],
  },
  { to: '/media', label: 'rail.media', icon: 'media', rights: ['upload'], key: 'm' },
  { to: '/users', label: 'rail.users', icon: 'people', rights: ['manage_users'], key: 'u' },
  { to: '/log', label: 'rail.log', icon: 'log', rights: ['manage_site'], key: 'l' },
];
