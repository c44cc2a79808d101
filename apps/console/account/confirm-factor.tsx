import { type FormEvent, Suspense, useRef, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { call } from '../../client/call.ts';
import { isProblem } from '../../client/problem.ts';
import { useMe } from '../frame/account.ts';
import { toast } from '../frame/toast-store.ts';
import { Button } from '../parts/button.tsx';
import { DialogBox } from '../parts/dialog-box.tsx';
import { FormProblem } from '../parts/form-problem.tsx';
import { RowsLoading } from '../parts/states.tsx';
import { TextField } from '../parts/text-field.tsx';
import { RecoveryCodes } from '../second-factor/lazy.ts';
import { t } from './texts.ts';

/** What is done with a second factor; `replace` is the removal for who then has to set up another one. */
export type FactorAct = 'remove' | 'replace' | 'renew';

/** What proves who acts: those who have lost the phone have the password. */
type Proof = 'code' | 'password';

interface ConfirmFactorProps {
  act: FactorAct;
  onEnd: () => void;
}

/** Asks for a code or the password, so that a session that was left open does not suffice. */
export function ConfirmFactor({ act, onEnd }: ConfirmFactorProps) {
  const [codes, setCodes] = useState<readonly string[]>();
  const run = async (proof: Partial<Record<Proof, string>>) => {
    if (act === 'renew') {
      const { recovery_codes } = await call('POST /admin/v1/me/second-factor/recovery-codes', proof);
      return setCodes(recovery_codes);
    }
    await call('DELETE /admin/v1/me/second-factor', proof);
    if (act === 'remove') toast(t('factor.removed'));
    onEnd();
  };
  return (
    <DialogBox title={t(`factor.${act}`)} onClose={onEnd}>
      {codes ? (
        <Suspense fallback={<RowsLoading rows={2} />}>
          <RecoveryCodes codes={codes} onDone={onEnd} />
        </Suspense>
      ) : (
        <ProofForm act={act} onRun={run} />
      )}
    </DialogBox>
  );
}

interface ProofFormProps {
  act: FactorAct;
  onRun: (proof: Partial<Record<Proof, string>>) => Promise<void>;
}

function ProofForm({ act, onRun }: ProofFormProps) {
  const [proof, setProof] = useState<Proof>('code');
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  // A code counts once: two presses within a moment send it once.
  const isSending = useRef(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSending.current) return;
    const form = event.currentTarget;
    isSending.current = true;
    setBusy(true);
    setError(undefined);
    try {
      await onRun({ [proof]: String(new FormData(form).get(proof) ?? '') });
    } catch (caught) {
      setError(atField(caught, proof));
      form.querySelector<HTMLInputElement>(`[name=${proof}]`)?.focus();
    }
    isSending.current = false;
    setBusy(false);
  };
  const change = () => {
    setError(undefined);
    setProof(proof === 'code' ? 'password' : 'code');
  };
  const problem = isProblem(error) ? error.fields[proof] : undefined;
  return (
    <Form className="form" onSubmit={(event) => void submit(event)}>
      <p>{t(`factor.${act}_text`)}</p>
      {error !== undefined && problem === undefined && <FormProblem error={error} />}
      <ProofField key={proof} proof={proof} problem={problem} />
      <div className="actions">
        <Button look="plain" onPress={change}>
          {t(proof === 'code' ? 'factor.by_password' : 'factor.by_code')}
        </Button>
        <Button type="submit" look={act === 'renew' ? 'primary' : 'bad'} isPending={isBusy}>
          {t(`factor.${act}`)}
        </Button>
      </div>
    </Form>
  );
}

function ProofField({ proof, problem }: { proof: Proof; problem: string | undefined }) {
  const { username } = useMe();
  if (proof === 'code')
    return (
      <TextField
        name="code"
        label={t('factor.code')}
        hint={t('factor.code_hint')}
        problem={problem}
        autoComplete="one-time-code"
        isRequired
        autoFocus
      />
    );
  return (
    <>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <TextField
        name="password"
        type="password"
        label={t('password.current')}
        problem={problem}
        autoComplete="current-password"
        isRequired
        autoFocus
      />
    </>
  );
}

/** What the server says against a proof, said of its field. */
function atField(error: unknown, proof: Proof): unknown {
  if (isProblem(error, 'confirmation-required')) return error.at(proof, t(`factor.wrong_${proof}`));
  if (isProblem(error, 'too_many_attempts')) return error.at(proof, error.message);
  return error;
}
