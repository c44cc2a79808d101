import { join } from 'node:path';
import { defineConfig } from 'vite';

/** Server behind the development server: it gets all requests except those for the app's files. */
const SERVER = process.env.APPS_SERVER ?? 'http://127.0.0.1:8080';

const ROOT = join(import.meta.dirname, '../..');

/** The app at the door. `tsconfig.json` beside it names Preact for JSX. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/door/',
  cacheDir: join(ROOT, 'node_modules/.cache/vite-door'),
  build: {
    target: ['chrome120', 'firefox121', 'safari16.4'],
    // Inlined assets would need a looser content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    cssCodeSplit: false,
    rolldownOptions: {
      input: {
        door: join(import.meta.dirname, 'index.html'),
        'service-worker': join(import.meta.dirname, 'workers/service-worker.ts'),
      },
      output: {
        // The address of a service worker determines its scope.
        entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  worker: { format: 'es' },
  server: {
    host: '127.0.0.1',
    port: 5174,
    fs: { allow: [ROOT] },
    // The server refuses writes from pages of other origins.
    proxy: { '^/(?!door/)': { target: SERVER, headers: { origin: SERVER } } },
  },
});
