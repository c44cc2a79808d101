import { useQuery } from '@tanstack/react-query';
import type { NewCheckInKey } from '../../../../packages/client/src/marquee-client.ts';
import { useSite } from '../../data/account.ts';
import { read } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { Button } from '../../ui/button.tsx';
import { SecretSheet } from '../../ui/dialog-box.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { Secret } from '../../ui/secret.tsx';
import { t } from './routes.ts';

interface KeySheetProps {
  created: NewCheckInKey;
  onClose: () => void;
}

/** Shows a new key once: as a QR code for the screen or paper, and as text. */
export function KeySheet({ created: { name, event_id, key, connection }, onClose }: KeySheetProps) {
  const { name: site } = useSite();
  return (
    <SecretSheet
      title={name}
      onClose={onClose}
      actions={
        <Button icon="print" onPress={() => print()}>
          {t('print')}
        </Button>
      }
    >
      <div className="key-sheet">
        <p className="soft">
          {site} · <KeyScope event={event_id} />
        </p>
        <QrCode text={connection} label={t('qr', { name })} />
        <p>{t('once')}</p>
      </div>
      <Secret label={t('key')} value={key} />
    </SecretSheet>
  );
}

/** Name of the event that a key is valid for; without one, a note that it is valid for all. */
export function KeyScope({ event }: { event: number | null }) {
  const { data } = useQuery(read('GET /events/v1/events/{id}', { id: event ?? 0 }, { isOn: event !== null }));
  if (event === null) return t('every_event');
  return data ? `${data.title}, ${when.day(data.start_date)}` : t('event', { id: String(event) });
}
