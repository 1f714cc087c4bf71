import type { DemoType } from '../world.ts';

export { openings } from './openings.ts';

type ByType<T> = Record<DemoType, readonly T[]>;

/** Further points that apply to any project of the type. */
export const notes: ByType<string> = {
  mod: [
    '[world] Works in single player and on servers alike',
    '[world] Safe to add to an old world, and to take out again',
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
    'Keeps to its own namespace, so nothing is overwritten',
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
    'My first version took a weekend. The next three years went into making it smaller.',
    'We played with it for a winter before anybody else could download it.',
    'I missed this in every world, so I stopped asking and wrote it.',
    'It began as a joke between two people. One of us kept going.',
    'Everything I cut is in a folder called *later*, and later can wait.',
    'If you notice how it works, I still have something to do.',
    'Half of the ideas came from people who reported something else.',
    'The game leaves a gap here, and I kept falling into it.',
    'I write mods the way others knit: in the evening, and for somebody.',
    'Nobody needs {title}. I like it when it is there.',
  ],
  modpack: [
    'We cut until it hurt, then we cut two more.',
    'A pack is a promise about how an evening will feel.',
    'My sister played it first. Everything she stumbled over is gone.',
    'Ask me what is not in it. That is the part I worked on.',
    'Made for friends who never have time on the same day.',
    'Each mod in it was on trial for a month. Most of them lost.',
    'I wanted a pack that my old laptop could start before the tea is cold.',
    'You will find your own way through it. That is the plan.',
    'There was a list of two hundred mods. This is what I would miss.',
    'Played through three times before I dared to publish it.',
  ],
  plugin: [
    'Rules should be so clear that you rarely need them.',
    'Software for people who look after people.',
    'It was written for one server. Then friends asked.',
    'The best moderation is a good fence and a bench beside it.',
    'I run a small server. Everything here solves something that happened to me.',
    'Good tools are quiet until the day you need them.',
    'Written after a week in which I answered the same question forty times.',
    'If a command needs a manual, the command is wrong.',
    'Players should notice the town, not the plugin.',
    'Three servers use {title} daily, and I read all of their logs.',
  ],
  datapack: [
    'Forty functions and one idea.',
    'I like what can be opened, read and understood in an hour.',
    'No code was compiled in the making of this.',
    'A small rule can change what a whole evening is about.',
    'I wrote it for my own world first, and my own world is still running.',
    'The command block at spawn got too large, so it became a pack.',
    'My brother found a way around the first three versions. This is the fourth.',
    'Simple enough that you can change it yourself, and I hope you do.',
  ],
  resourcepack: [
    'I stop when a friend asks what has changed and cannot say.',
    '[audio] I record first and decide much later.',
    '[audio] Most of the work is taking sounds away.',
    '[flat] If you notice the menu, I have failed.',
    '[art] Sixteen pixels are a lot if you look at each of them.',
    '[art] Draw it, build with it for a week, then draw it again.',
    '[art] The eye wants rest. That is most of what I do here.',
    '[art] Half of these were drawn on trains, and it shows in the best way.',
    '[art] I look at real stones before I draw stones. It takes longer.',
    '[flat] Less on the screen, and what remains is where you expect it.',
    'Made for one long world, and still in use there.',
    'I change one thing a week and live with it before I keep it.',
  ],
  shader: [
    'Light is the only material there is.',
    'I kept what I could see on a walk and threw out what I had only seen in films.',
    'When in doubt, less.',
    'The best evening in the game should look like the best evening outside.',
    'I started with fog, and then everything else had to match it.',
    'It has to look good on the way home, not only from the tower.',
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
      say: 'Tags decide what counts, so other packs can add to them:',
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
      say: 'Leave out the variants that you do not like:',
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

/** Closing sentences. */
export const closings: readonly string[] = [
  'Questions about {title} go to the [issue tracker](https://git.example.org/{owner}). I read it on Sundays.',
  'There is more in the [wiki](https://wiki.example.org/{slug}), some of it written by people who know better than I do.',
  '{title} is made by {owner}, with help from people who sent logs, words and tea.',
  'If you build something with {title}, show me.',
  'Thank you for reading this far. Most people only look at the pictures.',
  'Translations of {title} are welcome; so are questions in any language I can guess at.',
  'Report what breaks, and say what you hoped for.',
  'No roadmap, no promises, steady work.',
  '{title} is written and looked after by {owner} in the evenings.',
  'Be kind to whoever shares your world.',
  'Found a mistake on this page? Tell me too.',
  'If {title} made your world better, tell one friend.',
  'I read every comment and answer most of them.',
  'Have fun, and take breaks.',
  'The next version is always further away than I think.',
  '{owner} says thanks to everybody who tried the early versions of {title}.',
  'Follow {title} if you want to hear of new versions.',
  'Suggestions are welcome, even if I say no to most of them.',
];
