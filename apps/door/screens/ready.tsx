import { useState } from 'preact/hooks';
import { EndShift, Settings } from './menu.tsx';
import { Button, Languages, Page } from './parts.tsx';
import { device, now, openDoor, syncing, waiting } from './state.ts';
import { span, startOf, t } from './texts.ts';
import { hasUpdate, useUpdate } from './updates.ts';

/** Before the shift: the gate, its events, and whether the list is there. */
export function Ready() {
  const [part, setPart] = useState<'settings' | 'end'>();
  void device.version.value;
  const session = device.session.value;
  if (!session) return null;
  if (part === 'settings') return <Settings onBack={() => setPart(undefined)} />;
  if (part === 'end') return <EndShift onBack={() => setPart(undefined)} />;
  const { gate } = session.greeting;
  const age = device.server.offset + now.value - session.synced;
  return (
    <Page title={gate.name}>
      <ul class="events">
        {session.list.events.map(({ id, title, start_date }) => (
          <li key={id}>
            <strong>{title}</strong> <span>{startOf(start_date)}</span>
          </li>
        ))}
      </ul>
      {device.isRehearsal.value && <p class="notice">{t('rehearsal')}</p>}
      <p role="status">
        {session.synced > 0
          ? t('list_of', { count: device.list.size, age: span(age) })
          : t('list_loading', { count: syncing.loaded.value })}
        {syncing.failure.value && session.synced === 0 && ` ${t('list_failed')}`}
      </p>
      {waiting.value > 0 && <p>{t('waiting', { count: waiting.value })}</p>}
      <Button look="primary" onClick={openDoor}>
        {t('open')}
      </Button>
      <p class="hint">{t('open_hint')}</p>
      {hasUpdate.value && (
        <Button onClick={() => void useUpdate()} disabled={waiting.value > 0}>
          {t('update')}
        </Button>
      )}
      <Button onClick={() => setPart('settings')}>{t('settings')}</Button>
      <Button onClick={() => setPart('end')}>{t('end')}</Button>
      <Languages />
    </Page>
  );
}
