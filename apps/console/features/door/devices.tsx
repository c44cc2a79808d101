import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Answer, DoorDevice, Gate } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { useAction } from '../../data/actions.ts';
import { read, refresh } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { RemovalDialog } from '../../shared/record/removal-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { SecretSheet } from '../../ui/dialog-box.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { Secret } from '../../ui/secret.tsx';
import { Failure } from '../../ui/states.tsx';
import { t } from './routes.ts';

type Pairing = Extract<Answer<'POST /admin/v1/door/gates/{id}/pairings'>, { code: string }>;

interface DevicesProps {
  gate: Gate;
  /** Milliseconds between two reads. */
  every: number;
}

/** Devices of a gate, and the code that pairs another one. */
export function Devices({ gate, every }: DevicesProps) {
  const path = '/admin/v1/door/gates';
  const [pairing, setPairing] = useState<Pairing>();
  const [revoked, setRevoked] = useState<DoorDevice>();
  const { data, error } = useQuery({
    ...read('GET /admin/v1/door/gates/{id}/devices', { id: gate.id, per_page: 100 }),
    refetchInterval: pairing ? 2000 : every,
  });
  const pair = useAction(() => call('POST /admin/v1/door/gates/{id}/pairings', { id: gate.id }), {
    onSuccess: setPairing,
    onSettled: () => refresh(path),
  });
  const isPaired = data?.devices.find(({ id }) => id === pairing?.id)?.state === 'paired';
  return (
    <>
      {(error || pair.error) && <Failure error={error ?? pair.error} />}
      <ul className="door-devices">
        {data?.devices
          .filter(({ state }) => state !== 'revoked')
          .map((device) => (
            <li key={device.id}>
              <Device device={device} />
              <Button onPress={() => setRevoked(device)} aria-label={t('revoke_of', { name: device.name })}>
                {t('revoke')}
              </Button>
            </li>
          ))}
      </ul>
      <Button icon="plus" isPending={pair.isPending} onPress={() => pair.run()}>
        {t('pair')}
      </Button>
      {pairing && <PairingSheet pairing={pairing} isPaired={isPaired} onClose={() => setPairing(undefined)} />}
      {revoked && <RevokeDevice device={revoked} onClose={() => setRevoked(undefined)} />}
    </>
  );
}

function Device({ device: { name, state, last_seen_utc, status } }: { device: DoorDevice }) {
  const facts = [
    state === 'waiting' ? t('state.waiting') : last_seen_utc && t('seen', { when: when.ago(last_seen_utc) }),
    status && status.queue > 0 && t('to_send', { count: status.queue }),
    typeof status?.battery === 'number' && t('battery', { percent: status.battery }),
  ];
  return (
    <p>
      {name} <span className="soft">{facts.filter(Boolean).join(' · ')}</span>
    </p>
  );
}

interface PairingSheetProps {
  pairing: Pairing;
  isPaired: boolean;
  onClose: () => void;
}

/** Shows a pairing code once, large enough for phones around a table. */
function PairingSheet({ pairing: { code, expires_utc }, isPaired, onClose }: PairingSheetProps) {
  const address = `${location.origin}/door/`;
  return (
    <SecretSheet title={t('pair')} onClose={onClose}>
      {isPaired ? (
        <p role="status">{t('paired')}</p>
      ) : (
        <>
          <QrCode text={`${address}#pair=${code}`} label={t('qr')} />
          <p>{t('pair.text', { address })}</p>
          <Secret label={t('code')} value={code} />
          <p className="soft">{t('pair.until', { when: when.ago(expires_utc) })}</p>
        </>
      )}
    </SecretSheet>
  );
}

/** Revokes a device for good; the dialog names the consequences. */
function RevokeDevice({ device: { id, name, status }, onClose }: { device: DoorDevice; onClose: () => void }) {
  return (
    <RemovalDialog
      title={t('revoke_of', { name })}
      action={t('revoke')}
      done={t('revoked', { name })}
      remove={() => call('DELETE /admin/v1/door/devices/{id}', { id })}
      path="/admin/v1/door"
      onClose={onClose}
    >
      <p>{t('revoke.text')}</p>
      {status && status.queue > 0 && <p>{t('revoke.queue', { count: status.queue })}</p>}
    </RemovalDialog>
  );
}
