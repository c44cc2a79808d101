/**
 * Keeps the files of the app, so that it starts without a network. It never stores responses of the interface.
 *
 * All files of a version are in one cache. Pages get the version in use; a new one is fetched completely, waits, and is
 * used once the app asks for it, which it does not do during a shift. So this worker may take over at any time.
 */

// The types of all workers are in one library, which gives the name to another kind of them.
const worker = self as unknown as ServiceWorkerGlobalScope;

/** Both are written by `apps/build.ts`. */
const FILES: readonly string[] = JSON.parse('FILES_OF_THE_BUILD');
const VERSION = 'VERSION_OF_THE_BUILD';

const SCOPE = '/door/';
const PREFIX = 'door-';
/** Cache whose only entry names the version in use. */
const CHOICE = 'choice-of-door';

async function versionInUse(): Promise<string | undefined> {
  const choice = await (await caches.open(CHOICE)).match(SCOPE);
  const version = await choice?.text();
  return version && (await caches.has(PREFIX + version)) ? version : undefined;
}

async function use(version: string): Promise<void> {
  await (await caches.open(CHOICE)).put(SCOPE, new Response(version));
  for (const name of await caches.keys())
    if (name.startsWith(PREFIX) && name !== PREFIX + version) await caches.delete(name);
}

/**
 * Fetches all files of this version, or fails: the portal of a hotel responds to every request with a page of its own.
 */
async function install(): Promise<void> {
  const fetched = await Promise.all(
    FILES.map(async (name) => {
      const response = await fetch(SCOPE + name, { cache: name.startsWith('assets/') ? 'default' : 'reload' });
      const isPage = response.headers.get('Content-Type')?.startsWith('text/html') ?? false;
      if (!response.ok || response.redirected || isPage !== (name === '')) throw new Error(`no ${name}`);
      if (name === '' && !(await response.clone().text()).includes('<div id="door">')) throw new Error('another page');
      return [SCOPE + name, response] as const;
    }),
  );
  const cache = await caches.open(PREFIX + VERSION);
  for (const [path, response] of fetched) await cache.put(path, response);
  if (!(await versionInUse())) await use(VERSION);
}

async function answer(request: Request, path: string): Promise<Response> {
  const version = await versionInUse();
  const kept = version && (await (await caches.open(PREFIX + version)).match(path));
  return kept || fetch(request);
}

worker.addEventListener('install', (event) => {
  event.waitUntil(install().then(() => worker.skipWaiting()));
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(worker.clients.claim());
});

worker.addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (origin !== worker.location.origin || !pathname.startsWith(SCOPE) || event.request.method !== 'GET') return;
  event.respondWith(answer(event.request, event.request.mode === 'navigate' ? SCOPE : pathname));
});

/** The app asks whether a version waits, or to use it. The reply goes to the port of the message. */
worker.addEventListener('message', (event) => {
  const [port] = event.ports;
  const reply = async (): Promise<void> => {
    if (event.data === 'use-update') await use(VERSION);
    port?.postMessage({ hasUpdate: (await versionInUse()) !== VERSION });
  };
  event.waitUntil(reply());
});
