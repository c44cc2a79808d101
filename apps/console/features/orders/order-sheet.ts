import type { ListedOrder } from '../../../../packages/client/src/marquee-client.ts';
import { inUnits } from '../../../client/money.ts';
import type { SheetColumn } from '../../shared/export/export-menu.tsx';
import { orderStatus } from '../../shared/orders/order-status.tsx';
import { t } from './routes.ts';

/** What a spreadsheet says of orders. */
export const orderSheet = (): SheetColumn<ListedOrder>[] => [
  { label: t('number'), value: ({ id }) => id },
  { label: t('buyer'), value: ({ purchaser }) => purchaser.name },
  { label: t('email'), value: ({ purchaser }) => purchaser.email },
  { label: t('event'), value: ({ events }) => titlesOf(events) },
  { label: t('places'), value: ({ places }) => places },
  { label: t('sum'), value: ({ total, currency }) => inUnits(total.minor, currency) },
  { label: t('currency'), value: ({ currency }) => currency },
  { label: t('gateway'), value: ({ gateway }) => gateway },
  { label: t('state'), value: ({ status }) => orderStatus(status) },
  { label: t('date'), value: ({ date }) => date },
];

/** The titles of the events that an order is for. */
export const titlesOf = (events: ListedOrder['events']): string =>
  events.map(({ title }) => title || t('event.deleted')).join(', ');
