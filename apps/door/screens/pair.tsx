import { useState } from 'preact/hooks';
import { ApiError } from '../../../packages/client/src/marquee-client.ts';
import { failureOf } from '../sync/server.ts';
import { Button, Field, Languages, Page, Problem } from './parts.tsx';
import { rehearsal } from './rehearsal.ts';
import { device, offeredCode, pairingCodeOf, syncing } from './state.ts';
import { t } from './texts.ts';
import { installOffer } from './updates.ts';
import { Viewer } from './viewer.tsx';

const wordsOf = (error: unknown): string => {
  if (error instanceof ApiError && failureOf(error) === 'refused') return t('pair.refused');
  if (error instanceof ApiError && error.status === 429) return t('pair.too_many');
  return t('pair.failed');
};

/** Pairs the device with a gate by a code; reports why it failed. */
function usePairing() {
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const pair = async (code: string, name: string) => {
    if (isPending || code === '') return;
    setPending(true);
    setProblem(undefined);
    try {
      await device.pair(code, name.trim());
      offeredCode.value = '';
      syncing.now();
    } catch (error) {
      setProblem(wordsOf(error));
    }
    setPending(false);
  };
  return { pair, isPending, problem };
}

/** Pairs the device with a gate. */
export function Pair() {
  const [isLooking, setLooking] = useState(false);
  const see = (text: string) => {
    setLooking(false);
    offeredCode.value = pairingCodeOf(text);
  };
  const { pair, isPending, problem } = usePairing();
  const [name, setName] = useState('');
  if (isLooking)
    return (
      <Page title={t('pair.title')} onBack={() => setLooking(false)}>
        <p>{t('pair.look')}</p>
        <Viewer onText={see} />
      </Page>
    );
  return (
    <Page title={t('pair.title')}>
      <p>{t('pair.text')}</p>
      {!isSecureContext && <p class="problem">{t('insecure')}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void pair(pairingCodeOf(offeredCode.value), name);
        }}
      >
        <CodeField />
        <Field
          label={t('pair.name')}
          hint={t('pair.name_hint')}
          name="name"
          field={{
            value: name,
            onInput: ({ currentTarget }) => setName(currentTarget.value),
            maxLength: 100,
            autoComplete: 'off',
          }}
        />
        <Problem text={problem} />
        <Button look="primary" type="submit" aria-disabled={isPending}>
          {isPending ? t('pair.pending') : t('pair.act')}
        </Button>
      </form>
      <Button onClick={() => setLooking(true)}>{t('pair.camera')}</Button>
      <Button onClick={async () => device.rehearse(...(await rehearsal()))}>{t('rehearse')}</Button>
      <Installing />
      <Languages />
    </Page>
  );
}

const CodeField = () => (
  <Field
    label={t('pair.code')}
    name="code"
    field={{
      value: offeredCode.value,
      onInput: ({ currentTarget }) => {
        offeredCode.value = currentTarget.value;
      },
      required: true,
      maxLength: 300,
      autoComplete: 'off',
      autoCapitalize: 'characters',
      spellcheck: false,
    }}
  />
);

/** Installs the app, or explains how. */
function Installing() {
  if (installOffer.value) return <Button onClick={() => void installOffer.value?.prompt()}>{t('install')}</Button>;
  if (matchMedia('(display-mode: standalone)').matches) return null;
  return <p class="hint">{t('install_hint')}</p>;
}
