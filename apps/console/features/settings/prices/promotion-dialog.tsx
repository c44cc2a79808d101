import type { Promotion } from '../../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../../client/call.ts';
import { localOf, utcOf } from '../../../../client/when.ts';
import { useSite } from '../../../data/account.ts';
import { amountField, rateField } from '../../../i18n/formats.ts';
import { EventPicker } from '../../../shared/pickers/record-picker.tsx';
import { MomentField, SelectField, TextField } from '../../../ui/fields.tsx';
import { useValues } from '../../../ui/use-values.ts';
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

/** Choices of the form; its texts are read when it is sent. */
interface Chosen {
  kind: Promotion['kind'];
  event: number | undefined;
  tickets: readonly number[];
  from: string;
  until: string;
}

const chosenIn = (promotion: Promotion | undefined): Chosen => ({
  kind: promotion?.kind ?? 'percent',
  event: promotion?.event_id ?? undefined,
  tickets: promotion?.ticket_ids ?? [],
  from: localOf(promotion?.from_utc ?? null),
  until: localOf(promotion?.until_utc ?? null),
});

/** Creates or changes a promotion code. */
export function PromotionDialog({ promotion, onClose }: PromotionDialogProps) {
  const { currency } = useSite();
  const [chosen, change] = useValues(() => chosenIn(promotion));
  const { kind, event, tickets, from, until } = chosen;
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
      {(problems) => <Fields promotion={promotion} chosen={chosen} onChange={change} problems={problems} />}
    </PriceDialog>
  );
}

interface FieldsProps {
  promotion: Promotion | undefined;
  chosen: Chosen;
  onChange: (changed: Partial<Chosen>) => void;
  problems: Readonly<Record<string, string>>;
}

function Fields({ promotion, chosen: { kind, event, tickets, from, until }, onChange, problems }: FieldsProps) {
  const { currency } = useSite();
  return (
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
      <EffectFields
        promotion={promotion}
        kind={kind}
        onKind={(next) => onChange({ kind: next })}
        problem={problems.value}
      />
      <UseFields promotion={promotion} problems={problems} />
      <TextField
        name="minimum"
        label={t('prices.minimum', { currency })}
        defaultValue={promotion?.minimum ? amountField(promotion.minimum, currency) : ''}
        problem={problems.minimum}
        inputMode="decimal"
      />
      <div className="form-row">
        <MomentField label={t('prices.from')} value={from} onChange={(next) => onChange({ from: next })} isClearable />
        <MomentField
          label={t('prices.until_field')}
          value={until}
          onChange={(next) => onChange({ until: next })}
          problem={problems.until_utc}
          isClearable
        />
      </div>
      <EventPicker label={t('prices.event')} value={event} onChange={(next) => onChange({ event: next })} />
      <TicketsBox
        value={tickets}
        onChange={(next) => onChange({ tickets: next })}
        event={event}
        problem={problems.ticket_ids}
      />
    </>
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
