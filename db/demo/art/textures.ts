import type { Random } from './random.ts';

/** Gives the brightness of one of eight by eight pixels, 0 to 1. */
export type Texture = (i: number, j: number) => number;

/** Kinds of textures; each call draws another variant. */
export const textures: ReadonlyArray<(r: Random) => Texture> = [
  stone,
  planks,
  bricks,
  grass,
  ore,
  pane,
  leaves,
  tiles,
  logs,
];

function stone(r: Random): Texture {
  const base = r.range(0.35, 0.6);
  return () => base + r.range(-0.14, 0.14);
}
function planks(r: Random): Texture {
  const base = r.range(0.4, 0.7);
  return (i, j) =>
    j % 4 === 3 ? base - 0.3 : base + r.range(-0.08, 0.08) - (i === (j < 4 ? 2 : 6) ? 0.22 : 0);
}
function bricks(r: Random): Texture {
  const base = r.range(0.45, 0.7);
  return (i, j) =>
    j % 4 === 3 || (i + (j < 4 ? 0 : 4)) % 8 === 3 ? base - 0.34 : base + r.range(-0.1, 0.06);
}
function grass(r: Random): Texture {
  const edge = Array.from({ length: 8 }, () => r.int(1, 3));
  return (i, j) => (j < edge[i]! ? r.range(0.62, 0.85) : r.range(0.2, 0.36));
}
function ore(r: Random): Texture {
  const [x, y] = [r.int(1, 4), r.int(1, 4)];
  const shines = (i: number, j: number) =>
    (i - x) ** 2 + (j - y) ** 2 < 3 || (i - x - 2) ** 2 + (j - y - 3) ** 2 < 2;
  return (i, j) => (shines(i, j) ? r.range(0.8, 1) : r.range(0.26, 0.44));
}
function pane(r: Random): Texture {
  const at = r.int(3, 9);
  return (i, j) =>
    i === 0 || j === 0 || i === 7 || j === 7 ? 0.25 : i + j === at || i + j === at + 1 ? 1 : 0.78;
}
function leaves(r: Random): Texture {
  return () => (r.next() < 0.25 ? 0.15 : r.range(0.35, 0.68));
}
function tiles(r: Random): Texture {
  const [a, b] = [r.range(0.2, 0.4), r.range(0.65, 0.95)];
  const k = r.pick([2, 4]);
  return (i, j) => ((Math.floor(i / k) + Math.floor(j / k)) % 2 ? a : b) + r.range(-0.04, 0.04);
}
function logs(r: Random): Texture {
  const dark = Array.from({ length: 8 }, () => r.range(0.2, 0.5));
  return (i, j) => dark[i]! + (r.next() < 0.15 ? -0.12 : 0) + (j === 0 ? 0.08 : 0);
}
