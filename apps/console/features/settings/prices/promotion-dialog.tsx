import { useState } from 'react';
import type { Promotion } from '../../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../../client/call.ts';
import { localOf, utcOf } from '../../../../client/when.ts';
import { useSite } from '../../../data/account.ts';
import { amountField, rateField } from '../../../i18n/formats.ts';
import { EventPicker } from '../../../shared/pickers/record-picker.tsx';
import { MomentField, SelectField, TextField } from '../../../ui/fields.tsx';
import { t } from '../routes.ts';
import { PriceDialog, type PriceWrites } from './price-dialog.tsx';
import { promotionText } from './price-texts.ts';
import { TicketsBox } from './tickets-box.tsx';

const KINDS = ['percent', 'amount', 'price', 'access'] as const;

type Body = Omit<Promotion, 'id' | 'revision' | 'used'>;

const WRITES: PriceWrites<Promotion, Body> = {
  path: '/admin/v1/promotions',
  create: (body) => call('POST /admin/v1/promotions', body),
  change: (id, body, options) => call('PATCH /admin/v1/promotions/{id}', { id, ...body }, options),
};

interface PromotionDialogProps {
  /** Absent for a new one. */
  promotion: Promotion | undefined;
  onClose: () => void;
}

const valueText = ({ kind, value }: Promotion, currency: string): string =>
  kind === 'percent' ? rateField(value) : amountField(value, currency);

/** Creates or changes a promotion code. */
export function PromotionDialog({ promotion, onClose }: PromotionDialogProps) {
  const { currency } = useSite();
  const [kind, setKind] = useState<Promotion['kind']>(promotion?.kind ?? 'percent');
  const [event, setEvent] = useState<number | undefined>(promotion?.event_id ?? undefined);
  const [tickets, setTickets] = useState<readonly number[]>(promotion?.ticket_ids ?? []);
  const [from, setFrom] = useState(localOf(promotion?.from_utc ?? null));
  const [until, setUntil] = useState(localOf(promotion?.until_utc ?? null));
  return (
    <PriceDialog
      title={t('prices.promotions.new')}
      record={promotion}
      writes={WRITES}
      textOf={(current) => promotionText(current, currency)}
      fields={['code', 'value', 'minimum', 'max_uses', 'max_per_buyer', 'until_utc', 'ticket_ids']}
      read={(fields) => ({
        code: fields.text('code'),
        kind,
        value: kind === 'access' ? 0 : fields[kind === 'percent' ? 'rate' : 'amount']('value'),
        minimum: fields.amount('minimum'),
        max_uses: fields.count('max_uses'),
        max_per_buyer: fields.count('max_per_buyer'),
        event_id: event ?? null,
        ticket_ids: [...tickets],
        from_utc: utcOf(from),
        until_utc: utcOf(until),
      })}
      onClose={onClose}
    >
      {(problems) => (
        <>
          <TextField
            name="code"
            label={t('prices.code')}
            hint={t('prices.code.hint')}
            defaultValue={promotion?.code ?? ''}
            problem={problems.code}
            maxLength={60}
            isRequired
            autoFocus
          />
          <EffectFields promotion={promotion} kind={kind} onKind={setKind} problem={problems.value} />
          <UseFields promotion={promotion} problems={problems} />
          <TextField
            name="minimum"
            label={t('prices.minimum', { currency })}
            defaultValue={promotion?.minimum ? amountField(promotion.minimum, currency) : ''}
            problem={problems.minimum}
            inputMode="decimal"
          />
          <div className="form-row">
            <MomentField label={t('prices.from')} value={from} onChange={setFrom} isClearable />
            <MomentField
              label={t('prices.until_field')}
              value={until}
              onChange={setUntil}
              problem={problems.until_utc}
              isClearable
            />
          </div>
          <EventPicker label={t('prices.event')} value={event} onChange={setEvent} />
          <TicketsBox value={tickets} onChange={setTickets} event={event} problem={problems.ticket_ids} />
        </>
      )}
    </PriceDialog>
  );
}

interface EffectFieldsProps {
  promotion: Promotion | undefined;
  kind: Promotion['kind'];
  onKind: (kind: Promotion['kind']) => void;
  problem: string | undefined;
}

/** By how much the code changes prices. */
function EffectFields({ promotion, kind, onKind, problem }: EffectFieldsProps) {
  const { currency } = useSite();
  return (
    <div className="form-row">
      <SelectField
        label={t('prices.effect')}
        value={kind}
        onChange={onKind}
        choices={KINDS.map((one) => ({ value: one, label: t(`prices.effect.${one}`) }))}
      />
      {kind !== 'access' && (
        <TextField
          name="value"
          label={kind === 'percent' ? t('prices.percent') : t('prices.amount', { currency })}
          defaultValue={promotion ? valueText(promotion, currency) : ''}
          problem={problem}
          inputMode="decimal"
          isRequired
        />
      )}
    </div>
  );
}

interface UseFieldsProps {
  promotion: Promotion | undefined;
  problems: Readonly<Record<string, string>>;
}

/** How often the code may be used. */
function UseFields({ promotion, problems }: UseFieldsProps) {
  return (
    <div className="form-row">
      <TextField
        name="max_uses"
        type="number"
        label={t('prices.max_uses')}
        defaultValue={promotion?.max_uses ? String(promotion.max_uses) : ''}
        problem={problems.max_uses}
      />
      <TextField
        name="max_per_buyer"
        type="number"
        label={t('prices.max_per_buyer')}
        defaultValue={promotion?.max_per_buyer ? String(promotion.max_per_buyer) : ''}
        problem={problems.max_per_buyer}
      />
    </div>
  );
}
