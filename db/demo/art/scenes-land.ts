import { caveWall } from './cave-wall.ts';
import { disc, mix, n, type Point, path, rect, ridge, smooth } from './draw.ts';
import type { Palette } from './palettes.ts';
import type { Random } from './random.ts';
import { downwards, glow, heaven, height, pale, type Scene, sky, width } from './sky.ts';

const below = (pts: Point[]): Point[] => [...pts, [width + 20, height + 20], [0, height + 20]];

/** Landscape scenes. */
export const landScenes = {
  /** Six ridges fading into mist, firs on the nearest. */
  ridges(r: Random, p: Palette): Scene {
    const night = r.next() < 0.35,
      last = 5;
    let s = heaven(p, night, r.range(140, 500), r.range(80, 165));
    for (let i = 0; i <= last; i++) {
      const f = i / last,
        step = i < 4 ? 8 : 6;
      const colour = mix(night ? p[2] : mix(p[3], p[4], 0.45), p[0], f ** 1.1);
      const pts = ridge(r, width, 170 + f * 140, 46 - f * 14, step, 1.5);
      s += `<path d="${path(below(pts))}" fill="${colour}"/>`;
      if (i < 3) continue;
      for (let x = 4; x < width; x += r.range(i > 4 ? 9 : 7, i > 4 ? 34 : 22)) {
        const y = pts[Math.min(pts.length - 1, Math.round(x / step))]![1],
          h = r.range(10, 17) * (0.7 + f);
        s += fir(x, y + 3, h, colour);
      }
    }
    return [sky(p, night) + glow('g', p[4]), s];
  },
  /** Sharp peaks with snow on the lit side, a lake before them. */
  peaks(r: Random, p: Palette): Scene {
    const night = r.next() < 0.3,
      shore = r.range(262, 290);
    let s = heaven(p, night, r.range(120, 520), r.range(60, 110));
    const far = night ? p[2] : mix(p[3], p[4], 0.35);
    for (let layer = 0; layer < 3; layer++) {
      const f = layer / 2,
        dark = mix(far, p[0], 0.25 + f * 0.55),
        lit = mix(far, p[1], 0.1 + f * 0.5);
      for (let x = r.range(-80, -20); x < width + 60; x += r.range(105, 165)) {
        const top = 92 + layer * 52 + r.range(0, 46),
          half = (shore - top) * r.range(0.62, 0.86);
        s += peak(r, x, top, half, shore, { dark, lit, snow: night ? p[3] : pale(p, 0.5) }, layer < 2);
      }
    }
    s += rect(0, shore, width, height - shore, 'url(#w)');
    for (let i = 0; i < 34; i++) {
      const y = shore + 5 + r.next() ** 1.5 * 80,
        w = r.range(14, 70);
      s += rect(r.range(-20, width), y, w, 1.6, pale(p, 0.2), ` opacity="${n(r.range(0.1, 0.45))}"`);
    }
    s += `<path d="${path(below(ridge(r, width, 350, 12, 8, 1.2)))}" fill="${p[0]}"/>`;
    return [sky(p, night) + glow('g', p[4], 0.8) + downwards('w', [mix(far, p[4], 0.3), p[1]]), s];
  },
  /** Trunks at four depths with light between them. */
  forest(r: Random, p: Palette): Scene {
    let s = rect(0, 0, width, height, 'url(#s)') + disc(r.range(220, 420), 90, 230, 'url(#g)');
    for (let layer = 0; layer < 4; layer++) {
      const f = layer / 3,
        colour = mix(mix(p[3], p[2], 0.5), p[0], f ** 0.8),
        ground = 262 + f * 62;
      s += `<path d="${path(below(ridge(r, width, ground, 9, 16)))}" fill="${mix(colour, p[2], 0.22 * (1 - f))}"/>`;
      for (let x = r.range(-10, 30); x < width; x += r.range(38 + f * 60, 74 + f * 110))
        s += trunk(r, x, ground + 6, 7 + f * 26, colour);
      const leaves = Array.from(
        { length: 22 },
        (_, i): Point => [i * 32 - 16, i % 21 === 0 ? -40 : 34 - f * 22 + r.range(-16, 30)],
      );
      s += `<path d="${smooth([...leaves, [700, -60], [-60, -60]])}" fill="${mix(colour, p[1], 0.3)}" opacity="${n(0.75 + f * 0.25)}"/>`;
      if (layer === 1) s += shafts(r, p);
    }
    for (let x = 0; x < width; x += r.range(18, 52))
      s += fern(r, x, 352, r.range(14, 34), mix(p[0], p[1], 0.3));
    return [downwards('s', [mix(p[3], p[4], 0.55), pale(p, 0.25), p[3]]) + glow('g', pale(p, 0.6)), s];
  },
  /** Nested openings of a cave, crystals on their floors. */
  cave(r: Random, p: Palette): Scene {
    const middle = r.range(240, 400),
      last = 5;
    let s = rect(0, 0, width, height, mix(p[2], p[3], 0.2)) + disc(middle, 200, 210, 'url(#g)');
    for (let i = 0; i <= last; i++) {
      const f = i / last;
      const reach: Point = [330 - (1 - f) * 210, 190 - (1 - f) * 120];
      const center: Point = [middle + (320 - middle) * f, 195 - f * 15];
      s += caveWall(r, center, reach, { points: 22, rough: 0.14, fill: mix(p[2], p[0], 0.15 + f * 0.85) });
      if (i === 0) continue;
      for (let j = r.int(2, 4); j > 0; j--) {
        const h = r.range(18, 44) * (0.5 + f * 0.7);
        s += crystal(r.range(60, 580), height - (1 - f) * 90 - r.range(0, 24), h, p);
      }
    }
    return [glow('g', p[4], 0.9), s];
  },
  /** Aurora over dark hills with stars. */
  aurora(r: Random, p: Palette): Scene {
    let s = rect(0, 0, width, height, 'url(#s)');
    for (let i = 0; i < 120; i++)
      s += disc(
        r.range(0, width),
        r.next() ** 1.3 * 250,
        r.range(0.4, 1.5),
        pale(p, 0.6),
        ` opacity="${n(r.range(0.3, 1))}"`,
      );
    for (let band = 0; band < 3; band++) {
      const foot = ridge(r, width, 176 + band * 22, 46, 16, 1.4);
      for (const [at, [x, y]] of foot.entries()) {
        const tall = 70 + 46 * Math.sin(at * 0.9 + band) + r.range(0, 34);
        s += `<path d="${path([
          [x - 9, y - tall],
          [x + 8, y - tall],
          [x + 9, y],
          [x - 8, y + 6],
        ])}" fill="url(#a${band})"/>`;
      }
    }
    for (let i = 0; i < 3; i++) {
      const pts = ridge(r, width, 276 + i * 32, 24 - i * 5, 8, 1.6),
        colour = mix(p[1], '#05070a', 0.45 + i * 0.22);
      s += `<path d="${path(below(pts))}" fill="${colour}"/>`;
      if (i > 0)
        for (let x = 6; x < width; x += r.range(9, 38))
          s += fir(x, pts[Math.round(x / 8)]![1] + 4, r.range(14, 28), colour);
    }
    const veil = (id: string, colour: string) =>
      `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${colour}" stop-opacity="0"/><stop offset=".8" stop-color="${colour}" stop-opacity=".42"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></linearGradient>`;
    return [
      downwards('s', [mix(p[0], '#05070a', 0.55), p[0], mix(p[1], p[2], 0.4)]) +
        veil('a0', p[3]) +
        veil('a1', p[4]) +
        veil('a2', p[2]),
      s,
    ];
  },
};

