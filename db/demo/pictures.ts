import { type PaletteName, paletteNames } from './art/palettes.ts';
import type { SceneKind } from './art/pictures.ts';
import { type Random, random } from './art/random.ts';
import type { ListedProject } from './catalogue.ts';
import { captions } from './data/captions.ts';

/** A gallery image before it is drawn. */
export interface PlannedPicture {
  /** Seed of the drawing, with its kind and palette. */
  seed: string;
  kind: SceneKind;
  palette: PaletteName;
  title: string;
  description: string | null;
  featured: boolean;
}

/** Image kinds by project type, best fit first. */
const byType: Record<ListedProject['type'], readonly SceneKind[]> = {
  mod: ['isle', 'blocks', 'panel', 'chart'],
  modpack: ['ridges', 'chart', 'town', 'isle', 'peaks', 'cave'],
  plugin: ['town', 'panel', 'chart', 'blocks'],
  datapack: ['isle', 'blocks', 'cave', 'chart'],
  resourcepack: ['sheet', 'blocks', 'isle', 'room', 'town', 'forest'],
  shader: ['ridges', 'blocks', 'forest', 'peaks', 'room', 'cave'],
};
/** Image kinds by category, used before those of the type. */
const byCategory: Record<string, readonly SceneKind[]> = {
  worldgen: ['isle', 'ridges', 'forest', 'chart'],
  adventure: ['cave', 'ridges'],
  challenging: ['peaks', 'cave'],
  decoration: ['room', 'town'],
  food: ['room', 'blocks'],
  magic: ['aurora', 'cave'],
  mobs: ['forest', 'isle'],
  transportation: ['chart', 'blocks'],
  technology: ['panel', 'town'],
  storage: ['panel', 'room'],
  utility: ['panel', 'chart'],
  library: ['panel'],
  optimization: ['isle', 'panel'],
  atmosphere: ['ridges', 'aurora'],
  reflections: ['peaks', 'blocks'],
  'colored-lighting': ['room', 'town'],
  foliage: ['forest'],
  environment: ['ridges', 'forest', 'blocks'],
  gui: ['panel'],
  fonts: ['panel'],
  fantasy: ['aurora'],
};

/** Up to four images of different kinds, the icon's palette first; one of them featured. */
export function picturesOf(
  slug: string,
  { type, title, categories }: ListedProject,
  own: PaletteName,
): PlannedPicture[] {
  const r = random(`gallery:${slug}`);
  const always = type === 'resourcepack' || type === 'shader';
  const count = always ? r.int(2, 4) : r.next() < 0.3 ? 0 : r.int(1, 3);
  const first = type === 'resourcepack' ? (['sheet'] as const) : [];
  const fitting = shuffled(
    r,
    categories.flatMap((name) => byCategory[name] ?? []),
  );
  const received = categories.includes('audio');
  const kinds = [...new Set<SceneKind>([...first, ...fitting, ...byType[type]])]
    .filter((kind) => !(received && kind === 'sheet'))
    .slice(0, count);
  const palettes = [
    own,
    ...shuffled(
      r,
      paletteNames.filter((name) => name !== own),
    ),
  ];
  const featured = r.int(0, Math.min(1, kinds.length - 1));
  return kinds.map((kind, at) => {
    const [caption, description] = r.pick(captions[kind]);
    return {
      seed: `${slug} ${at}`,
      kind,
      palette: palettes[at < 2 ? 0 : at]!,
      title: caption.replace('{title}', title),
      description: r.next() < 0.8 ? description.replace('{title}', title) : null,
      featured: at === featured,
    };
  });
}

function shuffled<T>(r: Random, list: readonly T[]): T[] {
  return list
    .map((value) => ({ value, order: r.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ value }) => value);
}
