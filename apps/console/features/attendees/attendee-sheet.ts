import type { ListedAttendee } from '../../../../packages/client/src/marquee-client.ts';
import type { SheetColumn } from '../../shared/export/export-menu.tsx';
import { t } from './routes.ts';
import { stateOf } from './views.ts';

/** What a spreadsheet says of attendees. */
export const attendeeSheet = (): SheetColumn<ListedAttendee>[] => [
  { label: 'ID', value: ({ id }) => id },
  { label: t('name'), value: ({ full_name }) => full_name },
  { label: t('field.email'), value: ({ email }) => email },
  { label: t('event'), value: ({ event }) => event?.title ?? '' },
  { label: t('ticket'), value: ({ ticket }) => ticket },
  { label: t('order'), value: ({ order_id }) => order_id ?? '' },
  { label: t('paid'), value: ({ paid }) => paid.formatted },
  { label: t('state'), value: (attendee) => t(`state.${stateOf(attendee)}`) },
  { label: t('door.in_utc'), value: ({ checkin_utc }) => checkin_utc ?? '' },
  { label: t('registered'), value: ({ date }) => date },
];
