import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A file that pages load. */
export interface Asset {
  type: string;
  text: string;
}

const read = (name: string): string => readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8');
const require = createRequire(import.meta.url);
/** A file of the library that draws maps. */
const readLeaflet = (name: string): string => readFileSync(require.resolve(`leaflet/dist/${name}`), 'utf8');

const SCRIPT = 'text/javascript; charset=UTF-8';
const STYLES = 'text/css; charset=UTF-8';

/** A style sheet after what all pages have in common: the tokens and the frame. */
export const styleSheet = (name: string): string => ['tokens.css', 'frame.css', name].map(read).join('\n');

/** Files of the public pages, by name. */
export const ASSETS: Readonly<Record<string, Asset>> = {
  'embed.js': { type: SCRIPT, text: read('embed.js') },
  'embedded.js': { type: SCRIPT, text: read('embedded.js') },
  'leaflet.js': { type: SCRIPT, text: readLeaflet('leaflet.js') },
  'map.css': {
    type: STYLES,
    text: `${readLeaflet('leaflet.css')}
${read('map.css')}`,
  },
  'map.js': { type: SCRIPT, text: read('map.js') },
  'nearest.js': { type: SCRIPT, text: read('nearest.js') },
  'public.js': { type: SCRIPT, text: read('public.js') },
  'public.css': { type: STYLES, text: styleSheet('public.css') },
};

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
