import type { ListedProject } from './catalogue.ts';

/** Categories of mods that add physical things, and of packs that change sight or sound. */
const worldly = [
  'worldgen',
  'adventure',
  'mobs',
  'decoration',
  'food',
  'magic',
  'technology',
  'transportation',
  'storage',
  'equipment',
  'combat',
  'quests',
  'economy',
  'minigame',
  'game-mechanics',
  'challenging',
  'social',
  'kitchen-sink',
];
const built = ['decoration', 'worldgen', 'food', 'technology', 'storage', 'magic'];
const flat = ['gui', 'fonts', 'locale'];

/** Traits of a project besides its type, for texts that fit only some. */
export function traitsOf({ type, categories }: Pick<ListedProject, 'type' | 'categories'>): Set<string> {
  const has = (names: string[]) => categories.some((name) => names.includes(name));
  const traits = new Set<string>();
  if (type === 'mod') {
    traits.add(has(worldly) ? 'world' : 'quiet');
    if (has(built)) traits.add('blocks');
    if (has(['worldgen', 'mobs'])) traits.add('land');
    if (has(['library', 'technology', 'utility'])) traits.add('api');
  } else if (type === 'resourcepack') {
    if (has(['audio'])) traits.add('audio');
    else traits.add(has(flat) && !has(['blocks']) ? 'flat' : 'art');
  } else if (type === 'datapack' && has(['worldgen', 'mobs', 'food'])) traits.add('rules');
  return traits;
}

/** The texts that fit the project, without the trait in brackets. */
export function suiting(
  list: readonly string[],
  project: Pick<ListedProject, 'type' | 'categories'>,
): string[] {
  const traits = traitsOf(project);
  return list.flatMap((text) => {
    const [, trait, rest] = /^\[(\w+)\] (.*)$/.exec(text) ?? [null, null, text];
    return !trait || traits.has(trait) ? [rest!] : [];
  });
}
