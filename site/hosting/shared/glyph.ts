/** The picture of a server, made from its ID. Pure. */

/** A shape of the picture, 32 by 32: an SVG path, and which of its five shades fills it, from dark to light. */
interface GlyphShape {
  d: string;
  shade: 0 | 1 | 2 | 3 | 4;
}
export interface Glyph {
  /** One of the five colors of pictures. */
  color: 1 | 2 | 3 | 4 | 5;
  shapes: readonly GlyphShape[];
}

/** Numbers from 0 to 1, always the same ones for the same ID. */
function numbersOf(id: string): () => number {
  let state = [...id].reduce(
    (sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 16_777_619),
    2_166_136_261,
  );
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

type Motif = (next: () => number) => GlyphShape[];
const whole = 'M0 0H32V32H0Z';
const disc = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
const between = (next: () => number, from: number, to: number) => Math.round(from + next() * (to - from));

const dunes: Motif = (next) => [
  { d: whole, shade: 4 },
  { d: disc(between(next, 8, 24), 10, 4), shade: 3 },
  ...([3, 2, 1, 0] as const).map((shade, i) => {
    const y = 12 + i * 5;
    const bend = between(next, -4, 4);
    return { d: `M0 ${y}C10 ${y - bend} 20 ${y + bend} 32 ${y - 1}V32H0Z`, shade };
  }),
];

const mountains: Motif = (next) => {
  const peak = between(next, 8, 14);
  const second = between(next, 19, 26);
  return [
    { d: whole, shade: 4 },
    { d: disc(between(next, 15, 20), 11, 5), shade: 3 },
    { d: `M0 25L${peak} 12L24 32H0Z`, shade: 2 },
    { d: `M6 32L${second} 15L32 24V32Z`, shade: 1 },
    { d: 'M0 29L16 25L32 29V32H0Z', shade: 0 },
  ];
};

const quilt: Motif = (next) => [
  { d: whole, shade: 0 },
  ...[0, 16].flatMap((x) =>
    [0, 16].map((y) => {
      const turn = between(next, 0, 3);
      const arcs = ['M0 0H16A16 16 0 0 1 0 16Z', 'M16 0V16A16 16 0 0 1 0 0Z'];
      const more = ['M16 16H0A16 16 0 0 1 16 0Z', 'M0 16V0A16 16 0 0 1 16 16Z'];
      return {
        d: shifted([...arcs, ...more][turn]!, x, y),
        shade: ([1, 2, 3, 4] as const)[between(next, 0, 3)]!,
      };
    }),
  ),
];
const shifted = (d: string, x: number, y: number) =>
  d
    .replace(/M(\d+) (\d+)/, (_, a, b) => `M${Number(a) + x} ${Number(b) + y}`)
    .replace(/H(\d+)/, (_, a) => `H${Number(a) + x}`)
    .replace(/V(\d+)/, (_, b) => `V${Number(b) + y}`)
    .replace(/ (\d+) (\d+)Z/, (_, a, b) => ` ${Number(a) + x} ${Number(b) + y}Z`);

const rings: Motif = (next) => {
  const [x, y] = [between(next, 0, 1) * 32, between(next, 0, 1) * 32];
  return [
    { d: whole, shade: 0 },
    ...([1, 2, 3, 4] as const).map((shade, i) => ({ d: disc(x, y, 28 - i * 7), shade })),
    { d: disc(Math.abs(x - 26), Math.abs(y - 26), 2), shade: 4 },
  ];
};

const steps: Motif = (next) => {
  const rise = between(next, 5, 7);
  return [
    { d: whole, shade: 1 },
    ...([4, 3, 2, 0] as const).map((shade, i) => ({
      d: `M${i * 8} ${31 - rise * (4 - i)}H32V32H${i * 8}Z`,
      shade,
    })),
  ];
};

const weave: Motif = (next) => {
  const [across, down] = between(next, 0, 1) ? ([2, 3] as const) : ([3, 1] as const);
  return [
    { d: whole, shade: 0 },
    { d: 'M0 4H32V12H0ZM0 20H32V28H0Z', shade: across },
    { d: 'M4 0H12V16H4ZM20 16H28V32H20Z', shade: down },
    { d: 'M4 28H12V32H4ZM20 0H28V4H20Z', shade: 4 },
  ];
};

const motifs = [dunes, mountains, quilt, rings, steps, weave];

/** The same picture for the same ID. */
export function glyphOf(id: string): Glyph {
  const next = numbersOf(id);
  next();
  const color = (Math.floor(next() * 5) + 1) as Glyph['color'];
  return { color, shapes: motifs[Math.floor(next() * motifs.length)]!(next) };
}
