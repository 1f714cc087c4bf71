import { caveWall } from './cave-wall.ts';
import { disc, mix, n, type Point, path, rect, ridge, stroke } from './draw.ts';
import type { Palette } from './palettes.ts';
import type { Random } from './random.ts';
import { glow, heaven, height, pale, type Scene, sky, width } from './sky.ts';

const below = (pts: Point[]): Point[] => [...pts, [width + 20, height + 20], [0, height + 20]];

/** Scenes of the country: caves with roots, fields, walls, paths, snow. */
export const countryScenes = {
  /** A lit cave: glowing roots from the ceiling, ferns on the floor, a pool. */
  grotto(r: Random, p: Palette): Scene {
    const middle = r.range(270, 370),
      last = 5;
    let s = rect(0, 0, width, height, mix(p[2], p[3], 0.25)) + disc(middle, 190, 230, 'url(#g)');
    for (let i = 0; i <= last; i++) {
      const f = i / last;
      const reach: Point = [345 - (1 - f) * 190, 195 - (1 - f) * 105];
      const center: Point = [middle + (320 - middle) * f, 188 - f * 12];
      s += caveWall(r, center, reach, { points: 20, rough: 0.12, fill: mix(p[2], p[0], 0.1 + f * 0.9) });
      for (let j = i > 1 && i < last ? r.int(3, 5) : 0; j > 0; j--)
        s += root(r, p, r.range(70, 570), 30 + (1 - f) * 60, r.range(50, 110) * (0.45 + f * 0.6));
      if (i === 2)
        s += `<ellipse cx="${n(middle)}" cy="288" rx="130" ry="13" fill="${mix(p[3], p[4], 0.4)}" opacity=".55"/>`;
    }
    for (let x = -10; x < width; x += r.range(26, 74))
      s += fernLeaf(r, x, 366, r.range(34, 88), mix(p[1], p[2], r.range(0.2, 0.9)));
    return [glow('g', p[4], 0.95) + glow('l', p[4], 0.8), s];
  },
  /** Rows of crops to the horizon, hedges and a farm. */
  fields(r: Random, p: Palette): Scene {
    const night = r.next() < 0.15,
      top = 186,
      vanish = r.range(220, 420);
    let s = heaven(p, night, r.range(110, 530), r.range(70, 120));
    s += `<path d="${path(below(ridge(r, width, 168, 22, 10)))}" fill="${mix(night ? p[2] : p[3], p[4], night ? 0 : 0.3)}"/>`;
    s += `<path d="${path(below(ridge(r, width, 182, 10, 10)))}" fill="${mix(p[2], p[3], 0.5)}"/>`;
    s += rect(0, top + 6, width, height, mix(p[2], p[1], 0.2));
    for (let i = -17; i <= 17; i++) {
      const tone = i % 2 ? mix(p[2], p[3], 0.55) : mix(p[1], p[2], 0.35);
      const at = (k: number, y: number): number => vanish + k * (y === top ? 7 : 62);
      s += `<path d="${path([
        [at(i - 0.5, top), top + 4],
        [at(i + 0.5, top), top + 4],
        [at(i + 0.5, height), height],
        [at(i - 0.5, height), height],
      ])}" fill="${tone}"/>`;
      if (i % 2 === 0)
        for (let y = top + 16; y < height; y += (y - top) * 0.2 + 5) {
          const f = (y - top) / (height - top),
            x = vanish + i * (7 + 55 * f);
          s += disc(x, y, 1.5 + f * 7, mix(p[3], p[4], r.range(0, 0.5)));
        }
    }
    for (let x = 6; x < width; x += r.range(10, 26))
      s += disc(x, top + 4, r.range(6, 11), mix(p[1], p[0], r.range(0, 0.4)));
    s += barn(p, r.range(60, 150) + (vanish < 320 ? 330 : 0), top + 8, night);
    return [sky(p, night) + glow('g', p[4], 0.8), s];
  },
  /** A village in the snow, at night, with lit windows. */
  winter(r: Random, p: Palette): Scene {
    const snow = pale(p, 0.55),
      shade = mix(p[3], p[4], 0.45);
    let s = heaven(p, true, r.range(120, 520), r.range(60, 100));
    s += `<path d="${path(below(ridge(r, width, 190, 40, 10)))}" fill="${mix(p[1], p[2], 0.5)}"/>`;
    s += `<path d="${path(below(ridge(r, width, 232, 16, 10)))}" fill="${shade}"/>`;
    for (let x = 4; x < width; x += r.range(9, 40))
      s += whiteFir(p, x, 238 + r.range(-8, 8), r.range(24, 46), snow);
    s += `<path d="${path(below(ridge(r, width, 262, 9, 10)))}" fill="${mix(shade, snow, 0.5)}"/>`;
    for (let x = r.range(40, 90); x < width - 70; x += r.range(92, 150))
      s += cottage(r, p, x, 284 + r.range(-8, 12), snow);
    s += `<path d="${path(below(ridge(r, width, 312, 10, 10)))}" fill="${snow}"/>`;
    for (let i = 0; i < 90; i++)
      s += disc(
        r.range(0, width),
        r.range(0, height),
        r.range(0.8, 2.3),
        '#ffffff',
        ` opacity="${n(r.range(0.35, 0.9))}"`,
      );
    return [sky(p, true) + glow('g', p[4], 0.7) + glow('l', p[4], 0.85), s];
  },
  /** A worn path through grass to the hills, with a cairn beside it. */
  trail(r: Random, p: Palette): Scene {
    const night = r.next() < 0.2;
    let s = heaven(p, night, r.range(120, 520), r.range(64, 120));
    for (let i = 0; i < 3; i++)
      s += `<path d="${path(below(ridge(r, width, 166 + i * 24, 34 - i * 9, 8, 1.3)))}" fill="${mix(night ? p[2] : mix(p[3], p[4], 0.4), p[2], i * 0.42)}"/>`;
    s += `<path d="${path(below(ridge(r, width, 236, 7, 10)))}" fill="${mix(p[2], p[1], 0.3)}"/>`;
    const side = r.next() < 0.5 ? 1 : -1,
      bend = (t: number): number => 320 + side * (Math.sin(t * 4.4) * 118 * (1 - t * 0.72) - 30);
    const edge = (d: number): Point[] =>
      Array.from({ length: 21 }, (_, i): Point => {
        const t = i / 20;
        return [bend(t) + d * (74 * (1 - t) ** 1.8 + 3), 372 - t * 142];
      });
    s += `<path d="${path([...edge(-1), ...edge(1).reverse()])}" fill="${mix(p[3], p[4], 0.55)}"/>`;
    s += `<path d="${path([...edge(-0.45), ...edge(0.4).reverse()])}" fill="${pale(p, 0.15)}" opacity=".6"/>`;
    for (let i = 0; i < 240; i++) {
      const y = 246 + r.next() ** 0.8 * 116,
        t = (372 - y) / 142,
        x = r.range(0, width);
      if (Math.abs(x - bend(t)) < 84 * (1 - t) ** 1.8 + 10) continue;
      s += `<path d="M${n(x)} ${n(y)}l${n(r.range(-3, 3))} ${n(-4 - (y - 240) * 0.11)}" ${stroke(mix(p[1], r.next() < 0.5 ? p[3] : p[0], 0.35), 1.4)}/>`;
    }
    const x = 320 - side * 200;
    for (const [i, w] of [62, 48, 36, 22].entries())
      s += `<ellipse cx="${n(x + r.range(-4, 4))}" cy="${n(322 - i * 19)}" rx="${w / 2}" ry="11.5" fill="${i === 3 ? p[4] : mix(p[0], p[2], 0.25 + i * 0.2)}"/>`;
    return [sky(p, night) + glow('g', p[4], 0.85), s];
  },
  /** A dry stone wall over the hills. */
  wall(r: Random, p: Palette): Scene {
    const night = r.next() < 0.2;
    let s = heaven(p, night, r.range(120, 520), r.range(64, 120));
    for (let i = 0; i < 4; i++)
      s += `<path d="${path(below(ridge(r, width, 150 + i * 28, 30 - i * 5, 8, 1.2)))}" fill="${mix(night ? p[2] : mix(p[3], p[4], 0.45), p[1], i * 0.26)}"/>`;
    const line = ridge(r, width, 232, 20, 10, 0.4);
    const tops = (x: number): number => line[Math.min(line.length - 1, Math.max(0, Math.round(x / 10)))]![1];
    s += `<path d="${path(below(line.map(([x, y]): Point => [x, y + 6])))}" fill="${p[0]}"/>`;
    for (let row = 0; row < 7; row++)
      for (let x = r.range(-30, -5); x < width; ) {
        const w = r.range(20, 46),
          y = tops(x + w / 2) + row * 20,
          tone = mix(p[1], r.pick([p[2], p[3], p[3]]), r.range(0.3, 1));
        if (row === 0)
          s += rect(
            x,
            y - 16,
            13,
            24,
            mix(p[2], p[3], r.range(0, 0.8)),
            ` rx="4" transform="rotate(${n(r.range(-9, 9))} ${n(x)} ${n(y)})"`,
          );
        s +=
          rect(x, y + r.range(-1, 1), w - 2, 18, tone, ' rx="5"') +
          rect(x + 4, y + 2, w * 0.55, 3, mix(tone, p[4], 0.3), ' rx="1.5"');
        x += row === 0 ? 15 : w;
      }
    for (let x = 0; x < width; x += r.range(5, 14))
      s += `<path d="M${n(x)} 366q${n(r.range(-5, 5))} -14 ${n(r.range(-8, 8))} ${n(r.range(-34, -16))}" ${stroke(mix(p[0], p[1], r.next()), 2.4)}/>`;
    return [sky(p, night) + glow('g', p[4], 0.8), s];
  },
};

