import { join } from 'node:path';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Server that answers all requests of `npm run apps` but those for the console. */
const SERVER = process.env.APPS_SERVER ?? 'http://127.0.0.1:8080';

const ROOT = join(import.meta.dirname, '..');

export default defineConfig(({ command }) => ({
  root: join(import.meta.dirname, 'console'),
  base: '/console/',
  publicDir: false,
  cacheDir: join(ROOT, 'node_modules/.cache/vite'),
  // `src/web/apps/apps.ts` replaces this text in each response.
  html: command === 'build' ? { cspNonce: 'NONCE-OF-THE-ANSWER' } : {},
  plugins: [react(), { ...optimizeLocales.vite({ locales: ['en-US', 'fr-FR', 'de-DE'] }), enforce: 'pre' as const }],
  build: {
    target: ['chrome120', 'firefox121', 'safari16.4'],
    // Inlined assets would need a looser content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    host: '127.0.0.1',
    fs: { allow: [ROOT] },
    // The server refuses writes from pages of other origins.
    proxy: { '^/(?!console/)': { target: SERVER, headers: { origin: SERVER } } },
  },
}));
