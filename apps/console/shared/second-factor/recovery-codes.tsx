import './second-factor.css';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/secret.tsx';
import { t } from './texts.ts';

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
