import type { Palette } from './palettes.ts';
import type { Random } from './random.ts';

export type Point = [number, number];
type Triple = [number, number, number];

/** A coordinate rounded to a tenth, for smaller files. */
export const n = (v: number): number => +v.toFixed(1);

/** Mixes two `#rrggbb` colours; `t` 0 is `a`, 1 is `b`. */
export function mix(a: string, b: string, t: number): string {
  const channel = (color: string, at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map((at) => Math.round(channel(a, at) * (1 - t) + channel(b, at) * t));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** A tone of the palette: 0 is the darkest, 1 the lightest. */
export function tone(p: Palette, t: number): string {
  const at = Math.min(Math.max(t, 0) * 4, 3.99);
  const low = Math.floor(at) as 0 | 1 | 2 | 3;
  return mix(p[low], p[(low + 1) as 1 | 2 | 3 | 4], at - low);
}

/** Straight lines through points, as path data. */
export const path = (pts: Point[], close = true): string =>
  `M${pts.map((p) => `${n(p[0])} ${n(p[1])}`).join('L')}${close ? 'Z' : ''}`;

/** A closed smooth curve through points */
export const smooth = (pts: Point[]): string => {
  const m = (a: Point, b: Point): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  let d = '';
  pts.forEach((p, i) => {
    const q = pts[(i + 1) % pts.length]!,
      e = m(p, q);
    if (!i) {
      const s = m(pts.at(-1)!, p);
      d = `M${n(s[0])} ${n(s[1])}`;
    }
    d += `Q${n(p[0])} ${n(p[1])} ${n(e[0])} ${n(e[1])}`;
  });
  return `${d}Z`;
};

/** A filled rectangle. */
export const rect = (x: number, y: number, w: number, h: number, f: string, extra = ''): string =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" fill="${f}"${extra}/>`;

/** A filled circle. */
export const disc = (x: number, y: number, r: number, f: string, extra = ''): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${f}"${extra}/>`;

/** A ridge line of width `w` from layered sines */
export const ridge = (r: Random, w: number, base: number, amp: number, step: number, rough = 1): Point[] => {
  const k: Triple = [r.range(0.6, 1.2), r.range(1.6, 2.6), r.range(4, 6)],
    p: Triple = [r.range(0, 6.3), r.range(0, 6.3), r.range(0, 6.3)];
  const pts: Point[] = [];
  for (let x = 0; x <= w + step; x += step) {
    const u = (x / w) * 6.283;
    pts.push([
      x,
      base -
        amp *
          (0.55 * Math.sin(k[0] * u + p[0]) +
            0.3 * Math.sin(k[1] * u + p[1]) +
            0.15 * rough * Math.sin(k[2] * u + p[2])),
    ]);
  }
  return pts;
};

/** The outline of a rounded stone on `bottom`, as path data. */
export const stone = (r: Random, cx: number, bottom: number, w: number, h: number): string => {
  const t = r.range(-0.06, 0.06) * w,
    k = r.range(0.3, 0.42);
  return `M${n(cx - w / 2)} ${n(bottom - h * 0.42)}C${n(cx - w / 2)} ${n(bottom - h * 0.95 + t)} ${n(cx - w * k)} ${n(bottom - h + t)} ${n(cx - w * 0.08)} ${n(bottom - h + t)}C${n(cx + w * k)} ${n(bottom - h - t)} ${n(cx + w / 2)} ${n(bottom - h * 0.86)} ${n(cx + w / 2)} ${n(bottom - h * 0.4)}C${n(cx + w / 2)} ${n(bottom - h * 0.08)} ${n(cx + w * 0.36)} ${n(bottom)} ${n(cx)} ${n(bottom)}C${n(cx - w * 0.38)} ${n(bottom)} ${n(cx - w / 2)} ${n(bottom - h * 0.1)} ${n(cx - w / 2)} ${n(bottom - h * 0.42)}Z`;
};

/** An isometric column; u = half width, v = quarter height; draws only visible faces */
export const column = (
  x: number,
  y: number,
  u: number,
  v: number,
  h: number,
  top: string,
  left: string,
  right: string,
  l = h,
  rt = h,
): string =>
  `${
    l > 0
      ? `<path d="${path([
          [x - u, y],
          [x, y + v],
          [x, y + v + l],
          [x - u, y + l],
        ])}" fill="${left}"/>`
      : ''
  }${
    rt > 0
      ? `<path d="${path([
          [x + u, y],
          [x, y + v],
          [x, y + v + rt],
          [x + u, y + rt],
        ])}" fill="${right}"/>`
      : ''
  }<path d="${path([
    [x, y - v],
    [x + u, y],
    [x, y + v],
    [x - u, y],
  ])}" fill="${top}"/>`;

/** Attributes of a line without a fill. */
export const stroke = (color: string, width: number): string =>
  `fill="none" stroke="${color}" stroke-width="${n(width)}" stroke-linecap="round" stroke-linejoin="round"`;

/** Water: waves of this length and height from `from`, filled to the bottom of a drawing of this size. */
export function waves(from: number, y: number, length: number, high: number, size: number): string {
  let d = `M${n(from)} ${n(y)}q${n(length / 4)} ${n(-high)} ${n(length / 2)} 0`;
  for (let x = from + length / 2; x < size + length; x += length / 2) d += `t${n(length / 2)} 0`;
  return `${d}V${size + 8}H${n(from)}Z`;
}

/** The outline of a gear wheel. */
export function gear(x: number, y: number, radius: number, teeth: number, turn: number): string {
  const step = (2 * Math.PI) / teeth;
  const at = (angle: number, d: number): Point => [x + Math.cos(angle) * d, y + Math.sin(angle) * d];
  return path(
    Array.from({ length: teeth }, (_, i) => turn + i * step).flatMap((a) => [
      at(a - step * 0.3, radius * 0.78),
      at(a - step * 0.19, radius),
      at(a + step * 0.19, radius),
      at(a + step * 0.3, radius * 0.78),
    ]),
  );
}
