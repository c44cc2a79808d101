import { Button, Languages, Page } from './parts.tsx';
import { device, syncing, waiting } from './state.ts';
import { t } from './texts.ts';

/** Says why the list is erased, and whether scans still wait. */
export function Erased() {
  const reason = device.erasure.value ?? 'ended';
  const count = waiting.value;
  return (
    <Page title={t(`erased.${reason}`)}>
      <p>{t('erased.text')}</p>
      {count > 0 && (
        <>
          <p class="problem">{t('erased.waiting', { count })}</p>
          <Button look="primary" onClick={() => syncing.now()}>
            {t('send_now')}
          </Button>
        </>
      )}
      {device.unreadable.value > 0 && <p class="problem">{t('unreadable', { count: device.unreadable.value })}</p>}
      <Button look={count > 0 ? undefined : 'primary'} onClick={() => device.dismissErasure()}>
        {t('pair.again')}
      </Button>
      <Languages />
    </Page>
  );
}
