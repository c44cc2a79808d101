import './door.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { pairingIn } from './scan/code.ts';
import { listenToScanner } from './scan/hand-scanner.ts';
import { offeredCode } from './screens/pair.tsx';
import { device, syncing, takeScanned } from './state.ts';
import { language, speak } from './texts.ts';
import { keepApp } from './updates.ts';

/** Only one window may scan: two would each admit a ticket. */
function isOnlyWindow(): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    void navigator.locks.request('marquee-door', { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock ? new Promise(() => undefined) : undefined;
    });
  });
}

// The code is taken out of the address, where it would be seen and stored.
offeredCode.value = pairingIn(location.hash) ?? '';
if (location.hash) history.replaceState(null, '', location.pathname);

await speak(undefined);
const element = document.getElementById('door');
if (element) render(<App />, element);
keepApp();
if (await isOnlyWindow()) {
  await device.start();
  await speak(device.choices.value.language);
  listenToScanner(takeScanned);
  syncing.now();
} else device.phase.value = 'elsewhere';

language.subscribe((code) => {
  device.server.language = code;
});
