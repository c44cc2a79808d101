import './second-factor.css';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import type { NewSecondFactor } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { signOut, useSite } from '../../data/account.ts';
import { t as frameText } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { CopyButton, Secret } from '../../ui/secret.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { t } from './second-factor.ts';

const QrCode = lazy(async () => ({ default: (await import('../../ui/qr-code.tsx')).QrCode }));

export interface SetUpProps {
  /** The factor counts, and its recovery codes are shown. */
  onConfirmed?: () => void;
  /** The recovery codes have been kept. */
  onDone: () => void;
}

/** Sets up a second factor: a secret for an app, a code that confirms it, recovery codes to keep. */
export function SetUp({ onConfirmed, onDone }: SetUpProps) {
  const [factor, setFactor] = useState<NewSecondFactor>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    await work().catch(setError);
    setBusy(false);
  };
  const begin = () => attempt(async () => setFactor(await call('POST /admin/v1/me/second-factor')));
  const confirm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get('code') ?? '');
    return attempt(async () => {
      const { recovery_codes } = await call('POST /admin/v1/me/second-factor/confirm', { code });
      setCodes(recovery_codes);
      onConfirmed?.();
    });
  };
  const problem = isProblem(error) ? error.fields.code : undefined;
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  return (
    <>
      {error !== undefined && problem === undefined && <FormProblem error={error} />}
      {factor ? (
        <Form className="form" onSubmit={(event) => void confirm(event)}>
          <p>{t('scan')}</p>
          <Suspense fallback={null}>
            <QrCode text={factor.uri} label={t('qr')} />
          </Suspense>
          <Secret label={t('secret')} value={factor.secret} />
          <TextField
            name="code"
            label={t('code')}
            hint={t('code.hint')}
            problem={problem}
            autoComplete="one-time-code"
            inputMode="numeric"
            isRequired
            autoFocus
          />
          <div>
            <Button type="submit" look="primary" isPending={isBusy}>
              {t('confirm')}
            </Button>
          </div>
        </Form>
      ) : (
        <>
          <p>{t('begin.text')}</p>
          <div>
            <Button look="primary" isPending={isBusy} onPress={() => void begin()}>
              {t('begin')}
            </Button>
          </div>
        </>
      )}
    </>
  );
}

interface RecoveryCodesProps {
  codes: readonly string[];
  onDone: () => void;
}

/** Recovery codes, which the server shows once. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  return (
    <>
      <p role="status">{t('codes.text')}</p>
      <ul className="recovery-codes" aria-label={t('codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="actions">
        <CopyButton text={codes.join('\n')} />
        <Button look="primary" onPress={onDone}>
          {t('codes.kept')}
        </Button>
      </div>
    </>
  );
}

/** All that an account may do whose role needs a second factor and that has none. */
export function SecondFactorGate(props: SetUpProps) {
  const { name } = useSite();
  return (
    <main className="gate">
      <title>{t('tab', { site: name })}</title>
      <p className="gate-sign">{name}</p>
      <h1>{t('title')}</h1>
      <p>{t('required')}</p>
      <SetUp {...props} />
      <div>
        <Button look="plain" onPress={() => void signOut()}>
          {frameText('sign_out')}
        </Button>
      </div>
    </main>
  );
}
