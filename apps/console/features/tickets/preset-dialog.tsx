import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../client/call.ts';
import { useSite } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { contentLanguage, useContentLanguage } from '../../data/content-language.ts';
import { refresh } from '../../data/queries.ts';
import { amountField, minorUnits, sentPrice } from '../../i18n/formats.ts';
import { textsIn } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { Views } from '../../ui/table/filter-bar.tsx';
import { toast } from '../../ui/toast.tsx';
import type en from './locales/en.json';
import { hasTwo, PRESETS, type Preset, type PresetValues, ticketsOf } from './presets.ts';
import { t } from './routes.ts';

type Names = typeof t;

const startOf = (preset: Preset, name: Names): Omit<PresetValues, 'scope' | 'hasShared'> => ({
  first: { name: name(`first.${preset}`), price: '' },
  second: { name: hasTwo(preset) ? name(`second.${preset}`) : '', price: '' },
  places: '',
  front: '',
});

async function createTickets(event: number, tickets: ReturnType<typeof ticketsOf>): Promise<void> {
  const options = { language: contentLanguage() };
  for (const [index, ticket] of tickets.entries())
    await call('POST /tickets/v1/tickets', { ...ticket, post_id: event, menu_order: index }, options);
}

interface PresetProps {
  event: number;
  /** Whether its tickets can be valid for all dates of a series. */
  isInSeries: boolean;
  /** Whether it has places that its tickets share. */
  hasShared: boolean;
  onClose: () => void;
}

const SCOPES = ['event', 'series'] as const;

/** Creates the tickets of a common price scheme, with names in the language of the content. */
export function PresetDialog(props: PresetProps) {
  const language = useContentLanguage();
  const { data, isError } = useQuery({
    queryKey: ['names of tickets', language],
    queryFn: () => textsIn<typeof en>('tickets', language),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const names = isError ? t : data;
  return names && <Presets {...props} names={names} />;
}

function Presets({ event, isInSeries, hasShared, onClose, names }: PresetProps & { names: Names }) {
  const { currency } = useSite();
  const { preset, values, choose, setValues } = usePreset(names);
  const [scope, setScope] = useState<PresetValues['scope']>('event');
  const isPass = preset === 'one' && scope === 'series';
  const priced = <T extends { price: string }>(named: T): T => ({ ...named, price: sentPrice(named.price, currency) });
  const sent = { ...values, first: priced(values.first), second: priced(values.second) };
  const tickets = ticketsOf(preset, { ...sent, scope, hasShared });
  const isWrong = (which: 'first' | 'second') => isWrongPrice(values[which].price, currency);
  const create = useAction(() => createTickets(event, tickets), {
    onSuccess: () => {
      toast(t('made', { count: tickets.length }));
      onClose();
    },
    onSettled: () => refresh('/tickets/v1/tickets'),
  });
  const hasWrongPrice = preset !== 'free' && (isWrong('first') || (hasTwo(preset) && isWrong('second')));
  return (
    <DialogBox
      title={t('new')}
      onClose={onClose}
      isPanel
      actions={
        <Button look="primary" isPending={create.isPending} isDisabled={hasWrongPrice} onPress={() => create.run()}>
          {t('make')}
        </Button>
      }
    >
      <Views
        label={t('presets')}
        choices={PRESETS.map((value) => ({ value, label: t(`preset.${value}`) }))}
        value={preset}
        onChange={choose}
      />
      <p className="soft">{t(`means.${preset}`)}</p>
      {isInSeries && preset === 'one' && (
        <SelectField
          label={t('scope')}
          hint={t(isPass ? 'scope.series.hint' : 'scope.hint')}
          value={scope}
          onChange={setScope}
          choices={SCOPES.map((value) => ({ value, label: t(`scope.${value}`) }))}
        />
      )}
      <PresetFields preset={preset} values={values} onChange={setValues} isPass={isPass} hasShared={hasShared} />
      <FormProblem error={create.error} />
    </DialogBox>
  );
}

/** The chosen scheme, and its names, prices and places. */
function usePreset(names: Names) {
  const [preset, setPreset] = useState<Preset>('one');
  const [values, setValues] = useState(() => startOf('one', names));
  const choose = (next: Preset) => {
    const start = startOf(next, names);
    setPreset(next);
    // Keep prices and numbers that were entered.
    setValues(({ first, second, places, front }) => ({
      first: { ...first, name: start.first.name },
      second: { ...second, name: start.second.name },
      places,
      front,
    }));
  };
  return { preset, values, choose, setValues };
}

interface PresetFieldsProps {
  preset: Preset;
  values: Values;
  onChange: (values: Values) => void;
  isPass: boolean;
  hasShared: boolean;
}

function PresetFields({ preset, values, onChange, isPass, hasShared }: PresetFieldsProps) {
  const { currency } = useSite();
  const { nameOf, priceOf, placesOf } = fieldsOf(values, onChange, currency);
  return (
    <>
      <TextField label={t('name')} {...nameOf('first')} isRequired />
      {preset !== 'free' && <TextField label={t('price')} {...priceOf('first')} inputMode="decimal" />}
      {hasTwo(preset) && (
        <>
          <TextField label={t('name.second')} {...nameOf('second')} isRequired />
          <TextField label={t('price.second')} {...priceOf('second')} inputMode="decimal" />
        </>
      )}
      {isPass && hasShared ? (
        <p className="soft">{t('scope.shared')}</p>
      ) : (
        <TextField label={t(isPass ? 'places.passes' : 'places.all')} {...placesOf('places')} hint={t('places.hint')} />
      )}
      {preset === 'front' && <TextField label={t('places.front')} {...placesOf('front')} />}
    </>
  );
}

const isWrongPrice = (price: string, currency: string): boolean => minorUnits(price, currency) === null;

type Values = ReturnType<typeof startOf>;

/** Properties of the fields for names, prices and places. */
function fieldsOf(values: Values, setValues: (next: Values) => void, currency: string) {
  const nameOf = (which: 'first' | 'second') => ({
    value: values[which].name,
    onChange: (name: string) => setValues({ ...values, [which]: { ...values[which], name } }),
  });
  const priceOf = (which: 'first' | 'second') => ({
    value: values[which].price,
    onChange: (price: string) => setValues({ ...values, [which]: { ...values[which], price } }),
    problem: isWrongPrice(values[which].price, currency)
      ? t('price.wrong', { example: amountField(1250, currency) })
      : undefined,
  });
  const placesOf = (which: 'places' | 'front') => ({
    value: values[which],
    onChange: (places: string) => setValues({ ...values, [which]: places.replace(/\D/g, '') }),
    inputMode: 'numeric' as const,
  });
  return { nameOf, priceOf, placesOf };
}
