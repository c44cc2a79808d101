import { signal } from '@preact/signals';

/** New versions of the app: the service worker stores them, and the user starts them. */

/** Whether a new version waits. */
export const hasUpdate = signal(false);

/** Browser's offer to install the app; undefined if there is none. */
export const installOffer = signal<{ prompt(): Promise<unknown> } | undefined>();

function ask(message: 'has-update' | 'use-update'): Promise<{ hasUpdate: boolean } | undefined> {
  const worker = navigator.serviceWorker?.controller;
  if (!worker) return Promise.resolve(undefined);
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
    worker.postMessage(message, [port2]);
  });
}

const look = async (): Promise<void> => {
  hasUpdate.value = (await ask('has-update'))?.hasUpdate ?? false;
};

/** Registers the service worker, and looks for new versions now and then. */
export function keepApp(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    // Not in the types of the DOM.
    installOffer.value = event as Event & { prompt(): Promise<unknown> };
  });
  const { serviceWorker } = navigator;
  if (!serviceWorker || import.meta.env.DEV) return;
  serviceWorker.addEventListener('controllerchange', () => void look());
  void look();
  // Without a network, the stored version goes on.
  serviceWorker.register('/door/service-worker.js', { scope: '/door/', updateViaCache: 'none' }).catch(() => undefined);
}

/** Uses the new version. All that is stored stays. */
export async function useUpdate(): Promise<void> {
  await ask('use-update');
  location.reload();
}
