import { column, disc, mix, n, rect, ridge } from './draw.ts';
import type { Palette } from './palettes.ts';
import type { Random } from './random.ts';
import { downwards, glow, heaven, height, pale, type Scene, sky, width } from './sky.ts';

const q = 10;
const columns = width / q;

/** Scenes built of blocks. */
export const blockScenes = {
  /** Stepped hills with trees, a square sun, its reflection on the water. */
  blocks(r: Random, p: Palette): Scene {
    const sun = r.range(120, 520),
      night = r.next() < 0.3,
      shore = 25;
    let s =
      rect(0, 0, width, height, 'url(#s)') +
      disc(sun, 150, 220, 'url(#g)') +
      rect(sun - 26, 122, 52, 52, night ? p[4] : pale(p, 0.8));
    for (let layer = 0; layer < 5; layer++) {
      const f = layer / 4;
      const tops = ridge(r, columns, shore - 9 + f * 7, 6 - f * 2, 1, 1.2).map(([, y]) => Math.round(y));
      s += steps(tops, shore, mix(night ? p[2] : mix(p[3], p[4], 0.3), p[1], f));
      if (layer > 2) s += trees(r, p, tops, shore, layer > 3);
      if (layer < 4) continue;
      for (let x = 10; x < 56; x++)
        if (r.next() < 0.06 && tops[x]! < shore - 2) s += rect(x * q + 2, (tops[x]! + 1) * q + 2, 6, 6, p[4]);
    }
    s += rect(0, shore * q, width, 120, 'url(#w)') + glints(r, p, sun, shore * q);
    return [sky(p, night) + glow('g', p[4]) + downwards('w', [mix(p[2], p[3], 0.5), p[0]]), s];
  },
  /** An isometric island of cubes. */
  isle(r: Random, p: Palette): Scene {
    const size = 15,
      u = 19,
      v = 10,
      step = 9,
      night = r.next() < 0.4;
    const heights = island(r, size);
    const at = (i: number, j: number) => heights[j]?.[i] ?? 0;
    let s =
      rect(0, 0, width, height, night ? p[0] : p[4]) +
      disc(320, 190, 300, night ? mix(p[0], p[1], 0.45) : pale(p, 0.4));
    for (let j = 0; j < size; j++)
      for (let i = 0; i < size; i++) {
        const h = at(i, j);
        if (!h) continue;
        const x = 320 + (i - j) * u,
          y = 198 + (i + j - size + 1) * v - h * step;
        const left = (at(i, j + 1) ? h - at(i, j + 1) : h + 1.5) * step,
          right = (at(i + 1, j) ? h - at(i + 1, j) : h + 1.5) * step;
        s += column(x, y, u, v, 0, topOf(p, h), mix(p[1], p[0], 0.25), mix(p[1], p[2], 0.45), left, right);
        if (h > 2 && h < 5 && r.next() < 0.16) s += cubeTree(r, p, x, y);
      }
    return ['', s];
  },
  /** A town at dusk: three rows of houses, lit windows, lamps along the street. */
  town(r: Random, p: Palette): Scene {
    const night = r.next() < 0.55,
      street = 300;
    let s = heaven(p, night, r.range(120, 520), r.range(70, 130));
    for (let row = 0; row < 3; row++) {
      const f = row / 2,
        wall = mix(night ? p[2] : mix(p[3], p[4], 0.2), row < 2 ? p[1] : p[0], 0.25 + f * 0.6);
      for (let x = -r.int(1, 4); x < columns; ) {
        const w = r.int(5, 8 + row),
          tall = r.int(6, 11) + (2 - row) * 4 + (r.next() < 0.14 ? 7 : 0);
        s += house(r, p, { x: x * q, w: w * q, foot: street, tall: tall * q, wall, lit: row > 0, night });
        x += w + (r.next() < 0.35 ? r.int(1, 2) : 0);
      }
    }
    s += rect(0, street, width, height - street, 'url(#w)');
    for (let x = r.range(30, 90); x < width; x += r.range(110, 170)) {
      s += rect(x, street - 44, 4, 56, p[0]) + rect(x - 5, street - 52, 14, 10, p[0]);
      s += rect(x - 2, street - 50, 8, 6, p[4]) + disc(x + 2, street - 47, 44, 'url(#l)');
      s += rect(x - 10, street + 14, 24, 2, p[4], ' opacity="0.35"');
    }
    return [
      sky(p, night) +
        glow('g', p[4], 0.7) +
        glow('l', p[4], 0.6) +
        downwards('w', [mix(p[1], p[0], 0.4), p[0]]),
      s,
    ];
  },
};

