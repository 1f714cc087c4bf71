import { landMotifs } from './motifs-land.ts';
import { madeMotifs } from './motifs-made.ts';
import { natureMotifs } from './motifs-nature.ts';
import { placeMotifs } from './motifs-places.ts';
import { thingMotifs } from './motifs-things.ts';
import { type PaletteName, paletteNames, palettes } from './palettes.ts';
import { random } from './random.ts';
import { blockScenes } from './scenes-blocks.ts';
import { countryScenes } from './scenes-country.ts';
import { flatScenes } from './scenes-flat.ts';
import { landScenes } from './scenes-land.ts';
import { madeScenes } from './scenes-made.ts';
import { waterScenes } from './scenes-water.ts';
import { height, width } from './sky.ts';

const motifs = { ...landMotifs, ...madeMotifs, ...natureMotifs, ...placeMotifs, ...thingMotifs };
export type Motif = keyof typeof motifs;
const motifNames = Object.keys(motifs) as Motif[];

/** A square SVG on a 64 grid, 512 wide; deterministic per slug. */
export function icon(slug: string, chosen: { motif?: Motif; palette?: PaletteName } = {}): string {
  const r = random(slug);
  const motif = chosen.motif ?? r.pick(motifNames);
  const palette = palettes[chosen.palette ?? r.pick(paletteNames)];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="512" height="512">${motifs[motif](r, palette)}</svg>`;
}

const scenes = {
  ...landScenes,
  ...blockScenes,
  ...flatScenes,
  ...countryScenes,
  ...waterScenes,
  ...madeScenes,
};
export type SceneKind = keyof typeof scenes;

/** A 640 by 360 image as SVG; deterministic per text. */
export function scene(text: string, kind: SceneKind, palette: PaletteName): string {
  const [definitions, drawing] = scenes[kind](random(text), palettes[palette]);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><defs>${definitions}</defs>${drawing}</svg>`;
}
