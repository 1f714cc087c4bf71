import type { Motif } from './art/pictures.ts';
import type { ListedProject } from './catalogue.ts';

/** Motifs for each project type. Source: looks §8. */
const byType: Record<ListedProject['type'], readonly Motif[]> = {
  mod: ['voxel', 'block', 'crystal', 'frond', 'rune', 'contour'],
  modpack: ['cairn', 'ridge', 'strata', 'house', 'trail', 'firs'],
  plugin: ['rune', 'tiles', 'weave', 'arch', 'bell'],
  datapack: ['contour', 'strata', 'rune', 'compass'],
  resourcepack: ['block', 'tiles', 'weave', 'panes'],
  shader: ['ridge', 'orbit', 'strata', 'sun', 'moon', 'wave'],
};

/** Motifs for what a project is about, chosen before those of its type. */
const byCategory: Record<string, readonly Motif[]> = {
  worldgen: ['frond', 'ridge', 'strata', 'contour', 'firs', 'voxel'],
  adventure: ['trail', 'cairn', 'compass', 'arch'],
  challenging: ['flake', 'heart', 'ridge'],
  mobs: ['frond', 'feather', 'firs'],
  decoration: ['roof', 'wall', 'house', 'panes', 'block'],
  food: ['bowl', 'wheat', 'hive'],
  magic: ['crystal', 'rune', 'flame', 'mushroom', 'moon'],
  technology: ['gear', 'wheel', 'hammer', 'rails'],
  transportation: ['ship', 'rails', 'compass', 'trail'],
  storage: ['crate', 'block'],
  equipment: ['hammer', 'feather'],
  combat: ['hammer', 'heart'],
  economy: ['coins', 'letter'],
  social: ['bell', 'letter', 'house', 'lantern'],
  quests: ['book', 'letter', 'compass'],
  library: ['block', 'tiles', 'weave', 'book'],
  utility: ['compass', 'tiles', 'lantern'],
  optimization: ['feather', 'orbit', 'crystal'],
  management: ['arch', 'tiles', 'bell'],
  minigame: ['heart', 'tiles', 'orbit'],
  audio: ['note'],
  fonts: ['type'],
  gui: ['panes', 'tiles'],
  entities: ['feather', 'frond'],
  environment: ['frond', 'firs', 'wave'],
  realistic: ['wall', 'roof', 'strata'],
  'colored-lighting': ['lantern', 'flame', 'panes'],
  reflections: ['wave', 'moon'],
  foliage: ['frond', 'firs'],
  atmosphere: ['ridge', 'sun', 'strata'],
  shadows: ['sun', 'firs'],
  bloom: ['sun', 'flame'],
  'path-tracing': ['crystal', 'orbit'],
};

/** Words of a title or summary that call for a motif. */
const byWord: ReadonlyArray<readonly [words: RegExp, motif: Motif]> = [
  [/\b(birds?|crows?|rook\w*|kestrel)\b/i, 'bird'],
  [/\b(bees?|beekeep\w*|hives?|honey\w*|apiary)\b/i, 'hive'],
  [/\b(snow\w*|frost|winter|ice|cold\w*|hoar\w*)\b/i, 'flake'],
  [/\b(sea|tides?|tidewright|rivers?|lakes?|\w*water|waves|undertow|pools?)\b/i, 'wave'],
  [/\b(lamps?|lanterns?|lampblack|lamplighter|porchlight)\b/i, 'lantern'],
  [/\b(candle\w*|tallow|wick|ember|fires?|fireside|flames?|watchfires)\b/i, 'flame'],
  [/\b(mushrooms?|spore\w*|underground)\b/i, 'mushroom'],
  [/\b(moon|nights?|star|stars|aurora)\b/i, 'moon'],
  [/\b(rail\w*|trains?|gauge)\b/i, 'rails'],
  [/\b(boats?|ships?|sail\w*|ferryman|keelhand|harbor\w*|slipway|beach)\b/i, 'ship'],
  [/\b(bells?)\b/i, 'bell'],
  [/\b(books?\w*|pages?|chronicle|diary|guestbook)\b/i, 'book'],
  [/\b(letters?|post|postmark|postcard|messages|errandry)\b/i, 'letter'],
  [/\b(roads?|paths?|walk\w*|trail|milepost|stagecoach|travel)\b/i, 'trail'],
  [/\b(roofs?|roofline)\b/i, 'roof'],
  [/\b(walls?|ashlar|cobble|quarry|stonewrights|basalt)\b/i, 'wall'],
  [/\b(coins?|markets?|trade|purse|till|auctions?|debts|scales)\b/i, 'coins'],
  [/\b(gears?|clocks?|clockmaker\w*|machines?|steam|cog|belts?|governor)\b/i, 'gear'],
  [/\b(mills?|windmills|wheels?)\b/i, 'wheel'],
  [/\b(houses?|villages?|home|lobby)\b/i, 'house'],
  [/\b(trees?|woods?|forests?|birch\w*|underleaf)\b/i, 'firs'],
  [/\b(bread|loaf|loaves|farms?|harvest|crops?|meadow|grass)\b/i, 'wheat'],
  [/\b(soups?|cook\w*|kitchen|feasts?|brew|recipes|pantry)\b/i, 'bowl'],
  [/\b(glass\w*|windows?|panes?|stained)\b/i, 'panes'],
  [/\b(typeface|lettering|narrow letters|type)\b/i, 'type'],
  [/\b(sounds?|songs?|voices?|score|note blocks|chat|speech)\b/i, 'note'],
  [/\b(maps?|sketchmap|compass|survey\w*|measure)\b/i, 'compass'],
  [/\b(gates?|doors?|tollgate|wicket|keep)\b/i, 'arch'],
  [/\b(tools?|anvil|iron\w*|hammer|whetstone|armor|mines?|ore)\b/i, 'hammer'],
  [/\b(heart|duels?|duel)\b/i, 'heart'],
  [/\b(sun|noon|mornings?|desert\w*|sandstorm)\b/i, 'sun'],
  [/\b(crates?|drawers?|barrels|cellar\w*|bag)\b/i, 'crate'],
];

/** Motifs that fit a project: those its title or else its summary calls for, else by its categories and type. */
export function motifsOf({ type, title, summary, categories }: ListedProject): Motif[] {
  for (const text of [title, summary]) {
    const named = byWord.flatMap(([words, motif]) => (words.test(text) ? [motif] : []));
    if (named.length > 0) return named;
  }
  return [...new Set([...categories.flatMap((name) => byCategory[name] ?? []), ...byType[type]])];
}
