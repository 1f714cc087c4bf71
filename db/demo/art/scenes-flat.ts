import { disc, mix, n, type Point, path, rect, ridge, tone } from './draw.ts';
import type { Palette } from './palettes.ts';
import type { Random } from './random.ts';
import { downwards, glow, height, pale, type Scene, width } from './sky.ts';
import { textures } from './textures.ts';

const q = 10;

/** Flat scenes: a map, a sheet of textures, a user interface, a room. */
export const flatScenes = {
  /** A map from above, one square per block, tinted by height, with a path. */
  chart(r: Random, p: Palette): Scene {
    const land = heightsOf(r, width / q, height / q);
    const sorted = land.flat().sort((a, b) => a - b),
      levels = 9;
    const tints = Array.from({ length: levels }, (_, level) => tone(p, level / (levels - 1)));
    let s = rect(0, 0, width, height, tints[0]!);
    for (let level = 1; level < levels; level++) {
      const from = sorted[Math.floor(sorted.length * (0.2 + (0.78 * level) / levels))]!;
      const shade = mix(tints[level - 1]!, tints[Math.max(0, level - 3)]!, 0.55);
      s += `<path d="${runs(land, from, 5)}" fill="${shade}"/><path d="${runs(land, from, 0)}" fill="${tints[level]}"/>`;
    }
    return ['', s + walk(r, p)];
  },
  /** A sheet of thirty-two textures of eight by eight pixels. */
  sheet(r: Random, p: Palette): Scene {
    const dark = r.next() < 0.6,
      size = 66,
      gap = 10,
      left = (width - 8 * size - 7 * gap) / 2,
      top = (height - 4 * size - 3 * gap) / 2;
    let s = rect(0, 0, width, height, dark ? mix(p[0], '#000000', 0.3) : pale(p, 0.3));
    for (let row = 0; row < 4; row++)
      for (let at = 0; at < 8; at++) {
        const x = left + at * (size + gap),
          y = top + row * (size + gap);
        s += rect(x + 2, y + 3, size, size, dark ? '#000000' : p[3], ' opacity="0.35"');
        s += textured(r, p, x, y, size);
      }
    return ['', s];
  },
  /** A game window over dim hills: slots, a progress bar, a recipe. */
  panel(r: Random, p: Palette): Scene {
    let s = rect(0, 0, width, height, 'url(#s)');
    for (let i = 0; i < 3; i++)
      s += `<path d="${path([...ridge(r, width, 190 + i * 50, 30, 16), [660, 380], [0, 380]])}" fill="${mix(p[2], p[0], 0.3 + i * 0.25)}"/>`;
    const x = 132,
      y = 34,
      w = 376,
      h = 292,
      ground = pale(p, 0.1);
    s += rect(x + 5, y + 7, w, h, '#000000', ' opacity="0.35"') + rect(x - 3, y - 3, w + 6, h + 6, p[0]);
    s += rect(x, y, w, h, ground) + rect(x, y, w, 3, pale(p, 0.7)) + rect(x, y + h - 3, w, 3, p[3]);
    s += rect(x + 16, y + 16, r.range(70, 150), 8, p[1]) + rect(x + w - 34, y + 14, 18, 12, p[3]);
    s += machine(r, p, x + 34, y + 48);
    for (let row = 0; row < 4; row++)
      for (let at = 0; at < 9; at++) {
        const sx = x + 17 + at * 38,
          sy = y + 128 + row * 38 + (row === 3 ? 8 : 0);
        s += slot(p, sx, sy);
        if (r.next() < (row === 3 ? 0.7 : 0.42)) s += thing(r, p, sx, sy);
      }
    return [downwards('s', [mix(p[1], p[0], 0.4), p[1], p[2]]), s];
  },
  /** A room with one window: light on the floor, a shelf, a table with a lamp. */
  room(r: Random, p: Palette): Scene {
    const night = r.next() < 0.4,
      wall = night ? mix(p[1], p[0], 0.35) : mix(p[3], p[4], 0.35),
      floor = 268;
    let s = rect(0, 0, width, height, wall);
    for (let x = 0; x < width; x += 40) s += rect(x, 0, 1.5, floor, mix(wall, p[0], 0.25));
    s += rect(0, floor, width, height - floor, mix(p[1], p[0], night ? 0.5 : 0.1));
    for (let y = floor; y < height; y += 18) s += rect(0, y, width, 2, mix(p[0], p[1], 0.25));
    const wx = r.range(230, 400);
    s += windowOn(r, p, wx, 60, night);
    if (!night)
      s += `<path d="${path([
        [wx + 6, floor + 6],
        [wx + 124, floor + 6],
        [wx + 60, height],
        [wx - 110, height],
      ])}" fill="${pale(p, 0.5)}" opacity="0.5"/>`;
    const tx = wx > 315 ? 70 : 440;
    if (night) s += disc(tx + 66, floor - 82, 260, 'url(#g)') + disc(tx + 66, floor - 82, 110, 'url(#g)');
    s += shelf(r, p, r.range(36, 70), 92) + shelf(r, p, r.range(40, 70), 172);
    s +=
      rect(tx, floor - 44, 150, 12, p[0]) +
      rect(tx + 12, floor - 32, 10, 64, p[0]) +
      rect(tx + 128, floor - 32, 10, 64, p[0]);
    s +=
      rect(tx + 64, floor - 76, 5, 32, p[0]) +
      `<path d="${path([
        [tx + 48, floor - 74],
        [tx + 85, floor - 74],
        [tx + 76, floor - 98],
        [tx + 57, floor - 98],
      ])}" fill="${p[4]}"/>`;
    return [downwards('s', night ? [p[0], p[2]] : [pale(p, 0.2), pale(p, 0.7)]) + glow('g', p[4], 0.7), s];
  },
};

