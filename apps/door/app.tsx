import { useEffect } from 'preact/hooks';
import { Erased } from './screens/erased.tsx';
import { Pair } from './screens/pair.tsx';
import { Page } from './screens/parts.tsx';
import { ChoosePin, EnterPin } from './screens/pin.tsx';
import { Ready } from './screens/ready.tsx';
import { Scan } from './screens/scan.tsx';
import { device, offeredCode, waiting } from './screens/state.ts';
import { t } from './screens/texts.ts';
import { hasUpdate, useUpdate } from './screens/updates.ts';

export function App() {
  const phase = device.phase.value;
  useEffect(() => {
    // Before a shift, a reload interrupts only a pairing, whose code a new page would not know.
    const isIdle = phase === 'unpaired' && waiting.value === 0 && offeredCode.value === '';
    if (isIdle && hasUpdate.value) void useUpdate();
  }, [phase, hasUpdate.value, waiting.value, offeredCode.value]);
  if (phase === 'loading') return null;
  if (phase === 'elsewhere') return <Message text={t('elsewhere')} />;
  if (phase === 'no-storage') return <Message text={t('no_storage')} />;
  if (phase === 'unpaired') return <Pair />;
  if (phase === 'new-pin') return <ChoosePin />;
  if (phase === 'locked') return <EnterPin />;
  if (phase === 'ready') return <Ready />;
  return phase === 'erased' ? <Erased /> : <Scan />;
}

const Message = ({ text }: { text: string }) => (
  <Page title={t('title')}>
    <p>{text}</p>
  </Page>
);
