import type { NewCheckInKey } from '../../../packages/client/src/marquee-client.ts';
import { useSite } from '../frame/account.ts';
import { t as frameText } from '../frame/texts.ts';
import { Button } from '../parts/button.tsx';
import { DialogBox } from '../parts/dialog-box.tsx';
import { QrCode } from '../parts/qr-code.tsx';
import { Secret } from '../parts/secret.tsx';
import { KeyScope } from './key-scope.tsx';
import { t } from './texts.ts';

interface KeySheetProps {
  made: NewCheckInKey;
  onClose: () => void;
}

/** A new key, once: its code to be scanned from the screen or from paper, and the key itself to be typed. */
export function KeySheet({ made: { name, event_id, key, connection }, onClose }: KeySheetProps) {
  const { name: site } = useSite();
  return (
    <DialogBox
      title={name}
      role="alertdialog"
      actions={
        <>
          <Button icon="print" onPress={() => print()}>
            {t('print')}
          </Button>
          <Button look="primary" onPress={onClose}>
            {frameText('close')}
          </Button>
        </>
      }
    >
      <div className="key-sheet">
        <p className="soft">
          {site} · <KeyScope event={event_id} />
        </p>
        <QrCode content={connection} label={t('qr', { name })} />
        <p>{t('once')}</p>
      </div>
      <Secret label={t('key')} value={key} />
    </DialogBox>
  );
}
