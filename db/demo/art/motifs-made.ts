import { disc, mix, n, type Point, path, rect } from './draw.ts';
import { type Palette, reversed } from './palettes.ts';
import type { Random } from './random.ts';

type Four = [string, string, string, string];
type Index = 0 | 1 | 2 | 3;

/** Motifs of objects on a 64 grid. */
export const madeMotifs = {
  tiles(r: Random, p: Palette): string {
    const q = 16,
      c: Four = r.next() < 0.5 ? [p[0], p[3], p[2], p[4]] : [p[4], p[1], p[2], p[0]];
    let s = rect(0, 0, 64, 64, c[0]);
    const sym = r.next() < 0.7,
      g: Point[][] = [];
    for (let j = 0; j < 4; j++) {
      const row: Point[] = [];
      for (let i = 0; i < 4; i++) {
        const twin = sym && i > 1 ? row[3 - i] : undefined;
        row[i] = twin ? [(5 - twin[0]) % 4, twin[1]] : [r.int(0, 3), r.int(1, 3)];
      }
      g[j] = row;
    }
    for (let j = 0; j < 4; j++)
      for (let i = 0; i < 4; i++) {
        const [o, k] = g[j]![i]!,
          x = i * q,
          y = j * q,
          C: Point[] = [
            [x, y],
            [x + q, y],
            [x + q, y + q],
            [x, y + q],
          ],
          a = C[o],
          b = C[(o + 1) % 4],
          d = C[(o + 3) % 4];
        s += `<path d="M${a}L${b}A${q} ${q} 0 0 1 ${d}Z" fill="${c[k as Index]}"/>`;
      }
    return s;
  },
  ridge(r: Random, p: Palette): string {
    const night = r.next() < 0.4,
      sky = night ? p[0] : p[4];
    let s =
      rect(0, 0, 64, 64, sky) + disc(r.range(18, 46), r.range(16, 26), r.range(6, 11), night ? p[4] : p[3]);
    const t = night ? [p[1], mix(p[1], p[2], 0.6), p[2]] : [p[3], p[2], p[1]];
    for (let i = 0; i < 3; i++) {
      const px = r.range(8, 56),
        py = 24 + i * 9 + r.range(-3, 3),
        q = r.range(18, 26);
      const pts: Point[] = [
        [-4, 70],
        [-4, py + q * 0.9],
        [px - q * 0.55, py + q * 0.5],
        [px - q * 0.2, py + 5],
        [px, py],
        [px + q * 0.3, py + q * 0.35],
        [px + q * 0.55, py + q * 0.3],
        [68, py + q],
        [68, 70],
      ];
      s += `<path d="${path(pts)}" fill="${t[i]}"/>`;
      if (i === 0)
        s += `<path d="${path([
          [px - q * 0.2, py + 5],
          [px, py],
          [px + q * 0.3, py + q * 0.35],
          [px + q * 0.08, py + 7],
          [px - 2, py + 10],
        ])}" fill="${night ? p[3] : p[4]}"/>`;
    }
    return s + (r.next() < 0.5 ? rect(0, 56, 64, 8, p[0]) : '');
  },
  rune(r: Random, p: Palette): string {
    const c: Four = r.next() < 0.6 ? [p[0], p[3], p[4], p[2]] : [p[4], p[1], p[0], p[2]];
    let s = rect(0, 0, 64, 64, c[0]);
    const k = 7,
      q = 6.6,
      o = (64 - k * q) / 2;
    const on: Array<[number, number, string]> = [];
    for (let j = 0; j < k; j++)
      for (let i = 0; i <= 3; i++) {
        const d = Math.hypot(i - 3, j - 3);
        if (d < 3.7 && (r.next() < 0.56 || (i === 3 && j === 3))) {
          const f = d < 1.2 ? c[2] : r.next() < 0.25 ? c[3] : c[1];
          on.push([i, j, f]);
          if (i < 3) on.push([6 - i, j, f]);
        }
      }
    for (const [i, j, f] of on) s += rect(o + i * q, o + j * q, q + 0.05, q + 0.05, f);
    return s;
  },
  frond(r: Random, p: Palette): string {
    const c: Four = r.next() < 0.55 ? [p[0], p[2], p[3], p[4]] : [p[4], p[2], p[1], p[0]];
    let s = rect(0, 0, 64, 64, c[0]) + disc(32, 60, 34, mix(c[0], c[1], 0.28));
    const lean = r.range(-7, 7),
      k = r.int(4, 6);
    s += `<path d="M32 62Q${n(32 + lean * 0.2)} 34 ${n(32 + lean)} 10" stroke="${c[1]}" stroke-width="2.4" fill="none" stroke-linecap="round"/>`;
    for (let i = 0; i < k; i++) {
      const f = (i + 0.6) / k,
        x = 32 + lean * f * f,
        y = 58 - f * 44,
        L = (1 - f * 0.55) * r.range(17, 21),
        a = 0.55 + f * 0.25;
      for (const d of [-1, 1]) {
        const tx = x + d * L * Math.cos(a - 0.35),
          ty = y - L * Math.sin(a);
        s += `<path d="M${n(x)} ${n(y)}Q${n(x + d * L * 0.2)} ${n(y - L * 0.75)} ${n(tx)} ${n(ty)}Q${n(x + d * L * 0.75)} ${n(y + L * 0.05)} ${n(x)} ${n(y)}Z" fill="${d < 0 ? c[2] : mix(c[2], c[1], 0.45)}"/>`;
      }
    }
    return s + (r.next() < 0.6 ? disc(32 + lean, 10, 3.6, c[3]) : '');
  },
  orbit(r: Random, p: Palette): string {
    const c = r.next() < 0.6 ? p : reversed(p);
    let s = rect(0, 0, 64, 64, c[0]);
    const o = r.pick<Point>([
        [0, 64],
        [64, 64],
        [32, 64],
        [32, 32],
        [0, 0],
      ]),
      m = o[0] === 32 && o[1] === 32 ? 30 : 60,
      k = r.int(4, 5);
    for (let i = 0; i < k; i++) s += disc(o[0], o[1], m * (1 - i / k), [c[1], c[2], c[3], c[4], c[2]][i]!);
    const a = r.range(0.3, 1.2),
      R = m * (1 - 1 / k);
    return (
      s +
      disc(
        o[0] + (o[0] ? -1 : 1) * Math.cos(a) * R,
        o[1] - Math.sin(a) * R * (o[1] ? 1 : -1),
        r.range(3.5, 5.5),
        c[4],
      )
    );
  },
  weave(r: Random, p: Palette): string {
    const c = r.next() < 0.5 ? p : reversed(p);
    let s = rect(0, 0, 64, 64, c[0]);
    const k = r.int(3, 4),
      q = 64 / k,
      w = q * r.range(0.56, 0.68),
      g = (q - w) / 2;
    for (let i = 0; i < k; i++) s += rect(0, i * q + g, 64, w, c[2]);
    for (let i = 0; i < k; i++)
      for (let j = 0; j < k; j++) {
        const over = (i + j) % 2;
        if (over) s += rect(i * q + g, j * q - 1, w, q + 2, c[3]);
        else
          s +=
            rect(i * q + g, j * q - 1, w, g + 1, mix(c[3], c[0], 0.25)) +
            rect(i * q + g, j * q + g + w, w, g + 1, mix(c[3], c[0], 0.25));
      }
    return s;
  },
};