function heightsOf(r: Random, w: number, h: number): number[][] {
  const hills = Array.from(
    { length: 7 },
    () => [r.range(0, w), r.range(0, h), r.range(0.5, 1), r.range(5, 13)] as const,
  );
  return Array.from({ length: h }, (_, j) =>
    Array.from({ length: w }, (_, i) => {
      const sum = hills.reduce(
        (all, [x, y, tall, wide]) =>
          all + tall * Math.exp(-((i - x) ** 2 + (j - y) ** 2) / (2 * wide * wide)),
        0,
      );
      return sum + 0.06 * Math.sin(i / 2.3 + j / 5) + 0.05 * Math.cos(j / 1.9) + r.range(0, 0.02);
    }),
  );
}

/** The squares higher than `from` as path data of runs, `dy` lower. */
function runs(land: number[][], from: number, dy: number): string {
  let d = '';
  for (const [j, row] of land.entries())
    for (let i = 0; i < row.length; i++) {
      if (row[i]! <= from) continue;
      const start = i;
      while (i < row.length && row[i]! > from) i++;
      d += `M${start * q} ${j * q + dy}h${(i - start) * q}v${q}h${(start - i) * q}z`;
    }
  return d;
}

function walk(r: Random, p: Palette): string {
  const pts = Array.from({ length: 6 }, (_, i): Point => [50 + i * 108, r.range(70, 290)]);
  let d = `M${n(pts[0]![0])} ${n(pts[0]![1])}`;
  for (let i = 1; i < pts.length; i++) {
    const [from, to] = [pts[i - 1]!, pts[i]!],
      m = n((from[0] + to[0]) / 2);
    d += `C${m} ${n(from[1])} ${m} ${n(to[1])} ${n(to[0])} ${n(to[1])}`;
  }
  const [x, y] = pts.at(-1)!;
  return (
    `<path d="${d}" fill="none" stroke="${p[0]}" stroke-opacity=".5" stroke-width="7" stroke-linecap="round"/>` +
    `<path d="${d}" fill="none" stroke="#fffdf2" stroke-width="3" stroke-dasharray="1 9" stroke-linecap="round"/>` +
    `<rect x="${n(x - 6)}" y="${n(y - 6)}" width="12" height="12" fill="#fffdf2" stroke="${p[0]}" stroke-width="2.5"/>`
  );
}

/** One texture; squares of one colour form one path. */
function textured(r: Random, p: Palette, x: number, y: number, size: number): string {
  const paint = r.pick(textures)(r);
  const cell = size / 8;
  const squares = new Map<string, string>();
  for (let j = 0; j < 8; j++)
    for (let i = 0; i < 8; i++) {
      const colour = tone(p, Math.round(paint(i, j) * 10) / 10);
      const square = `M${n(x + i * cell)} ${n(y + j * cell)}h${n(cell + 0.1)}v${n(cell + 0.1)}h${n(-cell - 0.1)}z`;
      squares.set(colour, (squares.get(colour) ?? '') + square);
    }
  return [...squares]
    .map(([colour, d]) => `<path d="${d}" fill="${colour}" shape-rendering="crispEdges"/>`)
    .join('');
}

const slot = (p: Palette, x: number, y: number): string =>
  rect(x, y, 34, 34, p[2]) +
  rect(x + 2, y + 2, 32, 32, pale(p, 0.5)) +
  rect(x + 2, y + 2, 30, 30, mix(p[3], p[4], 0.35));

