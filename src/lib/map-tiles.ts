/** Source and attribution of map pictures. */
export interface MapTiles {
  /** URL of a tile with `{z}`, `{x}` and `{y}`, and optionally `{r}` for high-resolution screens. */
  template: string;
  /** Origin from which browsers load the tiles. */
  origin: string;
  attribution: Attribution;
}

interface Attribution {
  text: string;
  url?: string;
}

const NEEDED = ['{z}', '{x}', '{y}'];
/** Host characters without another meaning in a Content-Security-Policy. */
const HOST = /^[a-z0-9.-]+$/;

/** The origin of a tile URL template; undefined if it is invalid. */
export function originOfTiles(template: string): string | undefined {
  const rest = [...NEEDED, '{r}'].reduce((text, name) => text.replaceAll(name, ''), template);
  if (!NEEDED.every((name) => template.includes(name)) || rest.includes('{') || rest.includes('}')) return undefined;
  const url = URL.parse(template);
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && HOST.test(url.hostname);
  return isWeb && url.username === '' && url.password === '' ? url.origin : undefined;
}

/** Parses an attribution: a text whose last word may be the URL that it links to. */
export function readAttribution(given: string): Attribution | undefined {
  const start = given.lastIndexOf(' ');
  const url = URL.parse(given.slice(start + 1));
  if (url === null || !/^https?:$/.test(url.protocol)) return { text: given };
  return start < 0 ? undefined : { text: given.slice(0, start).trimEnd(), url: url.href };
}
