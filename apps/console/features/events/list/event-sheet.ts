import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import type { SheetColumn } from '../../../shared/export/export-menu.tsx';
import { t } from '../routes.ts';

/** What a spreadsheet says of events. */
export const eventSheet = (): SheetColumn<Event>[] => [
  { label: 'ID', value: ({ id }) => id },
  { label: t('title'), value: ({ title }) => title },
  { label: t('field.start_date'), value: ({ start_date }) => start_date },
  { label: t('field.end_date'), value: ({ end_date }) => end_date },
  { label: t('zone'), value: ({ timezone }) => timezone },
  { label: t('place'), value: ({ venue }) => [venue].flat()[0]?.venue ?? '' },
  { label: t('category'), value: ({ categories }) => categories.map(({ name }) => name).join(', ') },
  { label: t('people'), value: ({ attendance }) => attendance?.total_attendees ?? '' },
  { label: t('status'), value: ({ status }) => t(`status.${status as 'publish'}`) },
  { label: t('page'), value: ({ url }) => url },
];
