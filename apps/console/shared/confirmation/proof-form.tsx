import { type FormEvent, useRef, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { useMe } from '../../data/account.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { t } from './confirmation.ts';

/** Proofs of the own account: a person who has lost the phone has the password. */
type Proof = 'code' | 'password';

interface ProofFormProps {
  /** What the confirmation leads to. */
  text: string;
  /** Label of the button. */
  action: string;
  isDangerous?: boolean;
  onRun: (proof: Partial<Record<Proof, string>>) => Promise<void>;
}

/** Asks for a code of the second factor, if there is one, or for the password. */
export function ProofForm({ text, action, isDangerous = false, onRun }: ProofFormProps) {
  const hasFactor = useMe().second_factor.is_enabled;
  const [proof, setProof] = useState<Proof>(hasFactor ? 'code' : 'password');
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
      <p>{text}</p>
      {error !== undefined && problem === undefined && <FormProblem error={error} />}
      <ProofField key={proof} proof={proof} problem={problem} />
      <div className="actions">
        {hasFactor && (
          <Button look="plain" onPress={change}>
            {t(proof === 'code' ? 'by_password' : 'by_code')}
          </Button>
        )}
        <Button type="submit" look={isDangerous ? 'bad' : 'primary'} isPending={isBusy}>
          {action}
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
        label={t('code')}
        hint={t('code_hint')}
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
        label={t('password')}
        problem={problem}
        autoComplete="current-password"
        isRequired
        autoFocus
      />
    </>
  );
}

/** Shows the server's refusal of a proof at its field. */
function atField(error: unknown, proof: Proof): unknown {
  if (isProblem(error, 'confirmation-required')) return error.at(proof, t(`wrong_${proof}`));
  if (isProblem(error, 'too_many_attempts')) return error.at(proof, error.message);
  return error;
}

/** Confirms the session, so that the server accepts what it has just refused. */
export function ConfirmationDialog({ onEnd }: { onEnd: (isConfirmed: boolean) => void }) {
  const { is_enabled } = useMe().second_factor;
  return (
    <DialogBox title={t('title')} onClose={() => onEnd(false)}>
      <ProofForm
        text={t(is_enabled ? 'text' : 'text_password')}
        action={t('confirm')}
        onRun={async (proof) => {
          await call('POST /admin/v1/me/confirmation', proof);
          onEnd(true);
        }}
      />
    </DialogBox>
  );
}
