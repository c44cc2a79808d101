import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import type { NewSecondFactor } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { fieldProblems } from '../../../client/problem.ts';
import { useSignOut, useSite } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { t as commonText } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { type FieldValue, fieldValues } from '../../ui/form-dialog.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { CopyButton, Secret } from '../../ui/secret.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { t } from './second-factor.ts';
import './second-factor.css';

export interface SetUpProps {
  /** Called once the factor is confirmed and its recovery codes are shown. */
  onConfirmed?: () => void;
  /** Called once the user has saved the recovery codes. */
  onDone: () => void;
}

/** Sets up a second factor: a secret for an app, a code to confirm it, recovery codes to save. */
export function SetUp({ onConfirmed, onDone }: SetUpProps) {
  const [factor, setFactor] = useState<NewSecondFactor>();
  const [codes, setCodes] = useState<readonly string[]>();
  const begin = useAction(() => call('POST /admin/v1/me/second-factor'), { onSuccess: setFactor });
  const confirm = useAction(
    (value: FieldValue) => call('POST /admin/v1/me/second-factor/confirm', { code: value('code') }),
    {
      onSuccess: ({ recovery_codes }) => {
        setCodes(recovery_codes);
        onConfirmed?.();
      },
    },
  );
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  return (
    <>
      <FormProblem error={confirm.error ?? begin.error} fields={['code']} />
      {factor ? (
        <ConfirmForm
          factor={factor}
          problem={fieldProblems(confirm.error).code}
          isPending={confirm.isPending}
          onConfirm={confirm.run}
        />
      ) : (
        <>
          <p>{t('begin.text')}</p>
          <div>
            <Button look="primary" isPending={begin.isPending} onPress={() => begin.run()}>
              {t('begin')}
            </Button>
          </div>
        </>
      )}
    </>
  );
}

interface ConfirmFormProps {
  factor: NewSecondFactor;
  problem: string | undefined;
  isPending: boolean;
  onConfirm: (value: FieldValue) => void;
}

/** The secret for an app, and a field for the first code of the app. */
function ConfirmForm({ factor, problem, isPending, onConfirm }: ConfirmFormProps) {
  return (
    <Form className="form" onSubmit={(event) => onConfirm(fieldValues(event))}>
      <p>{t('scan')}</p>
      <QrCode text={factor.uri} label={t('qr')} />
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
        <Button type="submit" look="primary" isPending={isPending}>
          {t('confirm')}
        </Button>
      </div>
    </Form>
  );
}

interface RecoveryCodesProps {
  codes: readonly string[];
  onDone: () => void;
}

/** Recovery codes, which are shown once. */
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

/** The only screen of an account whose role requires a second factor until it has one. */
export function SecondFactorGate(props: SetUpProps) {
  const { name } = useSite();
  const signOut = useSignOut();
  return (
    <main className="gate">
      <title>{t('tab', { site: name })}</title>
      <p className="gate-sign">{name}</p>
      <h1>{t('title')}</h1>
      <p>{t('required')}</p>
      <SetUp {...props} />
      <div>
        <Button look="plain" onPress={signOut}>
          {commonText('sign_out')}
        </Button>
      </div>
    </main>
  );
}
