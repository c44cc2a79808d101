import type { Fee, TaxRate } from '../../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../../client/call.ts';
import { useSite } from '../../../data/account.ts';
import { amountField, rateField } from '../../../i18n/formats.ts';
import { EventPicker } from '../../../shared/pickers/record-picker.tsx';
import { SelectField, TextField } from '../../../ui/fields.tsx';
import { useValues } from '../../../ui/use-values.ts';
import { t } from '../routes.ts';
import { PriceDialog, type PriceWrites } from './price-dialog.tsx';
import { feeText, taxRateText } from './price-texts.ts';

type Body = Omit<Fee, 'id' | 'revision'>;

const WRITES: PriceWrites<Fee, Body> = {
  path: '/admin/v1/fees',
  create: (body) => call('POST /admin/v1/fees', body),
  change: (id, body, options) => call('PATCH /admin/v1/fees/{id}', { id, ...body }, options),
};

interface FeeDialogProps {
  /** Absent for a new one. */
  fee: Fee | undefined;
  rates: readonly TaxRate[];
  onClose: () => void;
}

/** Choices of the form; its texts are read when it is sent. */
interface Chosen {
  per: Fee['per'];
  event: number | undefined;
  /** Id of a tax rate; empty for none. */
  tax: string;
}

/** Creates or changes a fee. */
export function FeeDialog({ fee, rates, onClose }: FeeDialogProps) {
  const { currency } = useSite();
  const [chosen, change] = useValues<Chosen>({
    per: fee?.per ?? 'order',
    event: fee?.event_id ?? undefined,
    tax: fee?.tax_rate_id ? String(fee.tax_rate_id) : '',
  });
  return (
    <PriceDialog
      title={t('prices.fees.new')}
      record={fee}
      writes={WRITES}
      textOf={(current) => feeText(current, currency)}
      fields={['name', 'fixed', 'rate']}
      read={(fields) => ({
        name: fields.text('name'),
        fixed: fields.amount('fixed'),
        rate: fields.rate('rate'),
        per: chosen.per,
        event_id: chosen.event ?? null,
        tax_rate_id: chosen.tax === '' ? null : Number(chosen.tax),
      })}
      onClose={onClose}
    >
      {(problems) => <Fields fee={fee} rates={rates} chosen={chosen} onChange={change} problems={problems} />}
    </PriceDialog>
  );
}

interface FieldsProps {
  fee: Fee | undefined;
  rates: readonly TaxRate[];
  chosen: Chosen;
  onChange: (changed: Partial<Chosen>) => void;
  problems: Readonly<Record<string, string>>;
}

function Fields({ fee, rates, chosen, onChange, problems }: FieldsProps) {
  return (
    <>
      <TextField
        name="name"
        label={t('prices.name')}
        defaultValue={fee?.name ?? ''}
        problem={problems.name}
        maxLength={100}
        isRequired
        autoFocus
      />
      <AmountFields fee={fee} problems={problems} />
      <SelectField
        label={t('prices.per')}
        value={chosen.per}
        onChange={(per) => onChange({ per })}
        choices={[
          { value: 'order', label: t('prices.per.order') },
          { value: 'ticket', label: t('prices.per.ticket') },
        ]}
      />
      <SelectField
        label={t('prices.tax')}
        value={chosen.tax}
        onChange={(tax) => onChange({ tax })}
        choices={[
          { value: '', label: t('prices.no_tax') },
          ...rates.map((rate) => ({ value: String(rate.id), label: taxRateText(rate).name })),
        ]}
      />
      <EventPicker label={t('prices.event')} value={chosen.event} onChange={(event) => onChange({ event })} />
    </>
  );
}

interface AmountFieldsProps {
  fee: Fee | undefined;
  problems: Readonly<Record<string, string>>;
}

/** A fixed amount, and a share of the price. */
function AmountFields({ fee, problems }: AmountFieldsProps) {
  const { currency } = useSite();
  return (
    <div className="form-row">
      <TextField
        name="fixed"
        label={t('prices.fixed', { currency })}
        defaultValue={fee?.fixed ? amountField(fee.fixed, currency) : ''}
        problem={problems.fixed}
        inputMode="decimal"
      />
      <TextField
        name="rate"
        label={t('prices.share')}
        defaultValue={fee?.rate ? rateField(fee.rate) : ''}
        problem={problems.rate}
        inputMode="decimal"
      />
    </div>
  );
}
