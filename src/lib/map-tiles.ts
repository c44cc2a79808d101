/** Where the pictures of maps come from, and whose they are. */
export interface MapTiles {
  /** Address of a picture with `{z}`, `{x}` and `{y}` in it, and maybe `{r}` for screens of high resolution. */
  template: string;
  /** Where browsers load them from. */
  origin: string;
  attribution: Attribution;
}

interface Attribution {
  text: string;
  url?: string;
}

const NEEDED = ['{z}', '{x}', '{y}'];
/** Characters of a host that mean nothing else in a Content-Security-Policy. */
const HOST = /^[a-z0-9.-]+$/;

/** The origin of the tiles of a template; undefined if it is none. */
export function originOfTiles(template: string): string | undefined {
  const rest = [...NEEDED, '{r}'].reduce((text, name) => text.replaceAll(name, ''), template);
  if (!NEEDED.every((name) => template.includes(name)) || rest.includes('{') || rest.includes('}')) return undefined;
  const url = URL.parse(template);
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && HOST.test(url.hostname);
  return isWeb && url.username === '' && url.password === '' ? url.origin : undefined;
}

/** A text whose last word may be the address that it links to. */
export function readAttribution(given: string): Attribution | undefined {
  const start = given.lastIndexOf(' ');
  const url = URL.parse(given.slice(start + 1));
  if (url === null || !/^https?:$/.test(url.protocol)) return { text: given };
  return start < 0 ? undefined : { text: given.slice(0, start).trimEnd(), url: url.href };
}
