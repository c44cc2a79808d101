import { type ReactNode, useState } from 'react';
import { SelectField, TextField } from '../../../ui/fields.tsx';
import { t } from '../routes.ts';

interface PasswordFieldProps {
  /** null keeps the password; empty removes it. */
  value: string | null;
  onChange: (value: string | null) => void;
  problem: string | undefined;
  mark?: ReactNode;
}

const INTENTS = ['keep', 'set', 'none'] as const;
type Intent = (typeof INTENTS)[number];

const VALUES: Readonly<Record<Intent, string | null>> = { keep: null, set: null, none: '' };

/** Keeps, sets or removes the password of an event, which the server never sends. */
export function PasswordField({ value, onChange, problem, mark }: PasswordFieldProps) {
  // Applied when the field loses focus, so that no incomplete password is saved.
  const [typed, setTyped] = useState<string>();
  const isSet = typed !== undefined || Boolean(value);
  const other = value === '' ? 'none' : 'keep';
  const choose = (intent: Intent) => {
    setTyped(intent === 'set' ? '' : undefined);
    onChange(VALUES[intent]);
  };
  const settle = () => {
    if (!typed) return;
    setTyped(undefined);
    onChange(typed);
  };
  return (
    <div className="form-row">
      <SelectField
        label={t('password')}
        value={isSet ? 'set' : other}
        onChange={choose}
        choices={INTENTS.map((intent) => ({ value: intent, label: t(`password.${intent}`) }))}
        mark={mark}
      />
      {isSet && (
        <TextField
          label={t('password.new')}
          hint={t('hint.password')}
          value={typed ?? value ?? ''}
          onChange={setTyped}
          onBlur={settle}
          problem={problem}
          autoComplete="off"
        />
      )}
    </div>
  );
}
