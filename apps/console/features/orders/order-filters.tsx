import type { Input } from '../../../../packages/client/src/marquee-client.ts';
import { useSite } from '../../data/account.ts';
import { t as commonText } from '../../i18n/texts.ts';
import { paymentName } from '../../shared/orders/order-status.tsx';
import { UNPAID } from '../../shared/orders/unpaid.ts';
import { EventPicker } from '../../shared/pickers/record-picker.tsx';
import { DayField, SelectField } from '../../ui/fields.tsx';
import { type OrderView, t } from './routes.ts';

const PAYMENTS = ['cash', 'card', 'transfer', 'manual', 'free'] as const;

interface MoreFiltersProps {
  shown: OrderFilters;
  /** Whether the list is of one event. */
  isOfOne: boolean;
  onChange: (next: Partial<OrderFilters>) => void;
}

/** Filters that are rarely used. */
export function MoreFilters({ shown, isOfOne, onChange }: MoreFiltersProps) {
  const { event, gateway = '', after = '', before = '' } = shown;
  const { payment_ways: ways } = useSite();
  const ids = [...new Set([...PAYMENTS, ...ways.map(({ id }) => id)])];
  const choices = [
    { value: '', label: t('gateway.any') },
    ...ids.map((value) => ({ value, label: paymentName(value, ways) })),
  ];
  return (
    <details className="more-filters" open={Boolean((event && !isOfOne) || gateway || after || before)}>
      <summary>{commonText('filters.more')}</summary>
      <div className="form-row">
        {!isOfOne && <EventPicker label={t('event')} value={event} onChange={(next) => onChange({ event: next })} />}
        <SelectField
          label={t('gateway')}
          value={gateway}
          choices={choices}
          onChange={(next) => onChange({ gateway: next || undefined })}
        />
        <DayField label={t('after')} value={after} onChange={(next) => onChange({ after: next || undefined })} />
        <DayField label={t('before')} value={before} onChange={(next) => onChange({ before: next || undefined })} />
      </div>
    </details>
  );
}

/** Statuses of each view; none means all. `owed` is a filter of its own. */
export const STATUSES: Readonly<Record<OrderView, readonly string[]>> = {
  all: [],
  open: UNPAID,
  paid: ['completed'],
  returned: ['refunded', 'reversed'],
  lapsed: ['not-completed', 'denied', 'voided'],
  owed: [],
};

/** Filters in the address of the list. */
export interface OrderFilters {
  view?: OrderView | undefined;
  search?: string | undefined;
  event?: number | undefined;
  gateway?: string | undefined;
  after?: string | undefined;
  before?: string | undefined;
  page?: number;
}

/** Clears all filters. */
export const NO_FILTERS: Partial<OrderFilters> = {
  view: undefined,
  search: undefined,
  event: undefined,
  gateway: undefined,
  after: undefined,
  before: undefined,
};

/** Whether the list, or that of one event, has filters. */
export function isNarrowed({ view = 'all', event, page: _page, ...others }: OrderFilters, isOfOne: boolean): boolean {
  return view !== 'all' || (event !== undefined && !isOfOne) || Object.values(others).some(Boolean);
}

/** Query of the list and its export. */
export function listQuery(filters: OrderFilters): Input<'GET /admin/v1/orders'> {
  const { view = 'all', search, event, gateway, after, before } = filters;
  // Statuses of `STATUSES`.
  const status = STATUSES[view] as string[];
  return {
    ...(status.length > 0 && { status }),
    ...(view === 'owed' && { money_owed: true }),
    ...(search && { search }),
    ...(event && { event }),
    ...(gateway && { gateway: [gateway] }),
    ...(after && { after }),
    ...(before && { before }),
  };
}
