import { useSite } from '../../data/account.ts';
import { t as frameText } from '../../i18n/common.ts';
import { paymentName } from '../../shared/orders/order-status.tsx';
import { EventPicker } from '../../shared/pickers/event-picker.tsx';
import { DayField } from '../../ui/day-field.tsx';
import { SelectField } from '../../ui/native-field.tsx';
import type { OrderFilters } from './asked.ts';
import { t } from './routes.ts';

const PAYMENTS = ['cash', 'card', 'transfer', 'manual', 'free'] as const;

interface MoreFiltersProps {
  shown: OrderFilters;
  onChange: (next: Partial<OrderFilters>) => void;
}

/** The filters that are used now and then. */
export function MoreFilters({ shown, onChange }: MoreFiltersProps) {
  const { event, gateway = '', after = '', before = '' } = shown;
  const { payment_ways: ways } = useSite();
  const ids = [...new Set([...PAYMENTS, ...ways.map(({ id }) => id)])];
  const choices = [
    { value: '', label: t('gateway.any') },
    ...ids.map((value) => ({ value, label: paymentName(value, ways) })),
  ];
  return (
    <details className="more-filters" open={Boolean(event || gateway || after || before)}>
      <summary>{frameText('filters.more')}</summary>
      <div className="form-row">
        <EventPicker label={t('event')} value={event} onChange={(next) => onChange({ event: next })} />
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
