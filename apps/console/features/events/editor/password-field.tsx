import { useState } from 'react';
import { SelectField, TextField } from '../../../ui/fields.tsx';
import { t } from '../routes.ts';

interface PasswordFieldProps {
  /** null leaves it as it is; empty removes it. */
  value: string | null;
  onChange: (value: string | null) => void;
  problem: string | undefined;
}

const INTENTS = ['keep', 'set', 'none'] as const;
type Intent = (typeof INTENTS)[number];

const VALUES: Readonly<Record<Intent, string | null>> = { keep: null, set: null, none: '' };

/** What becomes of the password of an event. The server never tells it, so it can only be set anew or removed. */
export function PasswordField({ value, onChange, problem }: PasswordFieldProps) {
  // Taken when the field is left, so that no half of it saves itself.
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