const fir = (x: number, foot: number, h: number, colour: string): string =>
  `<path d="${path([
    [x - h * 0.24, foot],
    [x, foot - h - 3],
    [x + h * 0.24, foot],
  ])}" fill="${colour}"/>`;

function peak(
  r: Random,
  x: number,
  top: number,
  half: number,
  foot: number,
  { dark, lit, snow }: { dark: string; lit: string; snow: string },
  snowy: boolean,
): string {
  const edge = x + r.range(-8, 14),
    line = top + (foot - top) * r.range(0.24, 0.36),
    share = (line - top) / (foot - top);
  const cap: Point[] = [
    [x, top],
    [x + half * share, line],
    [x + half * share * 0.45, line - 9],
    [edge - (edge - x) * (1 - share), line + 8],
    [x - half * share * 0.4, line - 8],
    [x - half * share, line + 3],
  ];
  return (
    `<path d="${path([
      [x, top],
      [x + half, foot],
      [x - half, foot],
    ])}" fill="${dark}"/>` +
    `<path d="${path([
      [x, top],
      [edge, foot],
      [x - half, foot],
    ])}" fill="${lit}"/>` +
    (snowy ? `<path d="${path(cap)}" fill="${snow}"/>` : '')
  );
}

function trunk(r: Random, x: number, foot: number, w: number, colour: string): string {
  const lean = r.range(-12, 12);
  const branch = r.range(60, 160),
    side = r.next() < 0.5 ? -1 : 1;
  return (
    `<path d="${path([
      [x - w / 2, -10],
      [x + w / 2, -10],
      [x + w * 0.55 + lean, foot - 16],
      [x + w * 0.95 + lean, foot],
      [x - w * 0.95 + lean, foot],
      [x - w * 0.55 + lean, foot - 16],
    ])}" fill="${colour}"/>` +
    `<path d="${path([
      [x, branch + w],
      [x + side * (w + 46), branch - 34],
      [x + side * (w + 48), branch - 31],
      [x, branch + w * 1.6],
    ])}" fill="${colour}"/>`
  );
}

const shafts = (r: Random, p: Palette): string =>
  Array.from({ length: 4 }, () => {
    const x = r.range(120, 520),
      w = r.range(14, 40);
    return `<path d="${path([
      [x, -10],
      [x + w, -10],
      [x + w * 2.4 - 110, 340],
      [x - 130, 340],
    ])}" fill="${pale(p, 0.6)}" opacity="0.2"/>`;
  }).join('');

const fern = (r: Random, x: number, foot: number, h: number, colour: string): string =>
  [-1, -0.4, 0.3, 0.9]
    .map((lean) => {
      const tip = x + lean * h * r.range(0.7, 1.1);
      return `<path d="M${n(x - 2)} ${foot + 10}Q${n(x + lean * 4)} ${n(foot - h)} ${n(tip)} ${n(foot - h * 0.8)}Q${n(x + lean * 10)} ${n(foot - h * 0.5)} ${n(x + 3)} ${foot + 10}Z" fill="${colour}"/>`;
    })
    .join('');

const crystal = (x: number, y: number, h: number, p: Palette): string =>
  `<path d="${path([
    [x - h * 0.2, y],
    [x - h * 0.12, y - h * 0.8],
    [x, y - h],
    [x + h * 0.02, y],
  ])}" fill="${mix(p[4], p[3], 0.3)}"/><path d="${path([
    [x + h * 0.02, y],
    [x, y - h],
    [x + h * 0.16, y - h * 0.7],
    [x + h * 0.22, y],
  ])}" fill="${p[3]}"/>`;
