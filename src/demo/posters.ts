import sharp from 'sharp';
import { dotsOf } from '../lib/images/dot-matrix.ts';
import { POSTERS } from './city.ts';
import { MOTIFS } from './motifs.ts';
import { chance, type RandomSource } from './random.ts';
import type { Poster, PosterKey } from './schemas.ts';

const WIDTH = 1600;
const HEIGHT = 900;

type Draw = (random: RandomSource, colour: string) => string;

const times = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');

/** Geometric backgrounds: SVG shapes of one colour in several opacities. */
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
} as const satisfies Record<Poster['scene'], Draw>;

/** Maximum width of the lettering; wider lines are scaled down. */
const ROOM = 700;
const LARGEST = 20;
const LINE_ROWS = 11;
const MARGIN = 70;

function lettering(lines: readonly string[], colour: string): string {
  const drawn = lines.map(dotsOf);
  const cell = Math.min(LARGEST, ROOM / Math.max(...drawn.map(({ width }) => width)));
  const top = HEIGHT - MARGIN - (drawn.length * LINE_ROWS - 4) * cell;
  const left = MARGIN;
  const bulbs = drawn.flatMap(({ dots }, line) => {
    return dots.map(({ x, y }) => ({ x: left + (x + 0.5) * cell, y: top + (y + line * LINE_ROWS + 0.5) * cell }));
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

/** Renders the poster of a subject as SVG. */
function posterSvg(key: PosterKey): string {
  const { lines, colours, scene, motif } = POSTERS[key];
  const [top, bottom, shapes, lamps] = colours;
  const random = chance([...key].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="675" viewBox="0 0 ${WIDTH} ${HEIGHT}">
<defs><linearGradient id="sky" x1="0" y1="0" x2="0.35" y2="1"><stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>
<linearGradient id="shade" x1="0" y1="1" x2="0.7" y2="0.2"><stop offset="0" stop-color="${top}" stop-opacity="0.92"/><stop offset="0.55" stop-color="${top}" stop-opacity="0.1"/></linearGradient></defs>
<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#sky)"/>${SCENES[scene](random, shapes)}
${MOTIFS[motif](random, { shapes, lamps, dark: top })}
<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#shade)"/>${lettering(lines, lamps)}</svg>`;
}

const QUALITY = 84;

/** Renders the poster of a subject as JPEG, 1200 by 675 pixels. */
export async function posterImage(key: PosterKey): Promise<Uint8Array> {
  const image = await sharp(Buffer.from(posterSvg(key)))
    .jpeg({ quality: QUALITY })
    .toBuffer();
  return new Uint8Array(image);
}