/** A root that hangs down and ends in a light. */
function root(r: Random, p: Palette, x: number, y: number, long: number): string {
  const sway = r.range(-26, 26),
    end: Point = [x + sway, y + long];
  const side = r.range(0.45, 0.7);
  return (
    `<path d="M${n(x)} ${n(y - 60)}C${n(x)} ${n(y)} ${n(x + sway * 1.5)} ${n(y + long * 0.4)} ${n(end[0])} ${n(end[1])}" ${stroke(mix(p[1], p[2], 0.6), 3.4)}/>` +
    `<path d="M${n(x + sway * 0.7)} ${n(y + long * side)}q${n(sway > 0 ? 16 : -16)} 8 ${n(sway > 0 ? 13 : -13)} ${n(long * 0.3)}" ${stroke(mix(p[1], p[2], 0.6), 2)}/>` +
    disc(end[0], end[1], 24, 'url(#l)') +
    disc(end[0], end[1], 5, pale(p, 0.5))
  );
}

/** A fern leaf from `x` at the foot of the drawing. */
function fernLeaf(r: Random, x: number, foot: number, tall: number, color: string): string {
  const lean = r.range(-0.6, 0.6),
    tip: Point = [x + lean * tall, foot - tall];
  let d = `<path d="M${n(x)} ${foot}Q${n(x)} ${n(foot - tall * 0.6)} ${n(tip[0])} ${n(tip[1])}" ${stroke(color, 2.2)}/>`;
  for (let i = 1; i < 8; i++) {
    const t = i / 8,
      px = x + lean * tall * t * t,
      py = foot - tall * (t * 1.15 - t * t * 0.15),
      w = tall * 0.3 * (1 - t * 0.8);
    d += `<path d="M${n(px)} ${n(py)}q${n(-w * 0.4)} ${n(-w * 0.6)} ${n(-w)} ${n(-w * 0.3)}q${n(w * 0.4)} ${n(w * 0.5)} ${n(w)} ${n(w * 0.3)}q${n(w * 0.4)} ${n(-w * 0.6)} ${n(w)} ${n(-w * 0.3)}q${n(-w * 0.4)} ${n(w * 0.5)} ${n(-w)} ${n(w * 0.3)}Z" fill="${color}"/>`;
  }
  return d;
}

