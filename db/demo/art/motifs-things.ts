import { disc, gear, mix, n, type Point, path, rect, stroke, waves } from './draw.ts';
import type { Palette } from './palettes.ts';
import type { Random } from './random.ts';

const ground = (p: Palette, night: boolean): string => rect(0, 0, 64, 64, night ? p[0] : p[4]);
const round = (x: number, y: number, w: number, h: number, f: string, radius = 2): string =>
  rect(x, y, w, h, f, ` rx="${radius}"`);

/** Motifs of things that people make on a 64 grid. */
export const thingMotifs = {
  /** A hanging lantern with its light. */
  lantern(r: Random, p: Palette): string {
    const y = r.range(-1, 3);
    let s = rect(0, 0, 64, 64, p[0]);
    s += disc(32, 35 + y, 29, mix(p[0], p[1], 0.6)) + disc(32, 35 + y, 20, p[1]);
    s += `<path d="M32 -2V${n(14 + y)}" ${stroke(p[2], 2.4)}/><path d="M26 ${n(17 + y)}Q32 ${n(9 + y)} 38 ${n(17 + y)}" ${stroke(p[2], 2.4)}/>`;
    s +=
      round(22, 17 + y, 20, 5, p[2]) + round(24, 22 + y, 16, 24, p[3], 3) + round(28, 26 + y, 8, 17, p[4], 4);
    return s + rect(31, 22 + y, 2, 24, mix(p[2], p[3], 0.4)) + round(21, 45 + y, 22, 6, p[2]);
  },
  /** A candle flame. */
  flame(r: Random, p: Palette): string {
    const lean = r.range(-3, 3);
    const drop = (w: number, top: number, foot: number, color: string) =>
      `<path d="M32 ${foot}C${n(32 - w)} ${foot} ${n(32 - w)} ${n(foot - w * 1.3)} ${n(32 + lean)} ${top}C${n(32 + w)} ${n(foot - w * 1.3)} ${n(32 + w)} ${foot} 32 ${foot}Z" fill="${color}"/>`;
    let s = rect(0, 0, 64, 64, p[0]) + disc(32, 28, 27, mix(p[0], p[1], 0.6)) + disc(32, 28, 18, p[1]);
    s += drop(15, 8, 42, p[2]) + drop(10.5, 17, 41, p[3]) + drop(5.5, 27, 40, p[4]);
    return s + rect(31, 40, 2, 6, p[1]) + round(24, 45, 16, 22, p[4], 3) + rect(35, 46, 5, 20, p[3]);
  },
  /** A gear wheel, another one turns beside it. */
  gear(r: Random, p: Palette): string {
    const night = r.next() < 0.6,
      [big, hub, small] = night ? [p[3], p[1], p[2]] : [p[1], p[3], p[2]];
    const turn = r.range(0, 0.6),
      corner = r.pick<Point>([
        [60, 58],
        [4, 58],
        [60, 6],
      ]);
    let s = `${ground(p, night)}<path d="${gear(corner[0], corner[1], 21, 9, turn)}" fill="${small}"/>`;
    s += disc(corner[0], corner[1], 6, night ? p[0] : p[4]);
    const x = corner[0] > 32 ? 27 : 37,
      y = corner[1] > 32 ? 28 : 37;
    s += `<path d="${gear(x, y, 24, r.int(8, 10), turn)}" fill="${big}"/>${disc(x, y, 11.5, hub)}`;
    return s + disc(x, y, 5, night ? p[4] : p[0]);
  },
  /** A water wheel in a stream. */
  wheel(r: Random, p: Palette): string {
    const night = r.next() < 0.4,
      wood = night ? p[3] : p[1],
      turn = r.range(0, 0.7);
    let s = ground(p, night) + disc(r.range(46, 54), r.range(8, 14), 6, night ? p[4] : p[3]);
    for (let i = 0; i < 8; i++) {
      const a = turn + (i * Math.PI) / 4,
        [dx, dy] = [Math.cos(a), Math.sin(a)];
      s += `<path d="M32 32L${n(32 + dx * 25)} ${n(32 + dy * 25)}" ${stroke(wood, 2.4)}/>`;
      s += `<path d="M${n(32 + dx * 21 - dy * 4)} ${n(32 + dy * 21 + dx * 4)}L${n(32 + dx * 28 - dy * 4)} ${n(32 + dy * 28 + dx * 4)}L${n(32 + dx * 28 + dy * 3)} ${n(32 + dy * 28 - dx * 3)}L${n(32 + dx * 21 + dy * 3)} ${n(32 + dy * 21 - dx * 3)}Z" fill="${night ? p[2] : p[0]}"/>`;
    }
    s += `<circle cx="32" cy="32" r="20" ${stroke(wood, 3)}/><circle cx="32" cy="32" r="12" ${stroke(wood, 2)}/>${disc(32, 32, 4.5, night ? p[4] : p[0])}`;
    s += `<path d="${waves(r.range(-20, -8), 49, 22, 2.4, 64)}" fill="${p[2]}"/>`;
    return (
      s +
      `<path d="${waves(r.range(-24, -8), 56, 26, 2.4, 64)}" fill="${mix(p[2], night ? p[1] : p[3], 0.5)}"/>`
    );
  },
  /** An open book with a bookmark. */
  book(r: Random, p: Palette): string {
    const night = r.next() < 0.65,
      paper = night ? p[4] : mix(p[4], '#ffffff', 0.55);
    let s = rect(0, 0, 64, 64, night ? p[0] : p[3]) + disc(32, 34, 28, night ? p[1] : mix(p[3], p[4], 0.4));
    s += `<path d="M6 50V18Q20 12 32 19Q44 12 58 18V50Q44 45 32 52Q20 45 6 50Z" fill="${night ? p[2] : p[1]}"/>`;
    s += `<path d="M10 46V17Q21 12 32 19V49Q21 42 10 46Z" fill="${paper}"/><path d="M54 46V17Q43 12 32 19V49Q43 42 54 46Z" fill="${mix(paper, p[3], 0.28)}"/>`;
    for (let i = 0; i < 4; i++) {
      const y = 24 + i * 5.4,
        w = i === 3 ? r.range(5, 9) : 13;
      s += `<path d="M14 ${n(y)}q7 -2.6 ${n(w)} 1" ${stroke(p[2], 1.5)}/><path d="M37 ${n(y + 1.5)}q7 -3.6 ${n(r.range(8, 13))} -1.6" ${stroke(p[2], 1.5)}/>`;
    }
    return `${s}<path d="M44 14.6V30L47.5 26.6L51 30V15.4Q47 14.4 44 14.6Z" fill="${night ? p[2] : p[0]}"/>`;
  },
  /** A bell under its beam. */
  bell(r: Random, p: Palette): string {
    const night = r.next() < 0.5,
      [a, b] = night ? [p[3], p[4]] : [p[1], p[2]],
      swing = r.range(-9, 9);
    let s = ground(p, night) + disc(32, 36, 25, night ? p[1] : p[3]);
    s += rect(0, 7, 64, 6, night ? p[2] : p[0]);
    s += `<g transform="rotate(${n(swing)} 32 12)">${rect(30, 12, 4, 6, night ? p[2] : p[0])}<path d="M32 16C43 16 43 28 45 38C46 43 49 45 50 48H14C15 45 18 43 19 38C21 28 21 16 32 16Z" fill="${a}"/><path d="M32 16C25 16 25 30 24 38C23.5 43 22 45 21 48H14C15 45 18 43 19 38C21 28 21 16 32 16Z" fill="${b}"/>${disc(32, 51, 4, night ? p[4] : p[0])}${rect(15, 43, 34, 2, night ? p[2] : p[0])}</g>`;
    return s;
  },
  /** A sailing boat. */
  ship(r: Random, p: Palette): string {
    const night = r.next() < 0.4,
      sail = night ? p[4] : mix(p[4], '#ffffff', 0.5);
    let s =
      rect(0, 0, 64, 64, night ? p[0] : p[3]) +
      disc(r.range(12, 52), r.range(12, 18), 7, night ? p[3] : p[4]);
    s += `<path d="${waves(-14, 45, 30, 3, 64)}" fill="${night ? p[1] : p[2]}"/>`;
    s += rect(30.6, 7, 2.4, 40, night ? p[2] : p[0]);
    s += `<path d="M29 10V40H11Q24 28 29 10Z" fill="${sail}"/><path d="M35 14V40H53Q42 32 35 14Z" fill="${mix(sail, p[2], 0.35)}"/>`;
    s += `<path d="M9 44H55Q52 54 44 55H20Q12 54 9 44Z" fill="${night ? p[2] : p[0]}"/>`;
    return `${s}<path d="${waves(r.range(-18, -6), 54, 24, 2.6, 64)}" fill="${p[1]}"/>`;
  },
  /** Stacks of coins. */
  coins(r: Random, p: Palette): string {
    const night = r.next() < 0.6;
    let s = ground(p, night) + disc(32, 30, 26, night ? p[1] : mix(p[3], p[4], 0.35));
    for (const [x, foot, count] of [
      [18, 54, r.int(3, 5)],
      [46, 54, r.int(2, 4)],
      [32, 58, r.int(5, 7)],
    ] as const)
      for (let i = 0; i < count; i++) {
        const y = foot - i * 5.2;
        s += `<path d="M${x - 11} ${n(y - 4)}V${n(y)}A11 4 0 0 0 ${x + 11} ${n(y)}V${n(y - 4)}Z" fill="${i % 2 ? p[2] : mix(p[2], p[1], 0.5)}"/><ellipse cx="${x}" cy="${n(y - 4)}" rx="11" ry="4" fill="${p[3]}"/>`;
        if (i === count - 1) s += `<ellipse cx="${x}" cy="${n(y - 4)}" rx="7" ry="2.3" fill="${p[4]}"/>`;
      }
    return s;
  },
  /** A bowl of soup, with steam. */
  bowl(r: Random, p: Palette): string {
    const night = r.next() < 0.55,
      [a, b, steam] = night ? [p[3], p[2], p[4]] : [p[1], p[2], p[2]];
    let s = ground(p, night) + disc(32, 34, 25, night ? p[1] : p[3]);
    for (const x of [23, 32, 41])
      s += `<path d="M${x} ${n(r.range(30, 32))}q${n(r.range(-6, -3))} -5 0 -10t0 -${n(r.range(7, 10))}" ${stroke(steam, 2.4)}/>`;
    s += `<path d="M10 36H54C54 48 45 56 32 56C19 56 10 48 10 36Z" fill="${a}"/><path d="M32 36H54C54 48 45 56 32 56Z" fill="${mix(a, p[0], 0.25)}"/>`;
    return (
      s +
      `<ellipse cx="32" cy="36" rx="22" ry="5.6" fill="${b}"/><ellipse cx="32" cy="37" rx="18" ry="3.8" fill="${night ? p[4] : p[3]}"/>` +
      round(23, 55, 18, 4, a)
    );
  },
  /** A crate with a label. */
  crate(r: Random, p: Palette): string {
    const night = r.next() < 0.5;
    let s = ground(p, night) + rect(9, 9, 46, 46, p[2]);
    for (let i = 0; i < 4; i++) s += rect(9, 9 + i * 11.5, 46, 10.3, mix(p[2], p[3], r.range(0.2, 0.75)));
    s +=
      rect(9, 9, 7, 46, p[1]) + rect(48, 9, 7, 46, p[1]) + rect(9, 9, 46, 6, p[1]) + rect(9, 49, 46, 6, p[1]);
    s += round(22, 24, 20, 15, night ? p[4] : mix(p[4], '#ffffff', 0.5));
    const lines = [28, 32.5].map((y) => rect(25, y, r.range(8, 14), 2, p[1])).join('');
    return (
      s + lines + [11.5, 50.5].flatMap((x) => [11, 51].map((y) => disc(x + 1, y + 1, 1.3, p[3]))).join('')
    );
  },
  /** A compass rose. */
  compass(r: Random, p: Palette): string {
    const night = r.next() < 0.5,
      [light, dark] = night ? [p[4], p[2]] : [p[2], p[0]],
      turn = r.range(-14, 14);
    const point = (a: number, far: number, near: number) => {
      const at = (angle: number, d: number): Point => [32 + Math.cos(angle) * d, 32 + Math.sin(angle) * d];
      const q = Math.PI / 4;
      return `<path d="${path([at(a, far), at(a - q, near), [32, 32]])}" fill="${light}"/><path d="${path([at(a, far), at(a + q, near), [32, 32]])}" fill="${dark}"/>`;
    };
    let rose = '';
    for (let i = 0; i < 4; i++) rose += point(Math.PI / 4 + (i * Math.PI) / 2, 16, 6);
    for (let i = 0; i < 4; i++) rose += point((i * Math.PI) / 2, 27, 7);
    const ring = `<circle cx="32" cy="32" r="20" ${stroke(night ? p[3] : p[1], 1.6)}/>`;
    return `${ground(p, night)}${disc(32, 32, 29, night ? p[1] : p[3])}<g transform="rotate(${n(turn)} 32 32)">${ring}${rose}</g>`;
  },
  /** A hammer on an anvil. */
  hammer(r: Random, p: Palette): string {
    const night = r.next() < 0.6,
      [iron, edge, handle] = night ? [p[2], p[3], p[4]] : [p[1], p[0], p[2]];
    let s = ground(p, night) + disc(r.range(26, 38), 28, 25, night ? p[1] : p[3]);
    s += `<path d="M8 42H52L58 37V44Q50 49 42 50V54L48 60H16L22 54V50Q12 49 8 42Z" fill="${iron}"/>${rect(8, 40, 46, 4, edge)}`;
    const tilt = n(r.range(-32, -20));
    return (
      s +
      `<g transform="rotate(${tilt} 38 26)">${round(20, 23, 36, 4.4, handle)}${round(16, 14, 12, 22, edge)}</g>`
    );
  },
  /** A sealed letter. */
  letter(r: Random, p: Palette): string {
    const night = r.next() < 0.5,
      paper = night ? p[4] : mix(p[4], '#ffffff', 0.5),
      tilt = n(r.range(-8, 8));
    const s = `${round(9, 17, 46, 31, paper)}<path d="M9 19L32 36L55 19V46L40 31M9 46L24 31" fill="${mix(paper, p[3], 0.3)}"/><path d="M9 17H55L32 36Z" fill="${mix(paper, p[3], 0.55)}"/>${disc(32, 34, 6, p[2])}${disc(32, 34, 3.4, p[1])}`;
    return `${rect(0, 0, 64, 64, night ? p[0] : p[3])}${disc(32, 32, 28, night ? p[1] : mix(p[3], p[2], 0.35))}<g transform="rotate(${tilt} 32 32)">${s}</g>`;
  },
  /** The bars of a sound. */
  note(r: Random, p: Palette): string {
    const night = r.next() < 0.65,
      count = r.pick([7, 9]),
      step = 52 / count;
    let s = ground(p, night) + disc(32, 32, 28, night ? p[1] : mix(p[3], p[4], 0.4));
    for (let i = 0; i < count; i++) {
      const middle = 1 - Math.abs(i - (count - 1) / 2) / count,
        h = 8 + 34 * middle ** 1.4 * r.range(0.55, 1),
        w = step * 0.62;
      s += round(
        6 + i * step + (step - w) / 2,
        32 - h / 2,
        w,
        h,
        i % 3 === 1 ? (night ? p[4] : p[0]) : night ? p[3] : p[2],
        w / 2,
      );
    }
    return s;
  },
};
