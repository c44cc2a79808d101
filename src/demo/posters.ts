import { lampsOf } from '../lib/dot-matrix.ts';
import { type Chance, chance } from './random.ts';

interface Poster {
  /** Capitals of one or two lines. */
  lines: readonly [string] | readonly [string, string];
  /** Sky at the top and at the bottom, shapes, lamps. */
  colours: readonly [string, string, string, string];
  scene: keyof typeof SCENES;
}

const WIDTH = 1600;
const HEIGHT = 900;

type Draw = (random: Chance, colour: string) => string;

const times = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');

/** Geometric backgrounds: SVG of shapes in one colour, in several strengths. */
const SCENES = {
  waves: (random, colour) =>
    times(6, (index) => {
      const y = 470 + index * 75;
      const lift = random.between(30, 70);
      const crests = times(8, () => ` t ${WIDTH / 4} 0`);
      const path = `M -400 ${y} q ${WIDTH / 8} ${-lift} ${WIDTH / 4} 0${crests} V ${HEIGHT} H -400 Z`;
      return `<path d="${path}" fill="${colour}" fill-opacity="${0.14 + index * 0.05}"/>`;
    }),
  sun: (random, colour) => {
    const x = random.between(350, 1250);
    return times(
      9,
      (index) => `<circle cx="${x}" cy="900" r="${880 - index * 95}" fill="${colour}" fill-opacity="0.1"/>`,
    );
  },
  rays: (random, colour) => {
    const x = random.between(500, 1100);
    return times(12, (index) => {
      const from = (index * Math.PI) / 6;
      const to = from + Math.PI / 12;
      const end = (angle: number) =>
        `${x + Math.round(2000 * Math.cos(angle))} ${980 + Math.round(2000 * Math.sin(angle))}`;
      return `<path d="M ${x} 980 L ${end(from)} L ${end(to)} Z" fill="${colour}" fill-opacity="0.2"/>`;
    });
  },
  peaks: (random, colour) =>
    times(7, (index) => {
      const x = index * 260 + random.between(-60, 60);
      const top = random.between(330, 620);
      return `<path d="M ${x - 420} 900 L ${x} ${top} L ${x + 420} 900 Z" fill="${colour}" fill-opacity="0.2"/>`;
    }),
  discs: (random, colour) =>
    times(26, () => {
      const radius = random.between(20, 170);
      const place = `cx="${random.between(0, WIDTH)}" cy="${random.between(0, HEIGHT)}" r="${radius}"`;
      return random.once(3)
        ? `<circle ${place} fill="none" stroke="${colour}" stroke-opacity="0.4" stroke-width="10"/>`
        : `<circle ${place} fill="${colour}" fill-opacity="0.13"/>`;
    }),
  bars: (random, colour) =>
    times(32, (index) => {
      const height = random.between(80, 640);
      return `<rect x="${index * 50 + 8}" y="${HEIGHT - height}" width="34" height="${height}" rx="17" fill="${colour}" fill-opacity="0.2"/>`;
    }),
  moon: (random, colour) => {
    const stars = times(
      90,
      () =>
        `<circle cx="${random.between(0, WIDTH)}" cy="${random.between(0, HEIGHT)}" r="${random.between(1, 4)}" fill="${colour}" fill-opacity="0.7"/>`,
    );
    const x = random.between(250, 1350);
    return `${stars}<circle cx="${x}" cy="250" r="190" fill="${colour}" fill-opacity="0.25"/><circle cx="${x}" cy="250" r="150" fill="${colour}" fill-opacity="0.3"/>`;
  },
  arches: (_random, colour) =>
    times(5, (index) => {
      const x = index * 330 + 20;
      return times(
        3,
        (ring) =>
          `<path d="M ${x + ring * 45} 900 V ${560 + ring * 30} a ${120 - ring * 36} ${120 - ring * 36} 0 0 1 ${240 - ring * 72} 0 V 900 Z" fill="${colour}" fill-opacity="0.16"/>`,
      );
    }),
} as const satisfies Record<string, Draw>;

