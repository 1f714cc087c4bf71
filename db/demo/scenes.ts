import type { Motif, SceneKind } from './art/pictures.ts';
import type { Random } from './art/random.ts';
import type { ListedProject } from './catalogue.ts';

/** Image kinds by project type, best fit first. */
const byType: Record<ListedProject['type'], readonly SceneKind[]> = {
  mod: ['isle', 'blocks', 'panel', 'chart'],
  modpack: ['ridges', 'chart', 'town', 'isle', 'peaks', 'cave'],
  plugin: ['town', 'panel', 'chart', 'blocks'],
  datapack: ['isle', 'blocks', 'cave', 'chart'],
  resourcepack: ['sheet', 'blocks', 'isle', 'room', 'town', 'forest'],
  shader: ['ridges', 'blocks', 'forest', 'peaks', 'room', 'river'],
};
/** Image kinds by category, used before those of the type. */
const byCategory: Record<string, readonly SceneKind[]> = {
  worldgen: ['isle', 'ridges', 'forest', 'river'],
  adventure: ['cave', 'ridges', 'trail'],
  challenging: ['peaks', 'cave', 'winter'],
  decoration: ['room', 'town', 'wall'],
  food: ['room', 'fields'],
  magic: ['aurora', 'grotto'],
  mobs: ['forest', 'flock'],
  transportation: ['chart', 'harbor', 'trail'],
  technology: ['workshop', 'panel'],
  storage: ['panel', 'room'],
  utility: ['panel', 'chart'],
  library: ['panel'],
  optimization: ['isle', 'blocks'],
  atmosphere: ['ridges', 'aurora'],
  reflections: ['river', 'harbor', 'peaks'],
  'colored-lighting': ['room', 'town', 'grotto'],
  foliage: ['forest', 'fields'],
  environment: ['ridges', 'forest', 'river'],
  entities: ['flock'],
  gui: ['panel'],
  fonts: ['specimen', 'panel'],
  audio: ['sound'],
  economy: ['town', 'harbor'],
  fantasy: ['aurora'],
};

/** The scene that goes with a motif, used first. */
const byMotif: Partial<Record<Motif, SceneKind>> = {
  bird: 'flock',
  wave: 'river',
  ship: 'harbor',
  flake: 'winter',
  gear: 'workshop',
  wheel: 'workshop',
  wheat: 'fields',
  hive: 'fields',
  bowl: 'room',
  wall: 'wall',
  trail: 'trail',
  note: 'sound',
  type: 'specimen',
  mushroom: 'grotto',
  lantern: 'town',
  flame: 'room',
  firs: 'forest',
  moon: 'aurora',
  sun: 'ridges',
  coins: 'town',
};

/** Projects with fewer downloads than this many others show at most one picture, packs and shaders two. */
const well_known = 130;

/** How many images a gallery has: up to four, none for some projects, always some for resource packs and shaders. */
export function sceneCount({ type }: ListedProject, rank: number, r: Random): number {
  const always = type === 'resourcepack' || type === 'shader';
  const known = rank < well_known;
  return always ? r.int(2, known ? 4 : 2) : r.next() < 0.28 ? 0 : r.int(1, known ? 3 : 1);
}

/** Different kinds of images for a gallery, the first one to go with the icon. */
export function scenesOf(
  { type, categories }: ListedProject,
  { motif, count, r }: { motif: Motif; count: number; r: Random },
): SceneKind[] {
  const heard = categories.includes('audio');
  const written = categories.includes('fonts');
  const sheet = type === 'resourcepack' && !heard && !written;
  const own = byMotif[motif];
  const first: SceneKind[] = own ? [own] : [];
  if (sheet && (!own || r.next() < 0.4)) first.unshift('sheet');
  const fitting = shuffled(
    r,
    categories.flatMap((name) => byCategory[name] ?? []),
  );
  return [...new Set<SceneKind>([...first, ...fitting, ...byType[type]])]
    .filter((kind) => !(heard && kind === 'sheet'))
    .slice(0, count);
}

/** The list in an order drawn from `r`. */
export function shuffled<T>(r: Random, list: readonly T[]): T[] {
  return list
    .map((value) => ({ value, order: r.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ value }) => value);
}
