import { disc, mix, n, type Point, path, rect, ridge, stroke, waves } from './draw.ts';
import type { Palette } from './palettes.ts';
import type { Random } from './random.ts';
import { downwards, glow, heaven, height, pale, type Scene, sky, width } from './sky.ts';

const below = (pts: Point[]): Point[] => [...pts, [width + 20, height + 20], [0, height + 20]];

/** Scenes at the water. */
export const waterScenes = {
  /** A river that winds down from the hills, with trees on its banks. */
  river(r: Random, p: Palette): Scene {
    const night = r.next() < 0.25,
      side = r.next() < 0.5 ? 1 : -1;
    let s = heaven(p, night, 320 - side * r.range(110, 210), r.range(60, 110));
    for (let i = 0; i < 3; i++)
      s += `<path d="${path(below(ridge(r, width, 148 + i * 22, 36 - i * 9, 8, 1.4)))}" fill="${mix(night ? p[2] : mix(p[3], p[4], 0.4), p[2], i * 0.4)}"/>`;
    s += rect(0, 206, width, height, mix(p[2], p[1], 0.35));
    const middle = (t: number): number => 320 + side * Math.sin(t * 5.2 + 0.4) * 150 * (1 - t * 0.8);
    const bank = (d: number): Point[] =>
      Array.from({ length: 25 }, (_, i): Point => {
        const t = i / 24;
        return [middle(t) + d * (120 * (1 - t) ** 1.7 + 5), 372 - t * 166];
      });
    s += `<path d="${path([...bank(-1.16), ...bank(1.16).reverse()])}" fill="${mix(p[3], p[4], 0.25)}"/>`;
    s += `<path d="${path([...bank(-1), ...bank(1).reverse()])}" fill="url(#w)"/>`;
    for (let i = 0; i < 46; i++) {
      const t = r.next() ** 0.8,
        half = 120 * (1 - t) ** 1.7,
        w = 5 + half * r.range(0.1, 0.4);
      s += rect(
        middle(t) + r.range(-0.8, 0.8) * half - w / 2,
        370 - t * 164,
        w,
        1.2 + (1 - t) * 1.6,
        pale(p, 0.35),
        ` opacity="${n(r.range(0.25, 0.75))}"`,
      );
    }
    for (let i = 0; i < 26; i++) {
      const t = 1 - i / 26,
        d = (r.next() < 0.5 ? -1 : 1) * r.range(1.35, 3.2),
        x = middle(t) + d * (120 * (1 - t) ** 1.7 + 16);
      s += tree(r, p, x, 366 - t * 158, 12 + (1 - t) ** 1.3 * 66);
    }
    return [
      sky(p, night) +
        glow('g', p[4], 0.85) +
        downwards('w', [pale(p, 0.35), mix(p[3], p[4], 0.5), mix(p[2], p[3], 0.55)]),
      s,
    ];
  },
  /** A harbor: quay with houses, ships with masts, a lighthouse. */
  harbor(r: Random, p: Palette): Scene {
    const night = r.next() < 0.4,
      shore = 214;
    let s = heaven(p, night, r.range(200, 440), r.range(70, 130));
    s += `<path d="${path(below(ridge(r, width, 182, 22, 10, 1.2)))}" fill="${mix(night ? p[2] : p[3], p[4], night ? 0 : 0.2)}"/>`;
    for (let x = -10; x < width; ) {
      const w = r.range(30, 54),
        tall = r.range(34, 66),
        wall = mix(p[2], p[1], r.range(0.1, 0.7));
      s +=
        rect(x, shore - tall, w, tall, wall) +
        `<path d="${path([
          [x - 3, shore - tall],
          [x + w / 2, shore - tall - w * 0.45],
          [x + w + 3, shore - tall],
        ])}" fill="${mix(wall, p[0], 0.5)}"/>`;
      for (let y = shore - tall + 8; y < shore - 14; y += 17)
        for (let at = x + 6; at < x + w - 9; at += 14)
          s += rect(at, y, 6, 8, r.next() < (night ? 0.6 : 0.3) ? p[4] : mix(wall, p[0], 0.5));
      x += w + (r.next() < 0.3 ? r.range(8, 30) : 0);
    }
    s += rect(0, shore - 2, width, 12, p[0]) + rect(0, shore + 8, width, height, 'url(#w)');
    const lx = r.next() < 0.5 ? r.range(40, 90) : r.range(550, 600);
    s += lighthouse(p, lx, shore + 8);
    for (let i = 0; i < 50; i++) {
      const y = shore + 16 + r.next() ** 1.3 * 130,
        near = (y - shore) / 140;
      s += rect(
        r.range(-20, width),
        y,
        r.range(12, 50) * (0.4 + near),
        1.6 + near * 1.6,
        pale(p, 0.2),
        ` opacity="${n(r.range(0.15, 0.5))}"`,
      );
    }
    for (const [x, y, size] of [
      [r.range(90, 200), 262, 0.75],
      [r.range(430, 540), 276, 0.95],
      [r.range(260, 360), 318, 1.5],
    ] as const)
      s += boat(r, p, x, y, size, night);
    return [
      sky(p, night) +
        glow('g', p[4], 0.85) +
        glow('l', p[4], 0.8) +
        downwards('w', [mix(p[2], p[3], 0.5), p[1], p[0]]),
      s,
    ];
  },
  /** Birds over reeds and open water. */
  flock(r: Random, p: Palette): Scene {
    const night = r.next() < 0.25,
      sun = r.range(170, 470),
      shore = 236;
    let s = heaven(p, night, sun, r.range(110, 150));
    for (let i = 0; i < 3; i++)
      s += `<path d="${path(below(ridge(r, width, 196 + i * 14, 20 - i * 5, 8, 1.3)))}" fill="${mix(night ? p[2] : mix(p[3], p[4], 0.45), p[2], i * 0.35)}"/>`;
    s += rect(0, shore, width, height, 'url(#w)');
    for (let i = 0; i < 40; i++) {
      const y = shore + 5 + r.next() ** 1.5 * 110,
        near = (y - shore) / 120,
        w = r.range(14, 56) * (0.4 + near);
      s += rect(
        sun - w / 2 + r.range(-1, 1) * (20 + near * 110),
        y,
        w,
        2.4,
        p[4],
        ` opacity="${n(0.75 - near * 0.5)}"`,
      );
    }
    const lead: Point = [r.range(200, 420), r.range(46, 78)];
    for (let i = 0; i < 13; i++) {
      const row = Math.ceil(i / 2),
        flank = i % 2 ? 1 : -1;
      s += flyer(
        r,
        lead[0] + flank * row * r.range(24, 34),
        lead[1] + row * r.range(11, 17),
        r.range(10, 17),
        night ? p[4] : p[0],
      );
    }
    for (let i = 0; i < 170; i++) {
      const x = r.next() < 0.5 ? r.next() ** 1.7 * 300 : width - r.next() ** 1.7 * 300,
        tall = r.range(36, 128) * (0.45 + Math.abs(x - 320) / 420),
        lean = r.range(-14, 14),
        tone = mix(p[0], p[1], r.next());
      s += `<path d="M${n(x)} 366Q${n(x)} ${n(366 - tall * 0.6)} ${n(x + lean)} ${n(366 - tall)}" ${stroke(tone, r.range(1.4, 2.8))}/>`;
      if (r.next() < 0.2)
        s += `<ellipse cx="${n(x + lean)}" cy="${n(366 - tall)}" rx="2.8" ry="9" fill="${p[0]}" transform="rotate(${n(lean)} ${n(x + lean)} ${n(366 - tall)})"/>`;
    }
    s += wader(p, r.range(240, 300), 326, 1) + wader(p, r.range(370, 430), 306, -0.8);
    return [
      sky(p, night) +
        glow('g', p[4], 0.9) +
        downwards('w', [mix(p[3], p[4], 0.4), mix(p[2], p[3], 0.4), p[1]]),
      s,
    ];
  },
};