/** One poster a subject; events share them. */
export const POSTERS = {
  cinema: { lines: ['Ciné', 'Club'], colours: ['#2b1b3d', '#7d2248', '#ffb86b', '#ffe9b8'], scene: 'rays' },
  mic: { lines: ['Open', 'Mic'], colours: ['#0f3443', '#1f7a72', '#b5f2d8', '#fff6cf'], scene: 'bars' },
  market: { lines: ['Marché'], colours: ['#2f5d3a', '#9dbf5b', '#fff3b0', '#fffbe8'], scene: 'sun' },
  story: { lines: ['Story', 'Hour'], colours: ['#4b2e83', '#e0709b', '#ffe1f0', '#fff7d6'], scene: 'discs' },
  repair: { lines: ['Repair', 'Café'], colours: ['#263238', '#62808c', '#ffcf5c', '#fff1c9'], scene: 'bars' },
  jazz: { lines: ['Jazz'], colours: ['#0b1d3a', '#2f4b8f', '#f7b267', '#ffe7c2'], scene: 'rays' },
  books: { lines: ['Page', 'Forty'], colours: ['#5a2a27', '#b8663f', '#ffe0b5', '#fff6e3'], scene: 'bars' },
  stars: { lines: ['Star', 'Party'], colours: ['#050b24', '#27346b', '#cfd8ff', '#fff8d9'], scene: 'moon' },
  clay: { lines: ['Clay'], colours: ['#6b3a2a', '#c97b4a', '#ffd8b0', '#fff0dd'], scene: 'discs' },
  river: { lines: ['River'], colours: ['#0e4a5a', '#4ca6a0', '#d8fff2', '#fffbe0'], scene: 'waves' },
  tides: { lines: ['High', 'Water'], colours: ['#123a5c', '#8a6a4f', '#f3d9b1', '#fff4dc'], scene: 'waves' },
  festival: { lines: ['Festival'], colours: ['#8a1c4a', '#f2803a', '#ffe38a', '#fffbe0'], scene: 'rays' },
  lights: { lines: ['Lights'], colours: ['#0a1a2f', '#1f4d63', '#ffd166', '#fff3c4'], scene: 'discs' },
  art: { lines: ['Bleu'], colours: ['#0d2c8a', '#4f8ae8', '#d6e8ff', '#ffffff'], scene: 'discs' },
  photo: { lines: ['Photo'], colours: ['#1b1b1f', '#6a6a75', '#f0f0f5', '#ffffff'], scene: 'arches' },
  paper: { lines: ['Papier'], colours: ['#b23a48', '#f4a6a0', '#fff0ea', '#ffffff'], scene: 'peaks' },
  theatre: { lines: ['Théâtre'], colours: ['#3b0a1a', '#a3123f', '#ff9aa8', '#ffe9c9'], scene: 'arches' },
  city: { lines: ['The', 'City'], colours: ['#2b3a55', '#d98f66', '#ffe6c7', '#fff7e6'], scene: 'bars' },
  ice: { lines: ['On Ice'], colours: ['#1d4e74', '#8fd0e8', '#f0fcff', '#ffffff'], scene: 'peaks' },
  code: { lines: ['Code'], colours: ['#0d1f17', '#1f6b46', '#9dffcf', '#e9fff4'], scene: 'bars' },
  moon: { lines: ['Moon'], colours: ['#150b33', '#5a3b8c', '#e6d6ff', '#fff6da'], scene: 'moon' },
  orchestra: { lines: ['Tutti'], colours: ['#1e1a2e', '#8c5a3c', '#f6d9a8', '#fff2d8'], scene: 'arches' },
  folk: { lines: ['Fiddle'], colours: ['#4a2c1d', '#d08a3c', '#ffe9b0', '#fff8e0'], scene: 'sun' },
  dance: { lines: ['Danse'], colours: ['#5b0f52', '#e0567f', '#ffd0dc', '#fff4e8'], scene: 'discs' },
  kitchen: { lines: ['À Table'], colours: ['#7a2e1f', '#e8a33d', '#fff0c2', '#fffbea'], scene: 'sun' },
  garden: { lines: ['Garden'], colours: ['#17402a', '#6fae5e', '#e6ffce', '#fffde0'], scene: 'peaks' },
} as const satisfies Record<string, Poster>;

export type PosterKey = keyof typeof POSTERS;

/** Most columns a line of lamps may be wide before it is drawn smaller. */
const ROOM = 1240;
const LARGEST = 34;
const LINE_ROWS = 11;

function lettering(lines: readonly string[], colour: string): string {
  const drawn = lines.map(lampsOf);
  const cell = Math.min(LARGEST, ROOM / Math.max(...drawn.map(({ width }) => width)));
  const top = HEIGHT / 2 - ((drawn.length * LINE_ROWS - 3) * cell) / 2;
  const bulbs = drawn.flatMap(({ lamps, width }, line) => {
    const left = (WIDTH - width * cell) / 2;
    return lamps.map(({ x, y }) => ({ x: left + (x + 0.5) * cell, y: top + (y + line * LINE_ROWS + 0.5) * cell }));
  });
  const circles = (radius: number, opacity: number) =>
    bulbs
      .map(
        ({ x, y }) =>
          `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${(cell * radius).toFixed(1)}" fill-opacity="${opacity}"/>`,
      )
      .join('');
  return `<g fill="${colour}">${circles(0.78, 0.14)}${circles(0.42, 1)}</g>`;
}

/** The poster of a subject as SVG. */
export function posterSvg(key: PosterKey): string {
  const { lines, colours, scene } = POSTERS[key];
  const [top, bottom, shapes, lamps] = colours;
  const random = chance([...key].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="675" viewBox="0 0 ${WIDTH} ${HEIGHT}">
<defs><linearGradient id="sky" x1="0" y1="0" x2="0.35" y2="1"><stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient></defs>
<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#sky)"/>${SCENES[scene](random, shapes)}
<rect width="${WIDTH}" height="${HEIGHT}" fill="${top}" fill-opacity="0.18"/>${lettering(lines, lamps)}</svg>`;
}

const QUALITY = 84;

/** The poster of a subject as JPEG, 1200 by 675. */
export async function posterImage(key: PosterKey): Promise<Uint8Array> {
  // Every command imports this file, and the library takes 15 MiB.
  const { default: sharp } = await import('sharp');
  const image = await sharp(Buffer.from(posterSvg(key)))
    .jpeg({ quality: QUALITY })
    .toBuffer();
  return new Uint8Array(image);
}
