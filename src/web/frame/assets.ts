import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file that pages load. */
export interface Asset {
  type: string;
  text: string;
}

const read = (name: string): string => readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8');

/** Folder of the files of Leaflet, which draws maps; `npm run build` copies them. */
export const LEAFLET = join(import.meta.dirname, '../../../dist/leaflet');
export const LEAFLET_FILES = ['leaflet.js', 'leaflet.css'] as const;

const SCRIPT = 'text/javascript; charset=UTF-8';
const STYLES = 'text/css; charset=UTF-8';

/** A style sheet after what all pages have in common: the tokens and the frame. */
export const styleSheet = (name: string): string => ['tokens.css', 'frame.css', name].map(read).join('\n');

/** Files that draw maps; none without Leaflet. */
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

/** Whether pages can draw maps. */
export const HAS_MAPS = Object.hasOwn(ASSETS, 'leaflet.js');

const PATHS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ASSETS).map(([name, { text }]) => [
    name,
    `/assets/${name}?v=${hash('sha1', text, 'base64url').slice(0, 10)}`,
  ]),
);

/** The address of a file in its present form, which browsers may keep for ever. */
export const assetPath = (name: string): string => PATHS[name] ?? `/assets/${name}`;

/** The path of the site's own colours, which follow those of `public.css`. */
export const THEME = '/assets/theme.css';