function tree(r: Random, p: Palette, x: number, foot: number, h: number): string {
  const leaf = mix(p[1], p[2], r.range(0, 0.7));
  return (
    rect(x - h * 0.04, foot - h * 0.5, h * 0.08, h * 0.5, p[0]) +
    disc(x, foot - h * 0.68, h * 0.3, leaf) +
    disc(x - h * 0.2, foot - h * 0.5, h * 0.22, mix(leaf, p[0], 0.2)) +
    disc(x + h * 0.18, foot - h * 0.53, h * 0.23, mix(leaf, p[3], 0.25))
  );
}

const lighthouse = (p: Palette, x: number, foot: number): string =>
  disc(x, foot - 138, 90, 'url(#l)') +
  `<path d="${path([
    [x - 15, foot],
    [x - 9, foot - 124],
    [x + 9, foot - 124],
    [x + 15, foot],
  ])}" fill="${p[4]}"/>` +
  [0, 1, 2]
    .map(
      (i) =>
        `<path d="${path([
          [x - 13.5 + i * 2, foot - 28 - i * 34],
          [x - 12.6 + i * 2, foot - 46 - i * 34],
          [x + 12.6 - i * 2, foot - 46 - i * 34],
          [x + 13.5 - i * 2, foot - 28 - i * 34],
        ])}" fill="${p[2]}"/>`,
    )
    .join('') +
  rect(x - 13, foot - 128, 26, 5, p[0]) +
  rect(x - 8, foot - 146, 16, 18, pale(p, 0.6)) +
  `<path d="${path([
    [x - 12, foot - 146],
    [x, foot - 158],
    [x + 12, foot - 146],
  ])}" fill="${p[0]}"/>`;

