import type { RandomSource } from './random.ts';

/** Subjects of the posters, drawn from simple shapes in the right part of a picture of 1600 by 900. */

interface Inks {
  shapes: string;
  lamps: string;
  dark: string;
}

type Motif = (random: RandomSource, inks: Inks) => string;

const times = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');

type Circle = readonly [x: number, y: number, radius: number];
type Box = readonly [x: number, y: number, width: number, height: number];

const circle = ([cx, cy, r]: Circle, fill: string, opacity = 1): string =>
  `<circle cx="${cx}" cy="${cy}" r="${r}" fill="${fill}" fill-opacity="${opacity}"/>`;

const box = ([x, y, width, height]: Box, fill: string, more = ''): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`;

const path = (d: string, fill: string, opacity = 1): string =>
  `<path d="${d}" fill="${fill}" fill-opacity="${opacity}"/>`;

const stroke = (d: string, colour: string, width: number, opacity = 1): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-opacity="${opacity}"/>`;

export const MOTIFS = {
  record: (_random, { shapes, lamps, dark }) =>
    `${circle([1130, 400, 320], dark)}${times(9, (ring) => `<circle cx="1130" cy="400" r="${300 - ring * 20}" fill="none" stroke="${shapes}" stroke-opacity="0.22" stroke-width="3"/>`)}
${circle([1130, 400, 105], shapes)}${circle([1130, 400, 14], dark)}${path('M 1130 400 L 1330 150 A 320 320 0 0 1 1420 265 Z', lamps, 0.16)}
${stroke('M 1500 90 V 420 L 1330 560', lamps, 14)}${circle([1500, 90, 34], lamps)}`,
  reel: (_random, { shapes, lamps, dark }) =>
    `${circle([1150, 380, 300], dark)}${circle([1150, 380, 300], shapes, 0.3)}
${times(5, (index) => circle([1150 + Math.round(170 * Math.sin(index * 1.2566)), 380 - Math.round(170 * Math.cos(index * 1.2566)), 72], lamps, 0.85))}
${circle([1150, 380, 44], lamps)}${path('M 1150 680 C 1000 760 700 700 0 800 V 880 C 700 780 1050 860 1420 520 Z', dark, 0.9)}
${times(22, (index) => box([40 + index * 48, 806 - Math.round(index * 1.6), 22, 26], lamps, 'rx="4" fill-opacity="0.7"'))}`,
  lanterns: (random, { shapes, lamps, dark }) =>
    times(3, (row) => {
      const y = 90 + row * 170;
      const sag = 130 + row * 20;
      const at = (share: number) => y + Math.round(4 * sag * share * (1 - share));
      return `${stroke(`M -20 ${y} Q 800 ${y + 2 * sag} 1620 ${y}`, dark, 5, 0.8)}${times(9, (index) => {
        const share = (index + 0.7 + row * 0.15) / 9.6;
        const [x, top] = [Math.round(1600 * share), at(share)];
        const r = random.between(28, 46);
        return `${circle([x, top + r + 8, r * 2], lamps, 0.14)}<ellipse cx="${x}" cy="${top + r + 8}" rx="${r}" ry="${Math.round(r * 1.15)}" fill="${index % 2 ? shapes : lamps}"/>${box([x - 10, top, 20, 10], dark)}`;
      })}`;
    }),
  boat: (random, { shapes, lamps, dark }) =>
    `${circle([1240, 230, 120], lamps, 0.9)}${circle([1240, 230, 190], lamps, 0.15)}
${path('M 980 250 L 980 560 L 800 560 Z', lamps, 0.95)}${path('M 1000 190 L 1000 560 L 1230 560 Z', shapes, 0.95)}${path('M 760 590 H 1260 L 1190 690 H 840 Z', dark)}
${times(7, (index) => stroke(`M ${-60 - index * 40} ${700 + index * 32} ${times(9, () => 'q 60 -26 120 0 t 120 0 ')}`, shapes, 8, 0.75 - index * 0.08))}
${times(4, () => {
  const [x, y] = [random.between(200, 700), random.between(90, 300)];
  return stroke(`M ${x} ${y} q 26 -24 44 0 q 20 -24 44 0`, dark, 7, 0.8);
})}`,
  telescope: (random, { shapes, lamps, dark }) => {
    const stars = Array.from({ length: 7 }, (_, index) => [
      520 + index * 150 + random.between(-40, 40),
      random.between(90, 380),
    ]);
    return `${stroke(`M ${stars.map((point) => point.join(' ')).join(' L ')}`, shapes, 3, 0.6)}${stars.map(([x = 0, y = 0]) => `${circle([x, y, 9], lamps)}${circle([x, y, 26], lamps, 0.16)}`).join('')}
<g transform="rotate(-32 1150 600)">${box([980, 560, 360, 76], dark, 'rx="12"')}${box([1330, 548, 90, 100], shapes, 'rx="10"')}${box([930, 576, 60, 44], shapes, 'rx="8"')}</g>
${stroke('M 1140 640 L 1040 880 M 1140 640 V 880 M 1140 640 L 1240 880', dark, 16)}`;
  },
  books: (random, { shapes, lamps, dark }) =>
    `${times(13, (index) => {
      const height = random.between(300, 520);
      const width = random.between(52, 84);
      const x = 560 + index * 84;
      const fill = [shapes, lamps, dark][index % 3] ?? shapes;
      return `<g transform="rotate(${index % 5 === 4 ? -8 : 0} ${x} 760)">${box([x, 760 - height, width, height], fill, 'rx="6"')}${box([x, 760 - height + 46, width, 12], index % 3 === 2 ? lamps : dark, 'fill-opacity="0.6"')}${box([x, 760 - 80, width, 12], index % 3 === 2 ? lamps : dark, 'fill-opacity="0.6"')}</g>`;
    })}${box([480, 760, 1200, 26], dark)}`,
  curtain: (_random, { shapes, lamps, dark }) =>
    `${path('M 1000 60 L 560 820 H 1440 Z', lamps, 0.2)}<ellipse cx="1000" cy="810" rx="440" ry="60" fill="${lamps}" fill-opacity="0.45"/>
${times(7, (index) => path(`M ${1180 + index * 64} 0 C ${1220 + index * 64} 300 ${1150 + index * 64} 600 ${1200 + index * 70} 900 H ${1270 + index * 70} C ${1220 + index * 64} 600 ${1290 + index * 64} 300 ${1250 + index * 64} 0 Z`, index % 2 ? shapes : dark, 0.85))}
${path('M 0 0 H 1600 V 110 C 1450 190 1350 110 1200 110 C 1050 200 950 110 800 110 C 650 200 550 110 400 110 C 250 200 150 110 0 130 Z', dark, 0.9)}
${times(4, (index) => circle([100 + index * 400, 118, 16], lamps))}`,
  bowl: (random, { shapes, lamps, dark }) =>
    `${path('M 760 480 H 1440 C 1420 700 1280 790 1100 790 C 920 790 780 700 760 480 Z', dark)}<ellipse cx="1100" cy="480" rx="340" ry="64" fill="${shapes}"/><ellipse cx="1100" cy="488" rx="290" ry="46" fill="${lamps}" fill-opacity="0.85"/>
${path('M 790 580 Q 1100 700 1412 580 L 1400 620 Q 1100 745 802 620 Z', shapes, 0.8)}
${times(4, (index) => stroke(`M ${950 + index * 100} 400 c -50 -70 50 -100 0 -${random.between(160, 230)}`, lamps, 12, 0.5))}`,
  plants: (random, { shapes, lamps, dark }) =>
    times(8, (index) => {
      const x = 560 + index * 135;
      const height = random.between(300, 560);
      const lean = random.between(-60, 60);
      const leaves = times(5, (leaf) => {
        const y = 860 - (height * (leaf + 1)) / 6;
        const side = leaf % 2 ? 1 : -1;
        const at = x + Math.round((lean * (leaf + 1)) / 6);
        return path(
          `M ${at} ${y} q ${side * 50} -60 ${side * 110} -40 q ${-side * 30} 60 ${-side * 110} 40`,
          leaf % 2 ? shapes : dark,
          0.9,
        );
      });
      const [fx, fy] = [x + lean, 860 - height];
      const bloom =
        index % 2
          ? `${times(6, (petal) => circle([fx + Math.round(32 * Math.cos(petal * 1.047)), fy + Math.round(32 * Math.sin(petal * 1.047)), 24], lamps, 0.9))}${circle([fx, fy, 22], dark)}`
          : '';
      return `${stroke(`M ${x} 900 Q ${x} ${860 - height / 2} ${fx} ${fy}`, dark, 10)}${leaves}${bloom}`;
    }),
  skyline: (random, { shapes, lamps, dark }) =>
    `${circle([1280, 210, 90], lamps, 0.8)}${times(15, (index) => {
      const [x, height] = [index * 112 - 20, random.between(180, 520)];
      const top = 900 - height;
      const windows = times(Math.floor(height / 62) * 2, (pane) =>
        random.once(2)
          ? box([x + 18 + (pane % 2) * 44, top + 26 + Math.floor(pane / 2) * 60, 24, 32], lamps, 'fill-opacity="0.85"')
          : '',
      );
      return `${box([x, top, 104, height], index % 3 === 1 ? shapes : dark, `fill-opacity="${index % 3 === 1 ? 0.45 : 0.92}"`)}${windows}`;
    })}`,
  frames: (random, { shapes, lamps, dark }) =>
    [
      [620, 150, 300, 380],
      [990, 90, 250, 250],
      [990, 400, 250, 320],
      [1300, 200, 230, 420],
    ]
      .map(([x = 0, y = 0, width = 0, height = 0]) => {
        const hill = random.between(30, 60) / 100;
        const [left, top, right, bottom] = [x + 22, y + 22, x + width - 22, y + height - 22];
        const ridge = Math.round(top + (bottom - top) * hill);
        return `${box([x, y, width, height], dark)}${box([left, top, right - left, bottom - top], lamps)}${circle([x + width * 0.65, top + (bottom - top) * 0.3, width * 0.13], shapes)}${path(`M ${left} ${bottom} V ${ridge + 40} Q ${x + width * 0.35} ${ridge - 60} ${x + width * 0.6} ${ridge + 50} T ${right} ${ridge + 20} V ${bottom} Z`, shapes, 0.75)}`;
      })
      .join(''),
  winter: (random, { shapes, lamps, dark }) =>
    `${path('M 0 760 Q 500 640 900 740 T 1600 700 V 900 H 0 Z', lamps, 0.9)}${times(7, (index) => {
      const x = 620 + index * 150;
      const height = random.between(260, 430);
      const foot = 760 - random.between(0, 40);
      return times(3, (tier) => {
        const [top, wide] = [foot - height + tier * height * 0.24, 60 + tier * 34];
        return path(
          `M ${x} ${top} L ${x + wide} ${top + height * 0.42} H ${x - wide} Z`,
          index % 2 ? dark : shapes,
          0.95,
        );
      });
    })}${times(70, () => circle([random.between(0, 1600), random.between(0, 760), random.between(3, 8)], lamps, 0.8))}`,
} as const satisfies Record<string, Motif>;