/** Tops of columns down to `base`, as one path. */
function steps(tops: number[], base: number, colour: string): string {
  const line = tops.slice(0, columns).map((y, i) => `V${y * q}H${(i + 1) * q}`);
  return `<path d="M0 ${base * q}${line.join('')}V${base * q}Z" fill="${colour}"/>`;
}

function trees(r: Random, p: Palette, tops: number[], shore: number, near: boolean): string {
  let s = '';
  for (let x = 2; x < columns - 3; x += r.int(4, 9)) {
    const y = tops[x]!,
      h = r.int(2, 4);
    if (y >= shore - 1) continue;
    s +=
      rect(x * q, (y - h) * q, q, h * q, mix(p[1], p[0], 0.5)) +
      rect((x - 1) * q, (y - h - 1) * q, 3 * q, 2 * q, mix(p[2], p[1], near ? 0.8 : 0.4)) +
      rect(x * q, (y - h - 2) * q, q, q, mix(p[2], p[1], 0.4));
  }
  return s;
}

function glints(r: Random, p: Palette, sun: number, top: number): string {
  let s = '';
  for (let i = 0; i < 46; i++) {
    const y = top + 6 + r.next() ** 1.4 * 100,
      near = (y - top) / 110,
      w = r.range(10, 46) * (0.5 + near),
      x = sun - w / 2 + r.range(-1, 1) * (18 + near * 90);
    s += rect(x, y, w, 3, p[4], ` opacity="${n(0.75 - near * 0.5)}"`);
  }
  return s;
}

/** Heights of an island: 0 is empty, 1 water. */
function island(r: Random, size: number): number[][] {
  const kx = r.range(0.35, 0.6),
    ky = r.range(0.35, 0.6),
    px = r.range(0, 6),
    py = r.range(0, 6),
    middle = (size - 1) / 2;
  return Array.from({ length: size }, (_, j) =>
    Array.from({ length: size }, (_, i) => {
      const d = Math.hypot(i - middle, j - middle) / (size / 2);
      const h = 4.4 - d * 3.6 + 2.3 * Math.sin(i * kx + px) * Math.cos(j * ky + py) + r.range(0, 0.8);
      return d > 1.12 ? 0 : Math.max(1, Math.round(h));
    }),
  );
}

function topOf(p: Palette, h: number): string {
  if (h === 1) return mix(p[2], '#7fb3c4', 0.45);
  if (h === 2) return mix(p[4], p[3], 0.35);
  if (h < 5) return mix(p[3], p[2], (h - 3) * 0.25);
  return h < 6 ? p[2] : pale(p, 0.4);
}

function cubeTree(r: Random, p: Palette, x: number, y: number): string {
  const leaf = mix(p[1], p[2], r.next());
  const dark = mix(leaf, p[0], 0.35);
  return (
    column(x, y - 16, 4, 2, 16, p[0], p[0], p[1]) +
    column(x, y - 30, 12, 6, 15, mix(leaf, p[3], 0.45), dark, leaf) +
    column(x, y - 39, 7, 3.6, 9, mix(leaf, p[3], 0.55), dark, leaf)
  );
}

interface House {
  x: number;
  w: number;
  foot: number;
  tall: number;
  wall: string;
  lit: boolean;
  night: boolean;
}

/** A house with a stepped, pitched or flat roof and some lit windows. */
function house(r: Random, p: Palette, { x, w, foot, tall, wall, lit, night }: House): string {
  const top = foot - tall,
    roof = mix(wall, p[0], 0.35),
    kind = r.int(0, 2);
  let s = rect(x, top, w, tall, wall) + rect(x + w - 6, top, 6, tall, mix(wall, p[0], 0.18));
  if (kind === 0)
    for (let i = 0; i * 2 * q < w; i++)
      s += rect(x + i * q - q / 2, top - (i + 1) * q, w - i * 2 * q + q, q, roof);
  else if (kind === 1)
    s += `<path d="M${x - 6} ${top}L${x + w / 2} ${top - w * 0.55}L${x + w + 6} ${top}Z" fill="${roof}"/>`;
  else {
    s += rect(x - 3, top - 6, w + 6, 8, roof);
    for (let at = x; at < x + w; at += 14) s += rect(at, top - 13, 7, 8, roof);
  }
  if (kind < 2 && r.next() < 0.6) s += rect(x + w * 0.7, top - w * 0.5, 8, w * 0.5, roof);
  if (!lit) return s;
  for (let y = top + 12; y < foot - 22; y += 22)
    for (let at = x + 9; at < x + w - 14; at += 18)
      s += rect(at, y, 8, 11, r.next() < (night ? 0.55 : 0.25) ? p[4] : mix(wall, p[0], 0.45));
  return s + rect(x + w / 2 - 6, foot - 18, 12, 18, mix(wall, p[0], 0.6));
}
