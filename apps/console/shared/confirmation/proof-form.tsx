import { useRef, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { call } from '../../../client/call.ts';
import { fieldProblems, isProblem } from '../../../client/problem.ts';
import { useMe } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { TextField } from '../../ui/fields.tsx';
import { type FieldValue, fieldValues } from '../../ui/form-dialog.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { t } from './confirmation.ts';

/** Proof of identity: the password helps users who have lost their phone. */
type Proof = 'code' | 'password';

interface ProofFormProps {
  /** Text above the field. */
  text: string;
  /** Label of the button. */
  action: string;
  isDangerous?: boolean;
  onRun: (proof: Partial<Record<Proof, string>>) => Promise<void>;
}

/** Asks for a code of the second factor if there is one, or for the password. */
export function ProofForm({ text, action, isDangerous = false, onRun }: ProofFormProps) {
  const hasFactor = useMe().second_factor.is_enabled;
  const [proof, setProof] = useState<Proof>(hasFactor ? 'code' : 'password');
  const form = useRef<HTMLFormElement>(null);
  const confirm = useAction((value: FieldValue) => onRun({ [proof]: value(proof) }), {
    onError: () => form.current?.querySelector<HTMLInputElement>(`[name=${proof}]`)?.focus(),
  });
  const change = () => {
    confirm.reset();
    setProof(proof === 'code' ? 'password' : 'code');
  };
  const error = confirm.error && atField(confirm.error, proof);
  const problem = fieldProblems(error)[proof];
  return (
    <Form className="form" ref={form} onSubmit={(event) => confirm.run(fieldValues(event))}>
      <p>{text}</p>
      <FormProblem error={error} fields={[proof]} />
      <ProofField key={proof} proof={proof} problem={problem} />
      <div className="actions">
        {hasFactor && (
          <Button look="plain" onPress={change}>
            {t(proof === 'code' ? 'by_password' : 'by_code')}
          </Button>
        )}
        <Button type="submit" look={isDangerous ? 'bad' : 'primary'} isPending={confirm.isPending}>
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

/** Moves the server's refusal of a proof to its field. */
function atField(error: unknown, proof: Proof): unknown {
  if (isProblem(error, 'confirmation-required')) return error.at(proof, t(`wrong_${proof}`));
  if (isProblem(error, 'too_many_attempts')) return error.at(proof, error.message);
  return error;
}

/** Confirms the session, so that the server accepts the call it refused. */
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
