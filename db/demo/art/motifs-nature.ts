import { disc, mix, n, type Point, path, rect, ridge, stroke, waves } from './draw.ts';
import type { Palette } from './palettes.ts';
import type { Random } from './random.ts';

const ground = (p: Palette, night: boolean): string => rect(0, 0, 64, 64, night ? p[0] : p[4]);
/** Mirrored in half of the cases. */
const turned = (r: Random, s: string): string =>
  r.next() < 0.5 ? s : `<g transform="matrix(-1 0 0 1 64 0)">${s}</g>`;

/** Motifs of plants, animals, water and weather on a 64 grid. */
export const natureMotifs = {
  /** A bird on a branch before the moon or the sun. */
  bird(r: Random, p: Palette): string {
    const night = r.next() < 0.6;
    const [body, wing, belly] = night ? [p[3], p[2], p[4]] : [p[1], p[0], p[2]];
    const branch = `<path d="M-4 ${n(r.range(55, 58))}Q30 49 68 56" ${stroke(night ? p[2] : p[0], 2.6)}/>`;
    const bird =
      `<path d="M6 57L17 43C15 27 26 18 38 18C45 18 49 22 50 27L58 30L50 33C50 44 41 52 29 52C22 52 16 53 6 57Z" fill="${body}"/>` +
      `<path d="M50 33C50 44 41 52 29 52C36 46 42 40 50 33Z" fill="${belly}"/>` +
      `<path d="M20 35C29 27 40 30 42 38C36 47 25 47 9 54C17 47 19 42 20 35Z" fill="${wing}"/>` +
      `<path d="M50 27L58 30L50 33Z" fill="${night ? p[4] : p[3]}"/>${disc(43.6, 25.6, 1.9, night ? p[0] : p[4])}`;
    return (
      ground(p, night) +
      disc(r.range(22, 42), r.range(24, 30), r.range(17, 21), night ? p[1] : p[3]) +
      turned(r, branch + bird)
    );
  },
  /** Waves under a low sun. */
  wave(r: Random, p: Palette): string {
    const night = r.next() < 0.5;
    let s = ground(p, night) + disc(r.range(18, 46), r.range(18, 22), r.range(7, 10), night ? p[4] : p[3]);
    const tones = night ? [p[1], p[2], mix(p[2], p[3], 0.6), p[3]] : [p[3], mix(p[2], p[3], 0.4), p[2], p[1]];
    for (const [i, tone] of tones.entries())
      s += `<path d="${waves(r.range(-30, -6), 27 + i * 9.5, r.range(26, 38), 4 + i * 1.1, 64)}" fill="${tone}"/>`;
    return s;
  },
  /** A snowflake. */
  flake(r: Random, p: Palette): string {
    const night = r.next() < 0.75,
      color = night ? p[4] : p[1],
      out = r.range(21, 25),
      side = r.range(5, 7.5);
    let s = ground(p, night) + disc(32, 32, 29, night ? p[1] : mix(p[3], p[4], 0.45));
    for (let i = 0; i < 6; i++)
      s += `<path d="M32 32V${n(32 - out)}M${n(32 - side)} ${n(36 - out)}L32 ${n(41.5 - out)}L${n(32 + side)} ${n(36 - out)}M${n(32 - side * 0.7)} ${n(44 - out)}L32 ${n(48 - out)}L${n(32 + side * 0.7)} ${n(44 - out)}" ${stroke(color, 2.8)} transform="rotate(${i * 60} 32 32)"/>`;
    return s + disc(32, 32, 3.4, night ? p[3] : p[0]);
  },
  /** A feather, its shaft to one corner. */
  feather(r: Random, p: Palette): string {
    const night = r.next() < 0.55,
      [light, dark, shaft] = night ? [p[4], p[3], p[1]] : [p[2], p[1], p[4]];
    let notches = '';
    for (let i = 0; i < 3; i++) {
      const t = 0.3 + i * 0.2 + r.range(0, 0.1),
        x = 14 + t * 38,
        y = 50 - t * 38,
        d = i % 2 ? 1 : -1;
      notches += `<path d="M${n(x)} ${n(y)}l${n(d > 0 ? 16 : -5)} ${n(d > 0 ? 6 : -16)}l${d > 0 ? '-5 4' : '4 -1'}Z" fill="${night ? p[0] : p[4]}"/>`;
    }
    const s =
      `<path d="M15 49C11 27 29 9 54 9C56 34 38 53 15 49Z" fill="${light}"/>` +
      `<path d="M15 49L54 9C56 34 38 53 15 49Z" fill="${dark}"/>${notches}` +
      `<path d="M8 56L49 14" ${stroke(shaft, 2.2)}/>`;
    return ground(p, night) + disc(34, 30, 27, night ? p[1] : mix(p[3], p[4], 0.5)) + turned(r, s);
  },
  /** The sun on the horizon, with rays. */
  sun(r: Random, p: Palette): string {
    const night = r.next() < 0.35,
      y = r.range(37, 42),
      count = r.int(7, 9);
    let s = rect(0, 0, 64, 64, night ? p[1] : p[4]);
    for (let i = 0; i < count; i++) {
      const a = Math.PI * ((i + 0.5) / count),
        w = 0.085;
      const at = (angle: number, d: number): Point => [32 - Math.cos(angle) * d, y - Math.sin(angle) * d];
      s += `<path d="${path([at(a - w * 0.6, 16), at(a - w, 60), at(a + w, 60), at(a + w * 0.6, 16)])}" fill="${night ? p[2] : p[3]}"/>`;
    }
    s += disc(32, y, 13, night ? p[4] : p[2]);
    s += `<path d="${path([...ridge(r, 64, y + 5, 3, 8, 0.4), [72, 70], [0, 70]])}" fill="${p[1]}"/>`;
    return `${s}<path d="${path([...ridge(r, 64, y + 14, 3, 8, 0.4), [72, 70], [0, 70]])}" fill="${p[0]}"/>`;
  },
  /** A crescent moon over hills. */
  moon(r: Random, p: Palette): string {
    let s = rect(0, 0, 64, 64, p[0]);
    const x = r.range(26, 40),
      y = r.range(22, 27);
    for (let i = 0; i < 9; i++) s += disc(r.range(3, 61), r.range(3, 40), r.range(0.6, 1.3), p[3]);
    s += disc(x, y, 15, p[4]) + disc(x + 6, y - 4, 13, p[0]);
    s += `<path d="${path([...ridge(r, 64, 50, 4, 8, 0.4), [72, 70], [0, 70]])}" fill="${p[1]}"/>`;
    return `${s}<path d="${path([...ridge(r, 64, 57, 3, 8, 0.4), [72, 70], [0, 70]])}" fill="${p[2]}"/>`;
  },
  /** Three firs of different size. */
  firs(r: Random, p: Palette): string {
    const night = r.next() < 0.5;
    let s = ground(p, night) + disc(r.range(20, 44), r.range(18, 24), r.range(8, 12), night ? p[3] : p[3]);
    const fir = (x: number, foot: number, h: number, a: string, b: string) =>
      [0, 1, 2]
        .map((i) => {
          const top = foot - h + i * h * 0.24,
            w = h * (0.2 + i * 0.09),
            low = top + h * 0.42;
          return `<path d="${path([
            [x, top],
            [x + w, low],
            [x - w, low],
          ])}" fill="${a}"/><path d="${path([
            [x, top],
            [x + w, low],
            [x, low],
          ])}" fill="${b}"/>`;
        })
        .join('') + rect(x - 1.6, foot - h * 0.12, 3.2, h * 0.14, p[0]);
    const [far, near] = night
      ? [
          [p[1], mix(p[1], p[2], 0.4)],
          [p[2], p[3]],
        ]
      : [
          [p[3], p[2]],
          [p[1], p[0]],
        ];
    s += `<path d="${path([...ridge(r, 64, 52, 2, 8, 0.3), [72, 70], [0, 70]])}" fill="${night ? p[1] : p[2]}"/>`;
    s +=
      fir(r.range(10, 16), 55, r.range(28, 34), far[0]!, far[1]!) +
      fir(r.range(48, 54), 56, r.range(30, 36), far[0]!, far[1]!);
    return s + fir(r.range(29, 36), 61, r.range(44, 49), near[0]!, near[1]!);
  },
  /** A glowing mushroom. */
  mushroom(r: Random, p: Palette): string {
    const x = r.range(29, 35);
    let s = rect(0, 0, 64, 64, p[0]) + disc(x, 30, 28, p[1]);
    s += `<path d="M${n(x - 5)} 33L${n(x - 8)} 60H${n(x + 8)}L${n(x + 5)} 33Z" fill="${p[4]}"/><path d="M${n(x + 1)} 33L${n(x + 3)} 60H${n(x + 8)}L${n(x + 5)} 33Z" fill="${p[3]}"/>`;
    s += `<path d="M${n(x - 22)} 36C${n(x - 20)} 17 ${n(x - 10)} 10 ${n(x)} 10C${n(x + 10)} 10 ${n(x + 20)} 17 ${n(x + 22)} 36Q${n(x)} 42 ${n(x - 22)} 36Z" fill="${p[2]}"/>`;
    for (let i = 0; i < 5; i++)
      s += disc(
        x - 14 + i * 7,
        [27, 20, 16, 21, 28][i]! + r.range(-1.5, 1.5),
        r.range(1.8, 3.4),
        i % 2 ? p[4] : p[3],
      );
    return `${s}<path d="${path([...ridge(r, 64, 58, 2, 8, 0.3), [72, 70], [0, 70]])}" fill="${p[1]}"/>`;
  },
  /** Three ears of grain. */
  wheat(r: Random, p: Palette): string {
    const night = r.next() < 0.4,
      [stem, light, dark] = night ? [p[2], p[4], p[3]] : [p[1], p[2], p[1]];
    let s = ground(p, night) + disc(32, r.range(28, 34), 20, night ? p[1] : p[3]);
    for (const [x, lean, top] of [
      [22, -9, 16],
      [42, 9, 18],
      [32, 0, 8],
    ] as const) {
      s += `<path d="M32 66Q${x} 48 ${x + lean * 0.5} ${top}" ${stroke(stem, 2)}/>`;
      for (let i = 0; i < 5; i++) {
        const y = top + 2 + i * 5.6,
          cx = x + lean * 0.5 * (1 - i / 9);
        for (const d of [-1, 1])
          s += `<ellipse cx="${n(cx + d * 3.4)}" cy="${n(y)}" rx="2.3" ry="4" fill="${d < 0 ? light : dark}" transform="rotate(${d * 26} ${n(cx + d * 3.4)} ${n(y)})"/>`;
      }
    }
    return s;
  },
  /** A path that winds towards the hills. */
  trail(r: Random, p: Palette): string {
    const night = r.next() < 0.35,
      [far, mid, near, way] = night ? [p[1], mix(p[1], p[2], 0.5), p[2], p[4]] : [p[3], p[2], p[1], p[4]];
    let s = ground(p, night) + disc(r.range(14, 26), r.range(12, 18), r.range(6, 9), night ? p[4] : p[3]);
    s += `<path d="${path([...ridge(r, 64, 26, 5, 8, 0.8), [72, 70], [0, 70]])}" fill="${far}"/>`;
    s += `<path d="${path([...ridge(r, 64, 35, 4, 8, 0.4), [72, 70], [0, 70]])}" fill="${mid}"/>`;
    s += `<path d="M0 44Q32 36 64 42V64H0Z" fill="${near}"/>`;
    const way_d =
      'M18 66C22 55 50 55 47 48C45 43 27 46 29 40C30 37 37 38 39 35L41 35C42 39 35 39 36 41C38 44 55 42 57 49C59 57 44 58 44 66Z';
    return s + turned(r, `<path d="${way_d}" fill="${way}"/>`);
  },
  /** Cells of a honeycomb, some of them full. */
  hive(r: Random, p: Palette): string {
    const light = r.next() < 0.5,
      a = 11;
    let s = rect(0, 0, 64, 64, light ? p[4] : p[0]);
    for (let row = -1; row < 5; row++)
      for (let col = -1; col < 4; col++) {
        const x = 8 + col * a * 1.78 + (row % 2 ? a * 0.89 : 0),
          y = 6 + row * a * 1.52;
        const six = Array.from({ length: 6 }, (_, i): Point => {
          const angle = (i * Math.PI) / 3 + Math.PI / 6;
          return [x + Math.cos(angle) * a * 0.92, y + Math.sin(angle) * a * 0.92];
        });
        const tone = r.next();
        s += `<path d="${path(six)}" fill="${tone < 0.3 ? p[3] : tone < 0.55 ? p[2] : tone < 0.8 ? p[1] : mix(p[1], light ? p[4] : p[0], 0.5)}"/>`;
      }
    return s;
  },
};
