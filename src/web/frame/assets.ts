import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** File loaded by pages. */
export interface Asset {
  type: string;
  text: string;
}

const read = (name: string): string => readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8');

/** Folder of Leaflet, which draws maps; `npm run build` copies its files. */
export const LEAFLET = join(import.meta.dirname, '../../../dist/leaflet');
export const LEAFLET_FILES = ['leaflet.js', 'leaflet.css'] as const;

const SCRIPT = 'text/javascript; charset=UTF-8';
const STYLES = 'text/css; charset=UTF-8';

/** Style sheet after the common ones: tokens and frame. */
export const styleSheet = (name: string): string => ['tokens.css', 'frame.css', name].map(read).join('\n');

/** Files of the map; none without Leaflet. */
export function mapAssets(folder = LEAFLET): Record<string, Asset> {
  if (!LEAFLET_FILES.every((name) => existsSync(join(folder, name)))) return {};
  const [script, styles] = LEAFLET_FILES.map((name) => readFileSync(join(folder, name), 'utf8'));
  return {
    'leaflet.js': { type: SCRIPT, text: script ?? '' },
    'map.css': { type: STYLES, text: `${styles}\n${read('map.css')}` },
    'map.js': { type: SCRIPT, text: read('map.js') },
  };
}

/** Files of the public pages, by name. */
export const ASSETS: Readonly<Record<string, Asset>> = {
  'embed.js': { type: SCRIPT, text: read('embed.js') },
  'embedded.js': { type: SCRIPT, text: read('embedded.js') },
  ...mapAssets(),
  'nearest.js': { type: SCRIPT, text: read('nearest.js') },
  'public.js': { type: SCRIPT, text: read('public.js') },
  'public.css': { type: STYLES, text: styleSheet('public.css') },
};

/** True if pages can draw maps. */
export const HAS_MAPS = Object.hasOwn(ASSETS, 'leaflet.js');

const PATHS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ASSETS).map(([name, { text }]) => [
    name,
    `/assets/${name}?v=${hash('sha1', text, 'base64url').slice(0, 10)}`,
  ]),
);

/** Address of the current version of a file, which browsers may cache for ever. */
export const assetPath = (name: string): string => PATHS[name] ?? `/assets/${name}`;

/** Path of the site's own colours, loaded after `public.css`. */
export const THEME = '/assets/theme.css';
