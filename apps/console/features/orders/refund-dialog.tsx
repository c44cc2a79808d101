import { useEffect, useState } from 'react';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import type { FullOrder } from '../../../../packages/client/src/marquee-client.ts';
import { orderNumber } from '../../../../src/lib/order-number.ts';
import { call } from '../../../client/call.ts';
import { minorUnits, money } from '../../i18n/formats.ts';
import { TextField } from '../../ui/fields.tsx';
import { toast } from '../../ui/toast.tsx';
import { Preview } from './preview.tsx';
import { t } from './routes.ts';

const EXTENTS = ['all', 'places', 'some'] as const;
/** Extent of a refund: the whole order, chosen places, or an amount without a place. */
type Extent = (typeof EXTENTS)[number];

/** Milliseconds after the last change of a field until the preview follows it. */
const PAUSE = 400;

/** A typed value once it has not changed for a moment. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

interface RefundDialogProps {
  order: FullOrder;
  /** Ids of attendees that are chosen at first; by default the whole order is. */
  places?: readonly number[];
  onClose: () => void;
  onDone?: () => void;
}

/** Refunds money of an order, after the server's preview of the sum, the places and its destination. */
export function RefundDialog({ order, places = [], onClose, onDone }: RefundDialogProps) {
  const { id, attendees, paid, currency } = order;
  const open = attendees.filter(({ status }) => status === 'publish');
  const [extent, setExtent] = useState<Extent>(places.length > 0 ? 'places' : 'all');
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(places));
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const minor = minorUnits(typed, currency);
  const now = JSON.stringify(wishOf(extent, { chosen, minor }));
  const settled = useSettled(now);
  const isIncomplete = minor === null || (extent === 'some' && !minor) || (extent === 'places' && chosen.size === 0);
  const done = () => {
    onClose();
    onDone?.();
    toast(t('refund.booked'));
  };
  return (
    <Preview
      order={order}
      title={t('refund.title', { number: orderNumber(id) })}
      verb={t('refund')}
      name={`refund ${settled}`}
      isFinal
      isReady={!isIncomplete && now === settled}
      act={({ dry_run, revision }) =>
        call(
          'POST /admin/v1/orders/{id}/refunds',
          { id, ...(JSON.parse(settled) as Wish), dry_run, ...(reason && !dry_run && { reason }) },
          { revision },
        )
      }
      onDone={done}
      onClose={onClose}
    >
      <ExtentChoice value={extent} hasPlaces={open.length > 0} onChange={setExtent} />
      {extent === 'places' && <PlaceChoice order={order} chosen={chosen} onChange={setChosen} />}
      <TextField
        label={t('refund.amount', { currency })}
        value={typed}
        onChange={setTyped}
        inputMode="decimal"
        maxLength={15}
        hint={extent === 'some' ? t('refund.amount.most', { sum: money(paid.minor, currency) }) : t('refund.part')}
        problem={minor === null ? t('amount.wrong') : undefined}
      />
      <TextField label={t('reason')} value={reason} onChange={setReason} hint={t('reason.hint')} maxLength={500} />
    </Preview>
  );
}

interface Wish {
  all?: boolean;
  attendees?: number[];
  amount?: number;
}

function wishOf(
  extent: Extent,
  { chosen, minor }: { chosen: ReadonlySet<number>; minor: number | null | undefined },
): Wish {
  const amount = typeof minor === 'number' ? { amount: minor } : {};
  if (extent === 'all') return { all: true, ...amount };
  return extent === 'places' ? { attendees: [...chosen].sort((a, b) => a - b), ...amount } : amount;
}

interface ExtentChoiceProps {
  value: Extent;
  hasPlaces: boolean;
  onChange: (extent: Extent) => void;
}

function ExtentChoice({ value, hasPlaces, onChange }: ExtentChoiceProps) {
  return (
    <RadioGroup
      className="choices"
      aria-label={t('refund.extent')}
      value={value}
      onChange={(next) => onChange(EXTENTS.find((one) => one === next) ?? 'all')}
    >
      {EXTENTS.filter((one) => one !== 'places' || hasPlaces).map((one) => (
        <Radio key={one} value={one} className="choice">
          <span>{t(`refund.${one}`)}</span>
        </Radio>
      ))}
    </RadioGroup>
  );
}

interface PlaceChoiceProps {
  order: FullOrder;
  chosen: ReadonlySet<number>;
  onChange: (chosen: ReadonlySet<number>) => void;
}

function PlaceChoice({ order: { attendees, items }, chosen, onChange }: PlaceChoiceProps) {
  const toggle = (id: number) => onChange(new Set([...chosen].includes(id) ? without(chosen, id) : [...chosen, id]));
  return (
    <fieldset className="refund-places">
      <legend>{t('refund.places')}</legend>
      {attendees
        .filter(({ status }) => status === 'publish')
        .map(({ id, name, ticket_id }) => (
          <label key={id}>
            <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
            <span>
              {name} <span className="soft">{items.find((item) => item.ticket_id === ticket_id)?.title}</span>
            </span>
          </label>
        ))}
    </fieldset>
  );
}

const without = (ids: ReadonlySet<number>, gone: number): number[] => [...ids].filter((id) => id !== gone);