/** A small item for a slot: a gem, a bar, a leaf or a cube. */
function thing(r: Random, p: Palette, x: number, y: number): string {
  const [a, b] = r.pick([
    [p[0], p[1]],
    [p[1], p[2]],
    [p[2], p[4]],
    [p[0], p[2]],
  ] as const);
  const cx = x + 17,
    cy = y + 17;
  switch (r.int(0, 3)) {
    case 0:
      return `<path d="${path([
        [cx, cy - 10],
        [cx + 9, cy - 2],
        [cx, cy + 11],
        [cx - 9, cy - 2],
      ])}" fill="${a}"/><path d="${path([
        [cx, cy - 10],
        [cx + 9, cy - 2],
        [cx, cy],
      ])}" fill="${b}"/>`;
    case 1:
      return `<path d="${path([
        [cx - 11, cy + 5],
        [cx - 5, cy - 5],
        [cx + 11, cy - 7],
        [cx + 8, cy + 6],
      ])}" fill="${a}"/><path d="${path([
        [cx - 5, cy - 5],
        [cx + 11, cy - 7],
        [cx + 8, cy - 2],
        [cx - 6, cy],
      ])}" fill="${b}"/>`;
    case 2:
      return `<path d="M${cx - 9} ${cy + 10}Q${cx - 8} ${cy - 10} ${cx + 10} ${cy - 10}Q${cx + 10} ${cy + 8} ${cx - 9} ${cy + 10}Z" fill="${a}"/><path d="M${cx - 9} ${cy + 10}L${cx + 10} ${cy - 10}" stroke="${b}" stroke-width="2"/>`;
    default:
      return (
        rect(cx - 9, cy - 9, 18, 18, a) +
        rect(cx - 9, cy - 9, 18, 6, b) +
        rect(cx + 3, cy - 9, 6, 18, mix(a, b, 0.5))
      );
  }
}

function machine(r: Random, p: Palette, x: number, y: number): string {
  const filled = r.range(20, 74);
  let s = slot(p, x, y) + thing(r, p, x, y) + slot(p, x + 42, y) + thing(r, p, x + 42, y);
  s += rect(x + 96, y + 12, 80, 10, p[2]) + rect(x + 96, y + 12, filled, 10, p[0]);
  s += `<path d="${path([
    [x + 176, y + 3],
    [x + 194, y + 17],
    [x + 176, y + 31],
  ])}" fill="${p[2]}"/>`;
  s +=
    rect(x + 206, y - 5, 44, 44, p[2]) + rect(x + 209, y - 2, 41, 41, pale(p, 0.5)) + thing(r, p, x + 211, y);
  for (let i = 0; i < 5; i++) s += rect(x + 268, y + 30 - i * 9, 26, 6, i < filled / 16 ? p[1] : p[3]);
  return s;
}

function windowOn(r: Random, p: Palette, x: number, y: number, night: boolean): string {
  const frame = p[0];
  let s = rect(x - 8, y - 8, 146, 166, frame) + rect(x, y, 130, 150, 'url(#s)');
  s += disc(x + r.range(30, 100), y + r.range(26, 60), 13, night ? p[4] : '#ffffff');
  for (let i = 0; i < 3; i++) {
    const pts = ridge(r, 130, y + 92 + i * 20, 14, 10).map(
      ([px, py]): Point => [x + Math.min(px, 130), Math.min(py, y + 150)],
    );
    s += `<path d="${path([...pts, [x + 130, y + 150], [x, y + 150]])}" fill="${mix(night ? p[2] : p[3], p[0], i * 0.3)}"/>`;
  }
  return (
    s +
    rect(x + 62, y, 6, 150, frame) +
    rect(x, y + 68, 130, 6, frame) +
    rect(x - 16, y + 156, 162, 10, frame)
  );
}

function shelf(r: Random, p: Palette, x: number, y: number): string {
  let s = rect(x - 8, y, 140, 7, p[0]);
  for (let at = x; at < x + 112; ) {
    const w = r.range(8, 17),
      h = r.range(24, 46);
    if (r.next() < 0.8)
      s +=
        rect(at, y - h, w, h, r.pick([p[0], p[1], p[2], p[3]])) +
        rect(at, y - h + 6, w, 3, p[4], ' opacity="0.6"');
    else s += disc(at + w / 2, y - 11, 10, p[2]) + rect(at + w / 2 - 3, y - 27, 6, 10, p[1]);
    at += w + r.range(2, 9);
  }
  return s;
}
