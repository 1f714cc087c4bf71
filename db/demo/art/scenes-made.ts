import { disc, gear, mix, n, path, rect, ridge, stroke } from './draw.ts';
import type { Palette } from './palettes.ts';
import type { Random } from './random.ts';
import { downwards, glow, height, pale, type Scene, width } from './sky.ts';

/** Scenes of workshops, type and sound. */
export const madeScenes = {
  /** A workshop: gear wheels on a shaft, belts, a window. */
  workshop(r: Random, p: Palette): Scene {
    const wall = mix(p[1], p[0], 0.25),
      floor = 292;
    let s = rect(0, 0, width, height, wall);
    for (let y = 0; y < floor; y += 26)
      for (let x = y % 52 ? -30 : 0; x < width; x += 60)
        s += rect(x + 1, y + 1, 58, 24, mix(wall, p[2], r.range(0, 0.12)));
    const wx = r.range(230, 330);
    s +=
      rect(wx - 10, 34, 180, 132, p[0]) +
      rect(wx, 44, 160, 112, 'url(#s)') +
      disc(wx + r.range(40, 120), 92, 90, 'url(#g)');
    s += rect(wx + 76, 44, 8, 112, p[0]) + rect(wx, 96, 160, 7, p[0]);
    s += rect(0, floor, width, height - floor, p[0]);
    for (let x = 0; x < width; x += 80) s += rect(x, floor + 4, 77, 5, mix(p[0], p[1], 0.5));
    s += `<path d="${path([
      [wx + 10, floor],
      [wx + 150, floor],
      [wx + 60, height],
      [wx - 130, height],
    ])}" fill="${p[4]}" opacity=".16"/>`;
    s += rect(0, 196, width, 10, mix(p[0], p[2], 0.5));
    const wheels = [
      [r.range(70, 110), r.range(46, 62), 12],
      [r.range(205, 235), r.range(66, 86), 16],
      [r.range(420, 450), r.range(50, 66), 12],
      [r.range(545, 575), r.range(66, 84), 16],
    ] as const;
    for (const [i, [x, size, teeth]] of wheels.entries()) {
      const [rim, face] = i % 2 ? [p[3], mix(p[2], p[1], 0.3)] : [mix(p[3], p[4], 0.4), p[2]];
      s += `<path d="${gear(x + 4, 206, size, teeth, i)}" fill="${p[0]}" opacity=".5"/><path d="${gear(x, 201, size, teeth, i)}" fill="${rim}"/>`;
      s +=
        disc(x, 201, size * 0.66, face) +
        spokes(x, 201, size * 0.64, i, rim) +
        disc(x, 201, size * 0.18, p[0]);
    }
    const [a, b] = [wheels[0], wheels[2]];
    s += `<path d="M${n(a[0])} ${n(201 - a[1] * 0.3)}L${n(b[0])} ${n(201 - b[1] * 0.3)}M${n(a[0])} ${n(201 + a[1] * 0.3)}L${n(b[0])} ${n(201 + b[1] * 0.3)}" ${stroke(mix(p[0], p[2], 0.2), 5)}/>`;
    s +=
      rect(24, floor - 26, 190, 12, p[3]) +
      rect(40, floor - 14, 12, 40, p[2]) +
      rect(186, floor - 14, 12, 40, p[2]);
    for (let x = 34; x < 190; x += r.range(18, 38))
      s += rect(x, floor - 26 - r.range(8, 24), r.range(8, 18), 26, mix(p[2], p[4], r.next()), ' rx="2"');
    return [downwards('s', [pale(p, 0.3), p[4], p[3]]) + glow('g', pale(p, 0.6), 0.8), s];
  },
  /** A specimen of a typeface: one large letter, lines of text, figures. */
  specimen(r: Random, p: Palette): Scene {
    const light = r.next() < 0.7,
      paper = light ? pale(p, 0.35) : p[0],
      ink = light ? p[0] : p[4],
      dim = light ? p[3] : p[1];
    let s = rect(0, 0, width, height, paper);
    for (const y of [70, 176, 268]) s += rect(0, y, width, 1.4, dim);
    s += `<g transform="translate(24 18) scale(4.62)"><path d="M28 13H37L51 48H55V52H39V48H43.600L40.6 40H23.400L20.6 48H25.500V52H9V48H13.200L26.6 17.500ZM32 18.600L25 36H39Z" fill="${ink}" fill-rule="evenodd"/></g>`;
    for (let row = 0; row < 9; row++) {
      const y = 74 + row * 21.5,
        tall = row < 2 ? 13 : 9;
      for (let x = 322; x < 596; ) {
        const w = r.range(14, 62);
        if (x + w > 600 || (row === 8 && x > 470)) break;
        s += word(r, x, y, w, tall, row < 2 ? ink : mix(ink, paper, 0.25));
        x += w + 9;
      }
    }
    for (let i = 0; i < 10; i++)
      s +=
        rect(40 + i * 56, 300, 34, 34, i % 3 === 0 ? p[2] : dim, ' rx="3"') +
        rect(49 + i * 56, 309, 16, 16, paper, ' rx="8"');
    return ['', s];
  },
  /** A sound as bars over quiet hills. */
  sound(r: Random, p: Palette): Scene {
    let s = rect(0, 0, width, height, 'url(#s)') + disc(320, 180, 260, 'url(#g)');
    for (let i = 0; i < 3; i++)
      s += `<path d="${path([...ridge(r, width, 270 + i * 26, 24, 10), [660, 380], [0, 380]])}" fill="${mix(p[1], p[0], 0.3 + i * 0.3)}"/>`;
    const phase = r.range(0, 6);
    for (let i = 0; i < 58; i++) {
      const x = 30 + i * 10,
        swell = Math.sin((i / 57) * Math.PI) ** 0.8,
        h = 8 + swell * (60 + 70 * Math.abs(Math.sin(i * 0.37 + phase))) * r.range(0.45, 1.15);
      s += rect(x, 168 - h / 2, 6, h, i % 7 === 3 ? pale(p, 0.4) : mix(p[3], p[4], swell * 0.7), ' rx="3"');
    }
    s += rect(30, 250, 580, 2, p[2]) + disc(30 + r.range(120, 420), 251, 6, p[4]);
    return [downwards('s', [p[0], mix(p[0], p[1], 0.8), mix(p[1], p[2], 0.6)]) + glow('g', p[3], 0.35), s];
  },
};

const spokes = (x: number, y: number, radius: number, turn: number, color: string): string =>
  Array.from({ length: 6 }, (_, i) => {
    const a = turn + (i * Math.PI) / 3;
    return `<path d="M${n(x)} ${n(y)}L${n(x + Math.cos(a) * radius)} ${n(y + Math.sin(a) * radius)}" ${stroke(color, radius * 0.14)}/>`;
  }).join('');

/** A word of letters as small bars with ascenders. */
function word(r: Random, x: number, y: number, w: number, tall: number, color: string): string {
  let s = '';
  for (let at = x; at < x + w - 3; at += tall * 0.62) {
    const up = r.next() < 0.25 ? tall * 0.45 : 0;
    s += rect(at, y - up, tall * 0.4, tall + up, color, ' rx="1"');
  }
  return s;
}