const barn = (p: Palette, x: number, foot: number, night: boolean): string =>
  `${rect(x, foot - 44, 78, 44, mix(p[2], p[1], 0.5))}<path d="M${x - 8} ${foot - 42}L${x + 12} ${foot - 72}H${x + 66}L${x + 86} ${foot - 42}Z" fill="${p[0]}"/>` +
  rect(x + 30, foot - 26, 18, 26, p[0]) +
  rect(x + 10, foot - 32, 11, 11, night ? p[4] : p[3]) +
  rect(x + 57, foot - 32, 11, 11, p[4]);

const whiteFir = (p: Palette, x: number, foot: number, h: number, snow: string): string =>
  `<path d="${path([
    [x - h * 0.3, foot],
    [x, foot - h],
    [x + h * 0.3, foot],
  ])}" fill="${mix(p[0], p[1], 0.6)}"/><path d="${path([
    [x - h * 0.14, foot - h * 0.5],
    [x, foot - h],
    [x + h * 0.1, foot - h * 0.6],
    [x, foot - h * 0.7],
  ])}" fill="${snow}"/>`;

function cottage(r: Random, p: Palette, x: number, foot: number, snow: string): string {
  const w = r.range(54, 74),
    tall = r.range(28, 38),
    wall = mix(p[1], p[0], 0.35);
  let s = rect(x + w * 0.68, foot - tall - 34, 10, 26, p[0]) + rect(x, foot - tall, w, tall, wall);
  s += `<path d="${path([
    [x - 9, foot - tall + 3],
    [x + w / 2, foot - tall - w * 0.48],
    [x + w + 9, foot - tall + 3],
  ])}" fill="${snow}"/>`;
  for (const at of [0.2, 0.62])
    s +=
      disc(x + w * at + 5, foot - tall * 0.5, 17, 'url(#l)') +
      rect(x + w * at, foot - tall * 0.7, 11, 12, p[4]);
  return s;
}
