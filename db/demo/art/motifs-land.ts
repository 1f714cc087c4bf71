import { column, disc, mix, type Point, path, rect, ridge, smooth, stone, tone } from './draw.ts';
import { type Palette, reversed } from './palettes.ts';
import type { Random } from './random.ts';

/** Motifs of landscape and stone on a 64 grid. */
export const landMotifs = {
  strata(r: Random, p: Palette): string {
    const c = r.next() < 0.5 ? reversed(p) : p;
    const layers = [c[3], c[2], c[1], c[0]] as const;
    let s = rect(0, 0, 64, 64, c[4]),
      y = r.range(16, 24),
      i = 0;
    if (r.next() < 0.6) s += disc(r.range(18, 46), r.range(12, 17), r.range(5, 8), c[3]);
    while (y < 66) {
      const pts = ridge(r, 64, y, r.range(2, 5), 8, 0.4);
      s += `<path d="${path([...pts, [72, 70], [0, 70]])}" fill="${layers[Math.min(i++, 3) as 0 | 1 | 2 | 3]}"/>`;
      y += r.range(8, 14);
    }
    return s;
  },
  contour(r: Random, p: Palette): string {
    const cx = r.range(24, 40),
      cy = r.range(24, 40),
      k = 14,
      wob = [...Array(k)].map(() => r.range(0.78, 1.22));
    const up = r.next() < 0.65;
    let s = rect(0, 0, 64, 64, up ? p[0] : p[4]);
    for (let i = 0; i < 6; i++) {
      const R = 34 - i * 5.6,
        f = i / 6,
        pts = wob.map((w, j): Point => {
          const a = (j / k) * 6.283,
            q = w * (1 - f) + (1 + (w - 1) * 0.3) * f;
          return [cx + Math.cos(a) * R * q + f * 3, cy + Math.sin(a) * R * q * 0.9];
        });
      s += `<path d="${smooth(pts)}" fill="${tone(p, up ? i / 5 : 1 - i / 5)}"/>`;
    }
    return s;
  },
  cairn(r: Random, p: Palette): string {
    const day = r.next() < 0.5;
    let s = rect(0, 0, 64, 64, day ? p[4] : p[0]);
    s += disc(r.range(14, 50), r.range(12, 26), r.range(7, 11), day ? p[3] : p[1]);
    s += `<path d="${path([...ridge(r, 64, 50, 4, 8, 0.3), [72, 70], [0, 70]])}" fill="${day ? p[2] : p[1]}"/>`;
    let y = 58,
      w = r.range(34, 40),
      cx = 32;
    const count = r.int(3, 4),
      tones = day ? [p[0], p[1], p[0], p[1]] : [p[3], p[4], p[2], p[3]];
    for (let i = 0; i < count; i++) {
      const h = (44 / count) * r.range(0.85, 1);
      s += `<path d="${stone(r, cx, y, w, h)}" fill="${tones[i]}"/>`;
      y -= h * 0.97;
      w *= r.range(0.66, 0.78);
      cx += r.range(-2.4, 2.4);
    }
    return s;
  },
  voxel(r: Random, p: Palette): string {
    const light = r.next() < 0.4;
    let s = rect(0, 0, 64, 64, light ? p[4] : p[0]);
    const u = 9,
      v = 5.2,
      size = 3;
    const peak: Point = [r.int(0, 1), r.int(0, 1)];
    for (let j = 0; j < size; j++)
      for (let i = 0; i < size; i++) {
        const d = Math.hypot(i - peak[0], j - peak[1]);
        const h = Math.max(4, Math.round(3 - d + r.range(-0.5, 0.7)) * 8);
        const x = 32 + (i - j) * u,
          y = 46 + (i + j - 2) * v - h;
        const hi = h > 18;
        s += column(x, y, u, v, h + 3, hi ? (light ? p[3] : p[4]) : p[3], p[1], p[2]);
      }
    return s;
  },
  block(r: Random, p: Palette): string {
    const bg = r.next() < 0.5 ? p[0] : p[4];
    let s = rect(0, 0, 64, 64, bg);
    const x = 32,
      y = 23,
      u = 22,
      v = 12.5,
      h = 24;
    s += column(x, y, u, v, h, p[3], p[1], p[2]);
    const k = 4;
    const cell = (o: Point, a: Point, b: Point, i: number, j: number, f: string) => {
      const P = (i: number, j: number): Point => [
        o[0] + (a[0] * i) / k + (b[0] * j) / k,
        o[1] + (a[1] * i) / k + (b[1] * j) / k,
      ];
      return `<path d="${path([P(i, j), P(i + 1, j), P(i + 1, j + 1), P(i, j + 1)])}" fill="${f}"/>`;
    };
    const grass = r.next() < 0.6;
    for (let j = 0; j < k; j++)
      for (let i = 0; i < k; i++) {
        if (r.next() < 0.3) s += cell([x, y - v], [u, v], [-u, v], i, j, mix(p[3], p[4], r.range(0.3, 0.8)));
        const drip = grass && (j === 0 || (j === 1 && r.next() < 0.4));
        if (drip || r.next() < 0.2)
          s += cell([x - u, y], [u, v], [0, h], i, j, drip ? mix(p[3], p[1], 0.35) : mix(p[1], p[2], 0.5));
        if (drip || r.next() < 0.2)
          s += cell([x, y + v], [u, -v], [0, h], i, j, drip ? mix(p[3], p[2], 0.25) : mix(p[2], p[3], 0.35));
      }
    return s;
  },
  crystal(r: Random, p: Palette): string {
    const light = r.next() < 0.35;
    let s = rect(0, 0, 64, 64, light ? p[4] : p[0]);
    s += `<path d="${path([...ridge(r, 64, 52, 3, 8, 0.3), [72, 70], [0, 70]])}" fill="${p[1]}"/>`;
    const k = r.int(3, 5),
      order = [...Array(k).keys()].sort((a, b) => Math.abs(b - (k - 1) / 2) - Math.abs(a - (k - 1) / 2));
    for (const i of order) {
      const lean = (i - (k - 1) / 2) * r.range(7, 10),
        bx = 32 + (i - (k - 1) / 2) * 7,
        hgt = r.range(22, 30) + (Math.abs(i - (k - 1) / 2) < 1 ? 14 : 0),
        w = r.range(4.5, 7),
        tx = bx + lean,
        ty = 56 - hgt,
        sh: Point = [tx - w * 0.9, ty + 8],
        sr: Point = [tx + w * 0.9, ty + 9],
        m: Point = [tx + w * 0.2, ty + 11];
      s += `<path d="${path([[bx - w * 0.7, 58], sh, [tx, ty], m, [bx + w * 0.1, 58]])}" fill="${mix(p[3], p[4], light ? 0 : 0.35)}"/><path d="${path([[bx + w * 0.1, 58], m, [tx, ty], sr, [bx + w * 0.8, 58]])}" fill="${p[2]}"/>`;
    }
    return s;
  },
};
