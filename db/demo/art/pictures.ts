import { landMotifs } from './motifs-land.ts';
import { madeMotifs } from './motifs-made.ts';
import { type PaletteName, paletteNames, palettes } from './palettes.ts';
import { random } from './random.ts';
import { blockScenes } from './scenes-blocks.ts';
import { flatScenes } from './scenes-flat.ts';
import { landScenes } from './scenes-land.ts';
import { height, width } from './sky.ts';

const motifs = { ...landMotifs, ...madeMotifs };
export type Motif = keyof typeof motifs;

/** Motifs for each project type. Source: looks §8. */
export const motifsByType: Record<string, readonly Motif[]> = {
  mod: ['voxel', 'block', 'crystal', 'frond', 'rune', 'orbit', 'contour'],
  modpack: ['cairn', 'ridge', 'strata', 'voxel'],
  plugin: ['rune', 'orbit', 'tiles', 'weave'],
  datapack: ['contour', 'strata', 'rune'],
  resourcepack: ['block', 'tiles', 'weave', 'frond'],
  shader: ['ridge', 'orbit', 'strata'],
};

/** A square SVG on a 64 grid; deterministic per slug. */
export function icon(slug: string, chosen: { motif?: Motif; palette?: PaletteName } = {}): string {
  const r = random(slug);
  const motif = chosen.motif ?? r.pick(Object.keys(motifs) as Motif[]);
  const palette = palettes[chosen.palette ?? r.pick(paletteNames)];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="96" height="96">${motifs[motif](r, palette)}</svg>`;
}

const scenes = { ...landScenes, ...blockScenes, ...flatScenes };
export type SceneKind = keyof typeof scenes;

/** A 640 by 360 image as SVG; deterministic per text. */
export function scene(text: string, kind: SceneKind, palette: PaletteName): string {
  const [definitions, drawing] = scenes[kind](random(text), palettes[palette]);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><defs>${definitions}</defs>${drawing}</svg>`;
}
