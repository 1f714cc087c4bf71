import { LRUCache } from 'lru-cache';
import { random } from '#db/demo/art/random.ts';

type Point = readonly [number, number];
/** One contour line: its SVG path and whether it is one of the thicker ones. */
export interface Contour {
  d: string;
  thick: boolean;
}

const levels = 12;
const n = (value: number) => Math.round(value);
const key = (p: Point) => `${p[0].toFixed(2)},${p[1].toFixed(2)}`;

/**
 * Contour lines of an invented landscape, deterministic per seed: the sum of six hills cut at twelve levels, every
 * fourth line thicker. Decoration behind headers. Source: looks §8.
 */
export function contours(seed: string, width: number, height: number, step = 26): Contour[] {
  const r = random(`contours ${seed}`);
  const hills = Array.from({ length: 6 }, () => ({
    x: r.range(0, width),
    y: r.range(-0.1, 1.1) * height,
    up: r.range(0.4, 1),
    wide: r.range(0.16, 0.34) * Math.max(width / 2, height),
  }));
  const columns = Math.ceil(width / step) + 3;
  const rows = Math.ceil(height / step) + 3;
  const ground = Array.from({ length: rows }, (_, j) =>
    Array.from({ length: columns }, (_, i) =>
      hills.reduce(
        (sum, { x, y, up, wide }) =>
          sum + up * Math.exp(-(((i - 1) * step - x) ** 2 + ((j - 1) * step - y) ** 2) / (2 * wide ** 2)),
        0,
      ),
    ),
  );
  const top = Math.max(...ground.flat());
  return Array.from({ length: levels }, (_, level) => ({
    d: cut(ground, (top * (level + 0.6)) / levels, step),
    thick: level % 4 === 3,
  })).filter(({ d }) => d !== '');
}

/** Some kilobytes each; lists and tabs show the same again and again. */
const drawn = new LRUCache<string, Contour[]>({ max: 300 });

/** What `contours` draws, kept: drawing takes several milliseconds. */
export function knownContours(seed: string, width: number, height: number): Contour[] {
  const name = `${width} ${height} ${seed}`;
  const known = drawn.get(name) ?? contours(seed, width, height);
  drawn.set(name, known);
  return known;
}

/**
 * Which edges of a square a line connects, by which corners are high (marching squares). Edges: top, right, bottom,
 * left.
 */
const joins: ReadonlyArray<ReadonlyArray<readonly [number, number]>> = [
  [],
  [[3, 0]],
  [[0, 1]],
  [[3, 1]],
  [[1, 2]],
  [
    [3, 0],
    [1, 2],
  ],
  [[0, 2]],
  [[3, 2]],
  [[2, 3]],
  [[2, 0]],
  [
    [0, 1],
    [2, 3],
  ],
  [[2, 1]],
  [[1, 3]],
  [[1, 0]],
  [[0, 3]],
  [],
];

function cut(ground: number[][], level: number, step: number): string {
  const ends = new Map<string, Array<[Point, Point]>>();
  const at = (a: number, b: number) => (level - a) / (b - a);
  for (let j = 0; j < ground.length - 1; j++) {
    for (let i = 0; i < ground[0]!.length - 1; i++) {
      const [a, b] = [ground[j]![i]!, ground[j]![i + 1]!];
      const [d, c] = [ground[j + 1]![i]!, ground[j + 1]![i + 1]!];
      const shape = +(a > level) | (+(b > level) << 1) | (+(c > level) << 2) | (+(d > level) << 3);
      const edge = (side: number): Point => {
        const [x, y] = [i - 1, j - 1];
        if (side === 0) return [(x + at(a, b)) * step, y * step];
        if (side === 1) return [(x + 1) * step, (y + at(b, c)) * step];
        if (side === 2) return [(x + at(d, c)) * step, (y + 1) * step];
        return [x * step, (y + at(a, d)) * step];
      };
      for (const [from, to] of joins[shape]!) {
        const line: [Point, Point] = [edge(from), edge(to)];
        for (const point of line) ends.set(key(point), [...(ends.get(key(point)) ?? []), line]);
      }
    }
  }
  return join(ends);
}

/** Joins segments end to end and smooths them: the curve passes the midpoints, with the points as control points. */
function join(ends: Map<string, Array<[Point, Point]>>): string {
  const used = new Set<[Point, Point]>();
  const walk = (start: Point, line: [Point, Point]): Point[] => {
    const points: Point[] = [start];
    for (let next: [Point, Point] | undefined = line; next; ) {
      used.add(next);
      const end: Point = key(next[0]) === key(points.at(-1)!) ? next[1] : next[0];
      points.push(end);
      next = ends.get(key(end))?.find((other) => !used.has(other));
    }
    return points;
  };
  let d = '';
  const open = [...ends].filter(([, lines]) => lines.length === 1);
  for (const [name, lines] of [...open, ...ends]) {
    for (const line of lines) {
      if (used.has(line)) continue;
      d += rounded(walk(key(line[0]) === name ? line[0] : line[1], line));
    }
  }
  return d;
}

function rounded(points: Point[]): string {
  const closed = points.length > 3 && key(points[0]!) === key(points.at(-1)!);
  const passed = closed ? points.slice(0, -1) : points;
  const middle = (p: Point, q: Point): Point => [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
  const at = ([x, y]: Point) => `${n(x)} ${n(y)}`;
  const turn = (k: number) => {
    const p = passed[k]!;
    return `Q${at(p)} ${at(middle(p, passed[(k + 1) % passed.length]!))}`;
  };
  const all = passed.map((_, k) => k);
  if (closed) return `M${at(middle(passed.at(-1)!, passed[0]!))}${all.map(turn).join('')}Z`;
  return `M${at(passed[0]!)}${all.slice(1, -1).map(turn).join('')}L${at(passed.at(-1)!)}`;
}
