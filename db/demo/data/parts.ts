import type { DemoType } from '../world.ts';

export { openings } from './openings.ts';

type ByType<T> = Record<DemoType, readonly T[]>;

/** Further points that apply to any project of the type. */
export const notes: ByType<string> = {
  mod: [
    '[world] Works in single player and on servers alike',
    '[world] Adding it to an old world is safe, and so is taking it out again',
    '[blocks] Everything uses the common tags, so packs can build on it',
    'Settings apply at once, without a restart',
    '[blocks] Recipes show up in the usual recipe viewers',
    '[quiet] Can be added and taken out at any time',
    '[quiet] Says in the log what it did, in one line',
    'No telemetry, no update nagging',
  ],
  modpack: [
    'One file for client and server',
    'Runs with 4 GB of memory',
    'Updates never ask for a new world',
    'A list of every mod and its license is in the pack',
    'Key bindings come without conflicts',
  ],
  plugin: [
    'Every message can be changed or switched off',
    'All commands complete with Tab',
    'Permissions follow one simple scheme',
    'Data is a single file you can copy',
    'Works with the common permission and placeholder plugins',
  ],
  datapack: [
    'Can be added to worlds that exist',
    'Costs next to nothing when nobody is near',
    'Everything is namespaced; nothing of the game is overwritten without need',
    'Comes with a function that removes it without a trace',
  ],
  resourcepack: [
    'Works with any other pack above or below it',
    '[art] Colors were checked with three kinds of color blindness',
    '[art] No extra mods needed; with them, a few things move',
    'The working files are in the repository',
  ],
  shader: [
    'Four profiles, from careful to careless',
    'Looks the same on all three makers of graphics cards',
    'Other dimensions have their own light',
    'Every option says what it costs',
  ],
};

/** Why the author made it, in the first person. */
export const whys: ByType<string> = {
  mod: [
    'I wanted this in the game since I was fourteen. Now I have no excuse.',
    'If you can explain it to a friend in one sentence, it belongs in. The rest is on the floor of my workshop.',
    'A good mod is one you forget is a mod.',
    'It has been on our server since before it had a name.',
    'I would rather fix one thing a week than announce ten a year.',
  ],
  modpack: [
    'We cut until it hurt, then we cut two more.',
    'A pack is a promise about how an evening will feel.',
    'My sister played it first. Everything she stumbled over is gone.',
    'Ask me what is not in it. That is the part I worked on.',
  ],
  plugin: [
    'Rules should be so clear that you rarely need them.',
    'Software for people who look after people.',
    'It was written for one server. Then friends asked.',
    'The best moderation is a good fence and a bench beside it.',
  ],
  datapack: [
    'Forty functions and one idea.',
    'I like what can be opened, read and understood in an hour.',
    'No code was compiled in the making of this.',
  ],
  resourcepack: [
    'I stop when a friend asks what has changed and cannot say.',
    '[audio] I record first and decide much later.',
    '[audio] Most of the work is taking sounds away.',
    '[flat] If you notice the menu, I have failed.',
    '[art] Sixteen pixels are a lot if you look at each of them.',
    '[art] Draw it, build with it for a week, then draw it again.',
    '[art] The eye wants rest. That is most of what I do here.',
  ],
  shader: [
    'Light is the only material there is.',
    'I kept what I could see on a walk and threw out what I had only seen in films.',
    'When in doubt, less.',
  ],
};

