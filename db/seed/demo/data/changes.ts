import type { DemoType } from '../world.ts';

type ByType = Record<DemoType, readonly string[]>;

export const added: ByType = {
  mod: [
    'A setting for people who find it too much: `intensity`, from 0 to 1.',
    'Everything new can be switched off one by one.',
    'Recipes are shown in the common recipe viewers.',
    'German, Polish and Korean, by three kind people.',
    'A command that tells what is loaded: `/demo report`.',
    'Tags, so that packs can join their own blocks in.',
    'A key to hide it all for pictures.',
    'Sounds for everything that moves.',
    'An advancement for those who find the last one.',
    'An entry point for other mods; see the wiki for the four calls.',
  ],
  modpack: [
    'A chapter for the evenings after the ending.',
    'A second start, closer to water.',
    'Two mods you asked for, after a month of trying them.',
    'A settings file for machines with 8 GB of memory.',
    'A map of the starting valley, in the first chest.',
    'Server files with the same settings as the client.',
  ],
  plugin: [
    'A command to reload without a restart.',
    'Placeholders for scoreboards.',
    'Messages in MiniMessage format, with the old codes still read.',
    'A permission for each single command.',
    'Export of everything as CSV.',
    'A dry run: add `--try` and it only tells what it would do.',
  ],
  datapack: [
    'A trigger for players without rights: `/trigger help`.',
    'A switch for each part, kept in one storage.',
    'Loot tables can be replaced by a pack below this one.',
    'An uninstall function that leaves nothing behind.',
    'Advancements as a quiet tutorial.',
  ],
  resourcepack: [
    'All wood of this year.',
    'Random variants for stone, dirt and sand.',
    'A darker version of the interface, as a second file of settings.',
    'Glowing parts for lamps and ores where the game allows it.',
    'Twenty items that still looked foreign.',
    'Paintings. All of them.',
  ],
  shader: [
    'A profile for cards without much memory.',
    'A slider for how much fog is too much.',
    'Support for lights in the hand.',
    'Water that knows how deep it is.',
    'Night vision no longer looks like noon.',
    'A note in the options about what each one costs.',
  ],
};

export const changed: ByType = {
  mod: [
    'Half the memory for the same result.',
    'Defaults are gentler; your own settings stay.',
    'Names in the settings say what they do.',
    'Models were drawn again with fewer faces.',
    'Generation spreads over several ticks.',
    'Uses the common tags of the game instead of its own.',
    'Numbers are rounded before they are shown.',
    'The book is shorter and better.',
  ],
  modpack: [
    'Every mod is at its newest version.',
    'Quests give less and ask less.',
    'Mornings are longer, nights are darker.',
    'One mod left us; its blocks turn into the nearest thing.',
    'Loads a third faster than last month.',
  ],
  plugin: [
    'Work moved off the main thread.',
    'The database is asked once instead of per player.',
    'Messages are shorter and say what to do next.',
    'The configuration is written anew with comments; the former file is kept as `.bak`.',
    'Needs Java 21.',
  ],
  datapack: [
    'Runs once a second instead of every tick.',
    'Rarer, and better for it.',
    'Functions are sorted by what they are about.',
    'Texts can be translated by a resource pack.',
    'Works beside other packs that change the same table.',
  ],
  resourcepack: [
    'Stone is a shade warmer.',
    'Leaves no longer shimmer at a distance.',
    'Grass follows the biome more closely.',
    'The file is a quarter smaller.',
    'Glass is thinner.',
    'Icons keep two pixels of air.',
  ],
  shader: [
    'Shadows are softer at the edge and cost the same.',
    'Noon is less white.',
    'Clouds move slower.',
    'Bloom starts later.',
    'Compiles in half the time.',
    'Rivers reflect the bank, not only the sky.',
  ],
};

export const fixed: ByType = {
  mod: [
    'A crash when the world is left during a storm.',
    'Two players doing it at once no longer count as one.',
    'Shift-click moved one item too many.',
    'Nothing is lost when the server stops in the middle.',
    'Wrong light beside slabs.',
    'A slow leak that took an evening to be noticed.',
    'Text that ran out of its box in German.',
    'It no longer talks to chunks that are not there.',
    'Particles stayed after their block was gone.',
    'Wrong collision on stairs that turn a corner.',
  ],
  modpack: [
    'The quest that could be finished before it began.',
    'A recipe that two mods both wanted.',
    'Missing textures on four doors.',
    'The server file that would not start when its folder had a space in its name.',
    'Music playing twice.',
  ],
  plugin: [
    'Names with a dot are found again.',
    'An exception when a player leaves in the middle of a question.',
    'Times were an hour off in summer.',
    'Commands typed in capitals.',
    'Two servers with one database no longer overwrite each other.',
    'Tab completion showed hidden players.',
  ],
  datapack: [
    'A function that ran twice after `/reload`.',
    'The boat that counted as an animal.',
    'Works in the other dimensions too.',
    'Scores were kept for players who had left.',
    'An advancement that could not be reached in peaceful mode.',
  ],
  resourcepack: [
    'A seam between halves of tall doors.',
    'The one pink pixel.',
    'Missing texture on cut copper stairs.',
    'Item in the left hand was held upside down.',
    'Fonts that were one pixel too low.',
  ],
  shader: [
    'Black squares on integrated graphics.',
    'Water turned white under a low sun.',
    'Held maps glowed.',
    'Beacon beams went missing in rain.',
    'Flicker at the edge of the screen.',
    'Colours in the other dimensions.',
  ],
};

export const thanks: readonly string[] = [
  'Thank you to everybody who sent a log instead of a screenshot of a log.',
  'Found by someone who played it for nine hours. Sorry, and thank you.',
  'Please make a copy of your world first. It should not be needed.',
  'The next one takes longer. There is a reason, and it is a good one.',
  'Reported four times in one day, which I take as a compliment.',
];
