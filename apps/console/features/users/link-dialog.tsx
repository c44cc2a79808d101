import { t as frameText } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { Secret } from '../../ui/secret.tsx';
import { t } from './routes.ts';

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
