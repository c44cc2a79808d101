import { t as frameText } from '../frame/texts.ts';
import { Button } from '../parts/button.tsx';
import { DialogBox } from '../parts/dialog-box.tsx';
import { Secret } from '../parts/secret.tsx';
import { t } from './texts.ts';

/** A link that signs somebody in, which the server shows once. */
export function LinkDialog({ url, onClose }: { url: string; onClose: () => void }) {
  return (
    <DialogBox
      title={t('link')}
      role="alertdialog"
      actions={
        <Button look="primary" onPress={onClose}>
          {frameText('close')}
        </Button>
      }
    >
      <p>{t('link.text')}</p>
      <Secret label={t('link')} value={url} />
    </DialogBox>
  );
}
