import { useState } from 'react';
import { call } from '../../../client/call.ts';
import { contentLanguage } from '../../data/content-language.ts';
import { refresh } from '../../data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { Views } from '../../ui/table/filter-bar.tsx';
import { toast } from '../../ui/toast.tsx';
import { hasTwo, PRESETS, type Preset, type PresetValues, ticketsOf } from './presets.ts';
import { t } from './routes.ts';

const startOf = (preset: Preset): PresetValues => ({
  first: { name: t(`first.${preset}`), price: '' },
  second: { name: hasTwo(preset) ? t(`second.${preset}`) : '', price: '' },
  ...{ places: '', front: '' },
});

/** Makes the tickets of a usual way to sell. */
export function PresetDialog({ event, onClose }: { event: number; onClose: () => void }) {
  const [preset, setPreset] = useState<Preset>('one');
  const [values, setValues] = useState(() => startOf('one'));
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const choose = (next: Preset) => {
    const start = startOf(next);
    setPreset(next);
    // Prices and places that were typed stay.
    setValues(({ first, second, places, front }) => ({
      first: { ...first, name: start.first.name },
      second: { ...second, name: start.second.name },
      ...{ places, front },
    }));
  };
  const make = async () => {
    const tickets = ticketsOf(preset, values);
    const options = { language: contentLanguage() };
    setSending(true);
    try {
      for (const [index, ticket] of tickets.entries())
        await call('POST /tickets/v1/tickets', { ...ticket, post_id: event, menu_order: index }, options);
      toast(t('made', { count: tickets.length }));
      onClose();
    } catch (problem) {
      setError(problem);
    } finally {
      setSending(false);
      await refresh('/tickets/v1/tickets');
    }
  };
  const nameOf = (which: 'first' | 'second') => ({
    value: values[which].name,
    onChange: (name: string) => setValues({ ...values, [which]: { ...values[which], name } }),
  });
  const priceOf = (which: 'first' | 'second') => ({
    value: values[which].price,
    onChange: (price: string) => setValues({ ...values, [which]: { ...values[which], price } }),
  });
  const placesOf = (which: 'places' | 'front') => ({
    value: values[which],
    onChange: (places: string) => setValues({ ...values, [which]: places.replace(/\D/g, '') }),
    inputMode: 'numeric' as const,
  });
  return (
    <DialogBox
      title={t('new')}
      onClose={onClose}
      isPanel
      actions={
        <Button look="primary" isPending={isSending} onPress={() => void make()}>
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
      <TextField label={t('name')} {...nameOf('first')} isRequired />
      {preset !== 'free' && <TextField label={t('price')} {...priceOf('first')} inputMode="decimal" />}
      {hasTwo(preset) && (
        <>
          <TextField label={t('name.second')} {...nameOf('second')} isRequired />
          <TextField label={t('price.second')} {...priceOf('second')} inputMode="decimal" />
        </>
      )}
      <TextField label={t('places.all')} {...placesOf('places')} hint={t('places.hint')} />
      {preset === 'front' && <TextField label={t('places.front')} {...placesOf('front')} />}
      {error !== undefined && <FormProblem error={error} />}
    </DialogBox>
  );
}
