import { join } from 'node:path';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Server behind the console of `npm run apps`: it gets all requests except those for the console's files. */
const SERVER = process.env.APPS_SERVER ?? 'http://127.0.0.1:8080';

const ROOT = join(import.meta.dirname, '..');

/** Modules that are chunks without a rule, since one `import()` alone leads to them: languages and large libraries. */
const SEPARATE =
  /\/(locales|catalogues)\/\w+\.(json|ts)$|\/ui\/rich-text\/(?!rich-text\.)|\/reports\/chart\.|\/events\/repeat\/(?!repeat-field\.|repeat-rule\.|use-scope\.)|\/node_modules\/(@tiptap|prosemirror-|linkifyjs|@observablehq|d3-|internmap|interval-tree-1d|isoformat)/;
const FEATURE = /\/console\/features\/([\w-]+)\//;

/**
 * Chunks of the console. A module and its imports belong to the first group that matches. Without groups there would be
 * some 200 chunks, and the first screen would wait for 50 requests.
 */
const CHUNKS = [
  { name: 'console', tags: ['$initial' as const] },
  { name: 'home', test: (id: string) => featureOf(id) === 'home' },
  { name: 'shared', test: (id: string) => featureOf(id) === undefined && !SEPARATE.test(id) },
  { name: (id: string) => featureOf(id) ?? null, debugName: 'features' },
].map((group, index) => ({ ...group, priority: 10 - index }));

function featureOf(id: string): string | undefined {
  return SEPARATE.test(id) ? undefined : FEATURE.exec(id)?.[1];
}

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
    // The styles of all screens are smaller than the heads of the requests for those of each.
    cssCodeSplit: false,
    // The editor of texts, gzipped, has 110 KB.
    chunkSizeWarningLimit: 800,
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
  server: {
    host: '127.0.0.1',
    fs: { allow: [ROOT] },
    // The server refuses writes from pages of other origins.
    proxy: { '^/(?!console/)': { target: SERVER, headers: { origin: SERVER } } },
  },
}));
