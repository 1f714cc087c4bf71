import type { ListedProject } from './catalogue.ts';

/** Categories of mods that add something one can stand before, and of packs that are seen or heard. */
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

/** What kind of project it is beyond its type, for texts that suit only some. */
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

/** Those of the texts that suit the project, without the word in brackets that says whom they suit. */
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
