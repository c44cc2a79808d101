import { useState } from 'react';
import type { TaxRate } from '../../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../../client/call.ts';
import { rateField } from '../../../i18n/formats.ts';
import { SelectField, TextField } from '../../../ui/fields.tsx';
import { t } from '../routes.ts';
import { PriceDialog, type PriceWrites } from './price-dialog.tsx';
import { taxRateText } from './price-texts.ts';

type Body = Pick<TaxRate, 'name' | 'rate' | 'included'>;

const WRITES: PriceWrites<TaxRate, Body> = {
  path: '/admin/v1/tax-rates',
  create: (body) => call('POST /admin/v1/tax-rates', body),
  change: (id, body, options) => call('PATCH /admin/v1/tax-rates/{id}', { id, ...body }, options),
};

interface TaxRateDialogProps {
  /** Absent for a new one. */
  rate: TaxRate | undefined;
  onClose: () => void;
}

/** Creates or changes a tax rate. */
export function TaxRateDialog({ rate, onClose }: TaxRateDialogProps) {
  const [mode, setMode] = useState<'included' | 'added'>(rate?.included === false ? 'added' : 'included');
  return (
    <PriceDialog
      title={t('prices.tax_rates.new')}
      record={rate}
      writes={WRITES}
      textOf={taxRateText}
      fields={['name', 'rate']}
      read={(fields) => ({ name: fields.text('name'), rate: fields.rate('rate'), included: mode === 'included' })}
      onClose={onClose}
    >
      {(problems) => (
        <>
          <TextField
            name="name"
            label={t('prices.name')}
            defaultValue={rate?.name ?? ''}
            problem={problems.name}
            maxLength={100}
            isRequired
            autoFocus
          />
          <TextField
            name="rate"
            label={t('prices.rate')}
            hint={t('prices.rate.hint')}
            defaultValue={rate ? rateField(rate.rate) : ''}
            problem={problems.rate}
            inputMode="decimal"
            isRequired
          />
          <SelectField
            label={t('prices.mode')}
            value={mode}
            onChange={setMode}
            choices={[
              { value: 'included', label: t('prices.included') },
              { value: 'added', label: t('prices.added') },
            ]}
          />
        </>
      )}
    </PriceDialog>
  );
}
