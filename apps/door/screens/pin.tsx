import { useState } from 'preact/hooks';
import { Button, Field, Languages, Page, Problem } from './parts.tsx';
import { device, syncing, waiting } from './state.ts';
import { t } from './texts.ts';

const DIGITS = { type: 'password', inputMode: 'numeric', pattern: '[0-9]*', minLength: 4, maxLength: 12 } as const;

/** Chooses the PIN that locks the list. */
export function ChoosePin() {
  const [pin, setPin] = useState('');
  const [again, setAgain] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isPending, setPending] = useState(false);
  const choose = async () => {
    if (!/^\d{4,12}$/.test(pin)) return setProblem(t('pin.short'));
    if (pin !== again) return setProblem(t('pin.differs'));
    setPending(true);
    await device.choosePin(pin);
    syncing.now();
  };
  return (
    <Page title={t('pin.new')}>
      <p>{t('pin.new_text')}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending) void choose();
        }}
      >
        <Field
          label={t('pin')}
          hint={t('pin.hint')}
          name="pin"
          field={{
            ...DIGITS,
            required: true,
            autoComplete: 'new-password',
            value: pin,
            onInput: ({ currentTarget }) => setPin(currentTarget.value),
          }}
        />
        <Field
          label={t('pin.again')}
          name="again"
          field={{
            ...DIGITS,
            required: true,
            autoComplete: 'new-password',
            value: again,
            onInput: ({ currentTarget }) => setAgain(currentTarget.value),
          }}
        />
        <Problem text={problem} />
        <Button look="primary" type="submit">
          {t('pin.choose')}
        </Button>
      </form>
    </Page>
  );
}

/** Asks for the PIN. */
export function EnterPin() {
  const [pin, setPin] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isPending, setPending] = useState(false);
  const unlock = async () => {
    setPending(true);
    setProblem(undefined);
    if (await device.unlock(pin)) return syncing.now();
    setPin('');
    setProblem(t('pin.wrong', { count: device.triesLeft.value }));
    setPending(false);
  };
  return (
    <Page title={t('pin.enter')}>
      {waiting.value > 0 && <p>{t('waiting', { count: waiting.value })}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending) void unlock();
        }}
      >
        <Field
          label={t('pin')}
          hint={t('pin.tries', { count: device.triesLeft.value })}
          name="pin"
          field={{
            ...DIGITS,
            required: true,
            autoComplete: 'current-password',
            value: pin,
            onInput: ({ currentTarget }) => setPin(currentTarget.value),
          }}
        />
        <Problem text={problem} />
        <Button look="primary" type="submit">
          {t('pin.unlock')}
        </Button>
      </form>
      <Languages />
    </Page>
  );
}
