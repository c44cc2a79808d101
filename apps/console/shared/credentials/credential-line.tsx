import { useState } from 'react';
import { when } from '../../i18n/formats.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { t } from './credentials.ts';

interface Credential {
  name: string;
  last_used_utc: string | null;
  expires_utc?: string | null;
  scopes?: readonly string[];
}

interface CredentialLineProps {
  credential: Credential;
  onRevoke: () => Promise<unknown>;
}

/** A credential of a program with the way to end it, which cannot be undone. */
export function CredentialLine({
  credential: { name, last_used_utc, expires_utc, scopes },
  onRevoke,
}: CredentialLineProps) {
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const about = [
    scopes?.join(', '),
    last_used_utc ? t('used', { ago: when.ago(last_used_utc) }) : t('unused'),
    expires_utc && t('expires', { ago: when.ago(expires_utc) }),
  ];
  const revoke = async () => {
    setBusy(true);
    await onRevoke();
    setBusy(false);
    setAsked(false);
  };
  return (
    <li className="card">
      <div>
        <p>{name}</p>
        <p className="soft">{about.filter(Boolean).join(' · ')}</p>
      </div>
      <Button onPress={() => setAsked(true)} aria-label={t('revoke_of', { name })}>
        {t('revoke')}
      </Button>
      {isAsked && (
        <DialogBox
          title={t('revoke_of', { name })}
          onClose={() => setAsked(false)}
          actions={
            <Button look="bad" isPending={isBusy} onPress={() => void revoke()}>
              {t('revoke')}
            </Button>
          }
        >
          <p>{t('revoke.text')}</p>
        </DialogBox>
      )}
    </li>
  );
}
