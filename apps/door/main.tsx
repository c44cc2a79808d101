import './door.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { pairingIn } from './scan/code.ts';
import { listenToScanner } from './scan/hand-scanner.ts';
import { device, offeredCode, syncing, takeScanned } from './screens/state.ts';
import { language, speak } from './screens/texts.ts';
import { keepApp } from './screens/updates.ts';

/** Waits until this is the only window of the app: two would each admit a ticket. */
function onlyWindow(): Promise<void> {
  if (!navigator.locks) return Promise.resolve();
  const request = (options: LockOptions) =>
    new Promise<boolean>((resolve) => {
      void navigator.locks.request('marquee-door', options, (lock) => {
        resolve(lock !== null);
        // Kept until the window is closed.
        return lock && new Promise(() => undefined);
      });
    });
  return request({ ifAvailable: true }).then(async (isAvailable) => {
    if (isAvailable) return;
    device.phase.value = 'elsewhere';
    await request({});
  });
}

// The code is taken out of the address, where it would be seen and stored.
function takeOffer(): void {
  offeredCode.value = pairingIn(location.hash) ?? offeredCode.value;
  if (location.hash) history.replaceState(null, '', location.pathname);
}
takeOffer();
// The page may be open already.
addEventListener('hashchange', takeOffer);

language.subscribe((code) => {
  device.server.language = code;
});
await speak(undefined);
const element = document.getElementById('door');
if (element) render(<App />, element);
keepApp();
await onlyWindow();
await device.start();
await speak(device.choices.value.language);
listenToScanner(takeScanned);
syncing.now();
