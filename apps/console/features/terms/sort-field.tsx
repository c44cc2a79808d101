import { SelectField } from '../../ui/native-field.tsx';
import { t } from './routes.ts';
import { TERM_ORDERS, type TermOrder } from './terms.ts';

interface SortFieldProps {
  value: TermOrder;
  onChange: (order: TermOrder) => void;
}

/** By what a tree, which has no headings, is sorted. */
export function SortField(props: SortFieldProps) {
  return (
    <div className="inline-field">
      <SelectField
        label={t('sort')}
        choices={TERM_ORDERS.map((value) => ({ value, label: t(`sort.${value}`) }))}
        {...props}
      />
    </div>
  );
}
