import { disc, mix, n, type Point, path, rect, ridge, stroke } from './draw.ts';
import type { Palette } from './palettes.ts';
import type { Random } from './random.ts';

const ground = (p: Palette, night: boolean): string => rect(0, 0, 64, 64, night ? p[0] : p[4]);

/** Motifs of buildings and signs on a 64 grid. */
export const placeMotifs = {
  /** A small house with a lit window. */
  house(r: Random, p: Palette): string {
    const night = r.next() < 0.65,
      wall = night ? p[2] : p[3],
      x = r.range(-3, 3);
    let s = ground(p, night) + disc(r.range(10, 20), r.range(10, 16), 6, night ? p[4] : p[3]);
    s += `<path d="${path([...ridge(r, 64, 44, 4, 8, 0.4), [72, 70], [0, 70]])}" fill="${night ? p[1] : p[2]}"/>`;
    s +=
      rect(41 + x, 14, 6, 16, p[1]) +
      rect(17 + x, 32, 32, 25, wall) +
      rect(40 + x, 32, 9, 25, mix(wall, p[0], 0.25));
    s += `<path d="M${n(11 + x)} 35L${n(33 + x)} 15L${n(55 + x)} 35Z" fill="${night ? p[1] : p[0]}"/><path d="M${n(11 + x)} 35L${n(33 + x)} 15V19L${n(15 + x)} 35Z" fill="${night ? p[3] : p[1]}"/>`;
    s += rect(22 + x, 38, 9, 9, p[4]) + rect(26 + x, 38, 1.4, 9, p[1]) + rect(22 + x, 42, 9, 1.4, p[1]);
    s += rect(36 + x, 42, 8, 15, p[0]);
    return (
      s +
      `<path d="${path([...ridge(r, 64, 57, 1.5, 8, 0.3), [72, 70], [0, 70]])}" fill="${night ? p[3] : p[1]}"/>`
    );
  },
  /** A town gate with its grating. */
  arch(r: Random, p: Palette): string {
    const night = r.next() < 0.4,
      stones = night ? p[2] : p[1],
      raised = r.range(0, 9);
    let s = ground(p, night) + disc(r.range(40, 54), r.range(8, 14), 6, night ? p[4] : p[3]);
    s += rect(8, 20, 48, 44, stones);
    for (let i = 0; i < 4; i++) s += rect(8 + i * 13, 12, 9, 10, stones);
    for (let row = 0; row < 4; row++)
      for (let i = 0; i < 3; i++)
        if (r.next() < 0.6)
          s += rect(11 + i * 15 + (row % 2) * 5, 25 + row * 9, 9, 5, mix(stones, night ? p[3] : p[2], 0.5));
    s += `<path d="M19 64V42A13 13 0 0 1 45 42V64Z" fill="${night ? p[0] : p[4]}"/>`;
    for (let i = 0; i < 4; i++) s += rect(22.6 + i * 5.6, 29, 1.8, 26 - raised, night ? p[3] : p[0]);
    for (let i = 0; i < 3; i++) s += rect(20, 38 - raised / 3 + i * 6, 24, 1.6, night ? p[3] : p[0]);
    return `${s}<path d="M19 42A13 13 0 0 1 45 42" ${stroke(night ? p[3] : p[0], 2.6)}/>`;
  },
  /** Stones of a wall without mortar. */
  wall(r: Random, p: Palette): string {
    const night = r.next() < 0.5;
    let s = rect(0, 0, 64, 64, p[0]);
    for (let y = -3; y < 64; ) {
      const h = r.range(9, 13.5);
      for (let x = r.range(-10, -2); x < 66; ) {
        const w = r.range(10, 21),
          tone = r.pick(night ? [p[1], p[2], p[2], p[3]] : [p[2], p[3], p[3], p[4]]);
        const corners: Point[] = [
          [x + r.range(0, 1.6), y + r.range(0, 1.4)],
          [x + w - r.range(0.8, 2.2), y + r.range(0, 1.8)],
          [x + w - r.range(0.6, 1.6), y + h - r.range(0.8, 1.8)],
          [x + r.range(0, 1.4), y + h - r.range(0.6, 1.8)],
        ];
        s += `<path d="${path(corners)}" fill="${tone}" stroke="${tone}" stroke-width="1.6" stroke-linejoin="round"/>`;
        s += rect(x + 2.5, y + 1.6, w * 0.5, 1.4, mix(tone, p[4], 0.4), ' rx=".7"');
        x += w + 0.9;
      }
      y += h + 0.9;
    }
    return s;
  },
  /** Tiles of a roof. */
  roof(r: Random, p: Palette): string {
    const w = 13;
    let s = rect(0, 0, 64, 64, p[1]);
    for (let row = 6; row >= -1; row--)
      for (let i = -1; i < 6; i++) {
        const x = i * w - (row % 2 ? w / 2 : 0) - r.range(0, 0.4),
          y = row * 10 - 6,
          turned = r.next(),
          tone = turned < 0.28 ? p[3] : turned < 0.4 ? p[4] : turned < 0.72 ? p[2] : mix(p[1], p[2], 0.5);
        s += `<path d="M${n(x)} ${y}h${w - 0.8}v11a${(w - 0.8) / 2} ${(w - 0.8) / 2} 0 0 1 ${0.8 - w} 0Z" fill="${tone}" stroke="${p[0]}" stroke-width=".9"/>`;
      }
    return s;
  },
  /** A window of leaded panes. */
  panes(r: Random, p: Palette): string {
    let s = rect(0, 0, 64, 64, p[0]);
    const q = 11;
    for (let j = 0; j < 6; j++)
      for (let i = 0; i < 6; i++) {
        const x = i * q - 1 + (j % 2 ? q / 2 : 0),
          y = j * q + 4,
          tone = r.pick([p[1], p[2], p[3], p[3], p[4]]);
        s += `<path d="${path([
          [x, y - q + 1.2],
          [x + q / 2 - 0.5, y],
          [x, y + q - 1.2],
          [x - q / 2 + 0.5, y],
        ])}" fill="${tone}"/>`;
      }
    return (
      s +
      `<path d="M0 0H64V64H0ZM6 58H58V28A26 24 0 0 0 6 28Z" fill="${p[0]}" fill-rule="evenodd"/><path d="M6 58V28A26 24 0 0 1 58 28V58Z" ${stroke(p[2], 2)}/>`
    );
  },
  /** A letter with serifs between guide lines. */
  type(r: Random, p: Palette): string {
    const light = r.next() < 0.6,
      ink = light ? p[0] : p[4],
      line = light ? p[3] : p[1];
    let s = rect(0, 0, 64, 64, light ? p[4] : p[0]);
    for (const y of [13, 34, 52]) s += rect(0, y - 0.6, 64, 1.2, line);
    s += `<path d="M28 13H37L51 48H55V52H39V48H43.600L40.6 40H23.400L20.6 48H25.500V52H9V48H13.200L26.6 17.500ZM32 18.600L25 36H39Z" fill="${ink}" fill-rule="evenodd"/>`;
    return s + disc(57, 13, 2, p[2]) + rect(3, 48, 2, 8, p[2]);
  },
  /** A heart of squares. */
  heart(r: Random, p: Palette): string {
    const night = r.next() < 0.6,
      rows = ['.##.##.', '#######', '#######', '.#####.', '..###..', '...#...'];
    let s = ground(p, night);
    for (const [j, row] of rows.entries())
      for (const [i, cell] of [...row].entries()) {
        if (cell === '.') continue;
        const tone = j === 1 && i === 1 ? p[4] : i + j > 6 ? p[1] : r.next() < 0.2 ? p[3] : p[2];
        s += rect(4.5 + i * 7.9, 9 + j * 7.9, 8, 8, tone);
      }
    return s;
  },
  /** Rails towards the horizon. */
  rails(r: Random, p: Palette): string {
    const night = r.next() < 0.4,
      x = r.range(28, 36);
    let s = ground(p, night) + disc(r.range(12, 52), r.range(12, 18), 7, night ? p[4] : p[3]);
    s += `<path d="${path([...ridge(r, 64, 26, 4, 8, 0.8), [72, 70], [0, 70]])}" fill="${night ? p[1] : p[3]}"/><path d="M0 32H64V64H0Z" fill="${night ? mix(p[1], p[2], 0.5) : p[2]}"/>`;
    for (let i = 0; i < 8; i++) {
      const t = (i / 7) ** 1.7,
        y = 33 + t * 31,
        w = 3 + t * 25;
      s += rect(x - w + (32 - x) * t, y, w * 2, 1 + t * 4, night ? p[0] : p[1]);
    }
    for (const d of [-1, 1])
      s += `<path d="${path([
        [x + d * 1.2, 32],
        [x + d * 2, 32],
        [32 + d * 24, 66],
        [32 + d * 18, 66],
      ])}" fill="${night ? p[4] : p[0]}"/>`;
    return s;
  },
};