function boat(r: Random, p: Palette, x: number, y: number, size: number, night: boolean): string {
  const sail = night ? mix(p[4], p[3], 0.3) : pale(p, 0.35),
    at = (dx: number, dy: number): Point => [x + dx * size, y + dy * size];
  return (
    rect(x - 1.5 * size, y - 84 * size, 3 * size, 84 * size, p[0]) +
    `<path d="${path([at(-4, -80), at(-4, -14), at(-34, -14)])}" fill="${mix(sail, p[2], 0.25)}"/>` +
    `<path d="${path([at(4, -72), at(4, -14), at(40, -14)])}" fill="${sail}"/>` +
    `<path d="${path([at(-48, -8), at(50, -8), at(36, 10), at(-34, 10)])}" fill="${mix(p[1], p[0], r.range(0.2, 0.8))}"/>` +
    `<path d="${waves(x - 60 * size, y + 8 * size, 22 * size, 2 * size, x + 34 * size)}" fill="none"/>` +
    rect(x - 44 * size, y - 4 * size, 88 * size, 3 * size, p[3])
  );
}

/** A bird in flight from below: two wings. */
function flyer(r: Random, x: number, y: number, w: number, color: string): string {
  const up = w * r.range(0.25, 0.6);
  return `<path d="M${n(x - w)} ${n(y - up * 0.3)}Q${n(x - w * 0.45)} ${n(y - up)} ${n(x)} ${n(y)}Q${n(x + w * 0.45)} ${n(y - up)} ${n(x + w)} ${n(y - up * 0.3)}Q${n(x + w * 0.4)} ${n(y - up * 0.55)} ${n(x)} ${n(y + w * 0.22)}Q${n(x - w * 0.4)} ${n(y - up * 0.55)} ${n(x - w)} ${n(y - up * 0.3)}Z" fill="${color}"/>`;
}

/** A long-legged bird in shallow water. */
const wader = (p: Palette, x: number, y: number, turn: number): string =>
  `<g transform="translate(${n(x)} ${y}) scale(${turn} ${Math.abs(turn)})"><path d="M-3 0V34M7 -1V34" ${stroke(p[0], 2)}/><path d="M-34 4Q-14 -24 14 -16Q20 -16 22 -24Q26 -46 20 -54Q18 -62 26 -62L44 -57L28 -54Q34 -40 30 -24Q26 -2 4 4Q-14 8 -34 4Z" fill="${p[0]}"/><path d="M-30 3Q-12 -18 12 -10Q0 4 -30 3Z" fill="${p[1]}"/></g>`;
