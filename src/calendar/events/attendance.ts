import { z } from 'zod';
import type { AttendanceMode, OnlineAccess } from '../../db/tables/calendar.ts';
import { mayEdit, type Viewer } from '../../http/core/auth.ts';
import type { Urls } from '../../http/core/urls.ts';
import { addDays, isoWithOffset, localToUtc } from '../../lib/dates/dates.ts';
import { ownedAs } from '../posts/post.ts';
import type { Event } from './store.ts';

/** How people attend an event: on site, online or both, at which address, and from when. */

export const ATTENDANCE_MODES = ['on_site', 'online', 'mixed'] as const satisfies readonly AttendanceMode[];
export const ONLINE_ACCESS = ['holders', 'everyone'] as const satisfies readonly OnlineAccess[];

/** The attendance fields of a write. Absent: unchanged. null: the default. */
export interface AttendanceInput {
  attendance_mode?: AttendanceMode | null;
  online_access?: OnlineAccess | null;
}

type AttendanceColumns = Pick<Event, 'attendance_mode' | 'online_access'>;

/** Columns of an event without any of these fields. */
export const ON_SITE = { attendance_mode: 'on_site', online_access: 'holders' } as const satisfies AttendanceColumns;

/** The attendance columns after a write. */
export function attendanceAfter(input: AttendanceInput, current: AttendanceColumns = ON_SITE): AttendanceColumns {
  const { attendance_mode = current.attendance_mode, online_access = current.online_access } = input;
  return {
    attendance_mode: attendance_mode ?? ON_SITE.attendance_mode,
    online_access: online_access ?? ON_SITE.online_access,
  };
}

/** Absent while they have their default, and always under `/wp-json/tribe`. */
export const attendanceSchema = {
  attendance_mode: z.enum(ATTENDANCE_MODES).optional().describe('How people attend it; absent for `on_site`.'),
  online_access: z
    .enum(ONLINE_ACCESS)
    .optional()
    .describe('Readers of `online_url`: holders of a ticket, or everyone; absent for `holders`.'),
  online_url: z
    .string()
    .optional()
    .describe('Address for attending online. Only for users who may edit the event, unless everyone may see it.'),
  door_time: z.string().optional().describe('When the doors open, in the time zone of the event; absent if unknown.'),
  accessibility: z
    .string()
    .optional()
    .describe('Information for people with disabilities. Plain text; absent if empty.'),
};

type AttendanceMembers = z.output<z.ZodObject<typeof attendanceSchema>>;

interface RenderOptions {
  urls: Urls;
  viewer: Viewer;
  /** Whether the event is locked for the reader. */
  masked?: boolean;
}

/** A password hides everything except the mode and when doors open. */
export function renderAttendance(event: Event, { urls, viewer, masked }: RenderOptions): AttendanceMembers {
  if (urls.isReference) return {};
  const { attendance_mode, online_access, door_time, accessibility } = event;
  const online_url = masked ? '' : onlineUrlFor(event, viewer);
  return {
    ...(attendance_mode !== 'on_site' && { attendance_mode }),
    ...(online_access !== 'holders' && { online_access }),
    ...(online_url !== '' && { online_url }),
    ...(door_time !== '' && { door_time }),
    ...(accessibility !== '' && !masked && { accessibility }),
  };
}

/** Online address; empty if the viewer may not see it. */
const onlineUrlFor = (event: Event, viewer: Viewer): string =>
  (event.online_access === 'everyone' && modeOf(event) !== 'on_site') || mayEdit(viewer, ownedAs(event))
    ? event.online_url
    : '';

/** The mode of a stored or rendered event, with the status taken into account. */
export const modeOf = ({
  attendance_mode = 'on_site',
  event_status,
}: Partial<Pick<Event, 'attendance_mode' | 'event_status'>>): AttendanceMode =>
  event_status === 'moved_online' ? 'online' : attendance_mode;

/** Instant at which doors open: a time of day later than the start belongs to the evening before. */
function doorTime({ door_time, start_date, all_day, timezone }: Event): string {
  const [day = '', start = ''] = start_date.split(' ');
  const isBefore = all_day === 1 || door_time <= start.slice(0, 5);
  const local = `${isBefore ? day : addDays(start_date, -1).slice(0, 10)} ${door_time}:00`;
  return isoWithOffset(localToUtc(local, timezone).utc, timezone);
}

const SCHEMA = 'https://schema.org/';
const SCHEMA_MODE: Readonly<Record<AttendanceMode, string>> = {
  on_site: `${SCHEMA}OfflineEventAttendanceMode`,
  online: `${SCHEMA}OnlineEventAttendanceMode`,
  mixed: `${SCHEMA}MixedEventAttendanceMode`,
};

interface JsonLdOptions {
  /** schema.org data of the venue. */
  place: object | undefined;
  /** Page of the event. */
  url: string;
}

/**
 * How to attend as schema.org members. An online address for holders stays secret: the page of the event says how to
 * attend.
 */
export function attendanceJsonLd(event: Event, { place, url }: JsonLdOptions): Record<string, unknown> {
  const mode = modeOf(event);
  const address = (event.online_access === 'everyone' && event.online_url) || url;
  const online = { '@type': 'VirtualLocation', url: address };
  const locations = [...(place && mode !== 'online' ? [place] : []), ...(mode === 'on_site' ? [] : [online])];
  return {
    eventAttendanceMode: SCHEMA_MODE[mode],
    ...(locations.length > 0 && { location: locations.length === 1 ? locations[0] : locations }),
    ...(event.door_time !== '' && { doorTime: doorTime(event) }),
  };
}