interface Setting {
  /** The trait that a project needs for it (traits.ts). */
  trait?: string;
  language: string;
  say: string;
  code: string;
}
/** A sample of a configuration file. */
export const settingsOf: ByType<Setting> = {
  mod: [
    {
      trait: 'land',
      language: 'toml',
      say: 'All of it lives in `config/{id}.toml`:',
      code: '# how much of it you want, 0 to 1\nintensity = 0.6\n\n[world]\nenabled = true\nrarity = 24   # chunks between two of them\n\n[client]\nparticles = "some"',
    },
    {
      language: 'json5',
      say: 'The file is `config/{id}.json5`; comments stay when it is written again.',
      code: '{\n  // switch single parts off\n  parts: { sounds: true, tooltips: true },\n  // ticks between two looks at the world\n  pace: 20,\n}',
    },
    {
      trait: 'api',
      language: 'java',
      say: 'Other mods can ask it. This is all there is to know:',
      code: 'public final class Listener implements DemoEntry {\n  @Override\n  public void ready(DemoApi api) {\n    api.onChange(pos -> System.out.println("{title} at " + pos));\n  }\n}',
    },
    {
      language: 'properties',
      say: 'Three lines in `config/{id}.properties`:',
      code: 'enabled=true\ndistance=48\nlanguage=auto',
    },
  ],
  modpack: [
    {
      language: 'properties',
      say: 'For servers, these values proved right:',
      code: 'view-distance=8\nsimulation-distance=6\nmax-tick-time=60000\nmotd={title}',
    },
    {
      language: 'bash',
      say: 'Start the server with:',
      code: 'java -Xms3G -Xmx3G -XX:+UseG1GC -jar server.jar nogui',
    },
  ],
  plugin: [
    {
      language: 'yaml',
      say: 'The whole of `plugins/{id}/config.yml`:',
      code: 'language: en\nworlds: [world, world_nether]\n\nlimits:\n  per-player: 3      # 0 means no limit\n  cooldown: 30s\n\nlog: true',
    },
    {
      language: 'yaml',
      say: 'Permissions, with what they are by default:',
      code: '{id}.use: true\n{id}.others: op\n{id}.admin: op',
    },
    {
      language: 'sql',
      say: 'Data is kept in one table, should you want to look:',
      code: "select player, count(*) as entries\nfrom {id}_log\nwhere at > now() - interval '7 days'\ngroup by player order by entries desc;",
    },
  ],
  datapack: [
    {
      language: 'mcfunction',
      say: 'Switch parts on and off from the chat:',
      code: '# once, by somebody with rights\nfunction {id}:settings\n\n# or directly\ndata modify storage {id}:settings sounds set value 0b',
    },
    {
      trait: 'rules',
      language: 'json',
      say: 'What counts is decided by tags, so other packs can add to them:',
      code: '{\n  "replace": false,\n  "values": ["#minecraft:logs", "minecraft:mangrove_roots"]\n}',
    },
    {
      language: 'mcfunction',
      say: 'To take it out again without a trace:',
      code: 'function {id}:uninstall\ndatapack disable "file/{id}.zip"',
    },
  ],
  resourcepack: [
    {
      trait: 'art',
      language: 'json',
      say: 'Variants are chosen in the usual way, so you can leave out what you do not like:',
      code: '{\n  "variants": {\n    "": [\n      { "model": "demo:block/stone_0", "weight": 5 },\n      { "model": "demo:block/stone_1", "weight": 2 },\n      { "model": "demo:block/stone_2" }\n    ]\n  }\n}',
    },
    {
      trait: 'art',
      language: 'text',
      say: 'The folders, if you want to pick single parts:',
      code: '{id}.zip\n├── pack.mcmeta\n└── assets/minecraft/\n    ├── textures/block/   everything you build with\n    ├── textures/item/    everything you hold\n    └── lang/             names, where they changed',
    },
  ],
  shader: [
    {
      language: 'properties',
      say: 'What I use myself, for `shaderpacks/{id}.txt`:',
      code: 'PROFILE=medium\nSHADOW_DISTANCE=96\nFOG_AMOUNT=0.7\nCLOUD_HEIGHT=192',
    },
    {
      language: 'glsl',
      say: 'The heart of it, for those who like to read:',
      code: '// how much of the sky a point in the distance takes on\nvec3 air(vec3 color, vec3 sky, float blocks) {\n  float amount = 1.0 - exp(-blocks * FOG_AMOUNT * 0.004);\n  return mix(color, sky, amount * amount);\n}',
    },
  ],
};

/** Installation steps. */
export const steps: ByType<readonly string[]> = {
  mod: [
    ['Put the file into `mods/`.', 'Start the game. There is no setup.'],
    [
      'Install the loader of your choice.',
      'Drop the file into `mods/`, together with what it needs.',
      'Start once; the settings file appears.',
    ],
    [
      'Download the file for your game version.',
      'Move it to `mods/` on the client, and on the server where the page says so.',
      'Press <kbd>Esc</kbd> and look under *Mods* for the settings.',
    ],
    [
      'Close the game.',
      'Copy the file next to your other mods.',
      'Start it again and open any world, old or new.',
    ],
  ],
  modpack: [
    [
      'Open the file with your launcher; it brings everything along.',
      'Give it 4 GB of memory.',
      'Make a new world.',
    ],
    [
      'Import the `.mrpack` file.',
      'Start it once and let it finish; the first time takes longer.',
      'Read the note in your first chest.',
    ],
    [
      'Choose *Install* in your launcher, or drag the file into its window.',
      'For a server, unpack the same file with the installer and accept the terms of the game.',
    ],
  ],
  plugin: [
    ['Put the file into `plugins/` and restart.', 'Look at `config.yml`; every line has a comment.'],
    ['Stop the server.', 'Copy the file to `plugins/`.', 'Start, stop, edit the settings, start.'],
    [
      'Drop it into `plugins/`.',
      'Restart. Reloading works too, but restarting is honest.',
      'Give your helpers the permission, and try it with an ordinary account.',
    ],
  ],
  datapack: [
    ['Put the file into `datapacks/` of your world.', 'Type `/reload`, or open the world anew.'],
    [
      'When you make a world: *More*, *Data packs*, and drag the file in.',
      'For a world that exists, copy it to `saves/<world>/datapacks/`.',
      'Check with `/datapack list`.',
    ],
  ],
  resourcepack: [
    ['Put the file into `resourcepacks/`.', 'Options, *Resource packs*, move it to the right.'],
    [
      'Press <kbd>Esc</kbd>, open *Options* and then *Resource packs*.',
      'Drag the file into the window and confirm.',
      'Put it **above** packs it should win against.',
    ],
  ],
  shader: [
    ['Put the file into `shaderpacks/`; do not unpack it.', 'Options, *Video settings*, *Shader packs*.'],
    [
      'Install a shader loader.',
      'Copy the file to `shaderpacks/`.',
      'Press <kbd>O</kbd> in the game to choose it, <kbd>R</kbd> to load it again after changes.',
    ],
  ],
};

/** Questions about any project of the type, with answers. */
export const questions: ByType<readonly [question: string, answer: string]> = {
  mod: [
    ['Does the server need it too?', 'The page says so under *Environment*. Where both are named, yes.'],
    ['Can I put it into my pack?', 'Yes. A link to this page is enough.'],
    [
      'Will there be a version for an older game?',
      'Only if somebody else makes one. I am glad to help, and to link to it.',
    ],
    [
      'Something is broken. What do you need?',
      'The log of that start, your list of mods, and what you did right before. In that order of importance.',
    ],
    ['Is it done?', '{title} is as large as it should be. Repairs and new game versions go on.'],
    ['May I record it?', 'Of course, and you may earn from it.'],
    [
      'Does it work with the big performance mods?',
      'I play with them myself. If it does not, that is a bug here.',
    ],
  ],
  modpack: [
    ['Can I add mods?', 'Yes. Start with small ones, and copy your world first.'],
    [
      'Can I take one out?',
      'Performance and sound: yes. Everything with blocks: not from a world you want to keep.',
    ],
    ['How much memory?', '4 GB are enough. More than 8 makes it slower.'],
    ['Is there a server?', 'Ours is for friends. The server file is the same one we use.'],
    [
      'Why is my favorite missing?',
      'Probably because of what it does to an evening, never because it is bad.',
    ],
  ],
  plugin: [
    ['Does it work after a reload?', 'Yes, though a restart is the only thing I test on every version.'],
    ['Where is the data?', 'In the folder of the plugin, in one file. Copy it and you have a backup.'],
    [
      'Does it slow the server down?',
      'Under a tenth of a millisecond with thirty players. The report command shows yours.',
    ],
    [
      'Can I translate it?',
      'Copy `messages_en.yml`, change the two letters, translate. Then send it to me, please.',
    ],
    ['Which Java?', 'The one your server needs. Nothing older.'],
  ],
  datapack: [
    ['Can I remove it later?', 'Yes: run the uninstall function first, then delete the file.'],
    [
      'Does it work together with other packs?',
      'Where two change the same table, the one that was loaded last wins. `/datapack list` shows the order.',
    ],
    ['Is there a version as a mod?', 'No. It is small because it is not.'],
    ['Does it work on a server I rent?', 'If you can upload to the world folder, yes.'],
  ],
  resourcepack: [
    [
      'The game says it was made for another version.',
      'It does that every few months. If the page lists your version, confirm and go on.',
    ],
    [
      'May I use parts of it?',
      'Read the license below, and write me a line. I like to see what becomes of it.',
    ],
    ['Are mods covered?', 'Only where the page says so. Ask the maker of the mod; we talk to each other.'],
    ['Part of it is missing.', 'Another pack above this one wins. Move {title} up.'],
  ],
  shader: [
    ['My screen is black.', 'Update the driver, then take the lowest profile and go up from there.'],
    [
      'Which card do I need?',
      'The name of the profile tells. Anything from the last eight years runs the lowest.',
    ],
    [
      'Does it work with resource packs?',
      'With all. Packs with material maps look better on the higher profiles.',
    ],
    ['Can I change the colors?', 'Options, *Color*. There is a button to put everything back.'],
  ],
};

/** Closing sentences. */
export const closings: readonly string[] = [
  'Questions and bug reports go to the [issue tracker](https://git.example.org/{owner}). I read it on Sundays.',
  'There is more in the [wiki](https://wiki.example.org/{slug}), some of it written by people who know better than I do.',
  'Made by {owner}, with help from people who sent logs, words and tea.',
  'If you build something with it, show me.',
  'Thank you for reading this far. Most people only look at the pictures.',
  'Translations are welcome; so are questions in any language I can guess at.',
  'Report what breaks, and say what you hoped for.',
  'No roadmap, no promises, steady work.',
  'Written and looked after by {owner} in the evenings.',
  'Be kind to whoever shares your world.',
  'Found a mistake on this page? Tell me too.',
];
