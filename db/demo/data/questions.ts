import type { DemoType } from '../world.ts';

/**
 * Something that people ask authors: ways to ask it, and answers of two sentences, one of `first` and one of `second`. Any two
 * fit together, so each page has an answer of its own. `{title}` is filled in.
 */
export interface Topic {
  questions: readonly string[];
  first: readonly string[];
  second: readonly string[];
}

/** Asked about anything. */
export const anyTopics: readonly Topic[] = [
  {
    questions: [
      'Is there a file for older game versions?',
      'I play an older version. Is there a file for me?',
      'Can you support an older version of the game?',
    ],
    first: [
      'The versions tab has every file, back to the first one.',
      'Look in the versions tab first: I never remove anything from it.',
      'I update for the two newest game versions only.',
      'Older files stay where they are.',
    ],
    second: [
      'I don’t go back further, because I can’t test it.',
      'If you can build one yourself, I’ll link to it.',
      'Bugs in those are no longer fixed.',
      'Ask me if yours is missing.',
    ],
  },
  {
    questions: [
      'Something is broken. What do you need?',
      'How do I report a bug?',
      'It doesn’t work. What now?',
    ],
    first: [
      'Send me the log of that session.',
      'Open an issue and write what you did just before.',
      'First try it without anything else installed.',
      'Look through the open issues, since somebody may have been faster.',
    ],
    second: [
      'A world where I can see it helps most.',
      'Add a picture if it’s something to see.',
      'Say which version of {title} you have.',
      'I answer most reports within a week.',
    ],
  },
  {
    questions: ['May I show it in a video?', 'Can I stream with this?', 'Can I use it for my channel?'],
    first: ['Yes, please do.', 'Of course, paid or not.', 'Sure, you don’t have to ask.', 'Yes, any time.'],
    second: [
      'Send me the link, I like to watch.',
      'Just say what it’s called.',
      'I usually learn what confuses people.',
      'A link to this page would be kind.',
    ],
  },
  {
    questions: ['Can I help?', 'Can I help with {title}?', 'Do you take contributions?'],
    first: [
      'Yes, start with the open issues.',
      'Gladly: a good bug report is worth as much as code.',
      'Yes, small changes go in quickly.',
      'Testing before a release helps most.',
    ],
    second: [
      'For larger things, write to me first.',
      'I read everything, even if I answer late.',
      'Everybody who helped is named in the changelog.',
      'You don’t need to know how to program.',
    ],
  },
  {
    questions: ['When is the next version?', 'When will {title} be updated?', 'When will you update it?'],
    first: [
      'Usually a few days after the game updates.',
      'When it’s ready, since I do this after work.',
      'There’s no schedule.',
      'As soon as I’ve played with it for a week.',
    ],
    second: [
      'Follow the project and you’ll hear of it.',
      'Until then the latest file often works, but I can’t promise that.',
      'Please don’t open an issue for it.',
      'If I ever stop, I’ll say so on this page.',
    ],
  },
];

/** Asked about projects of a type. */
export const topics: Record<DemoType, readonly Topic[]> = {
  mod: [
    {
      questions: [
        'Does the server need it too?',
        'Do I need it on the server?',
        'Where do I install it, client or server?',
      ],
      first: [
        'This page says so under *Environment*.',
        'Look at *Environment* beside the download.',
        'Each file lists that under *Environment*.',
        'See *Environment* in the details, which I keep up to date.',
      ],
      second: [
        'Where it names both, use the same version on both.',
        'When in doubt, put it on both sides; that never hurts.',
        'I test every release on a dedicated server too.',
        'In single player one copy is enough.',
      ],
    },
    {
      questions: [
        'Can I put it in my modpack?',
        'May I use it in a pack?',
        'Is it okay to add this to a modpack?',
      ],
      first: [
        'Yes, public or private.',
        'Yes, as long as you don’t rename it.',
        'Go ahead, no need to ask.',
        'Yes, and I’m happy about every pack.',
      ],
      second: [
        'Please let launchers download it from here.',
        'Credit is nice, but not required.',
        'Ask your players to report bugs to you first.',
        'If you change the settings much, say so on your page.',
      ],
    },
    {
      questions: ['Does it cost performance?', 'Will it slow down my game?', 'How heavy is it?'],
      first: [
        'I play with it on a laptop every day.',
        'On my old laptop I can’t measure a difference.',
        'It does nothing while nothing changes near you.',
        'I measured {title} with thirty players on one server.',
      ],
      second: [
        'If you lose frames, send me a profile.',
        'If it stutters, that’s a bug.',
        'Large bases are fine too.',
        'Loading a world takes as long as before.',
      ],
    },
    {
      questions: [
        'Can I remove it from an old world?',
        'Is it safe to uninstall?',
        'What happens when I take it out?',
      ],
      first: [
        'Copy the world first, as with any mod.',
        'Your world will still load without it.',
        'Nothing else in your world changes.',
        'What came from {title} disappears, and the rest stays.',
      ],
      second: [
        'I try this before every release.',
        'The game warns you once, and you can confirm.',
        'Put away what you want to keep.',
        'There’s nothing to clean up afterwards.',
      ],
    },
    {
      questions: [
        'Can I turn parts of it off?',
        'I only want half of this. Is that possible?',
        'Can I change how it works?',
      ],
      first: [
        'Most parts have a switch of their own.',
        'There’s a file in `config`.',
        'The defaults are how I play, but you can change them.',
        'Yes, all of that is in the settings of {title}.',
      ],
      second: [
        'Changes count from the next start.',
        'Every line has a comment.',
        'A server decides for everybody who joins.',
        'If a switch is missing, ask for it.',
      ],
    },
    {
      questions: [
        'Does it work together with other mods?',
        'Is there anything it doesn’t work with?',
        'Does it conflict with anything?',
      ],
      first: [
        'I know of no conflicts right now.',
        'Known problems are at the top of the issue tracker.',
        'I test it alone and in two large packs.',
        'Mods that replace the same thing will fight with {title}.',
      ],
      second: [
        'If you find one, tell both of us.',
        'Bring the names and versions of both mods.',
        'Most conflicts were fixed in a day.',
        'The order in which mods load makes no difference.',
      ],
    },
    {
      questions: [
        'Will you make it for another loader?',
        'Can you port it to my loader?',
        'Why only these loaders?',
      ],
      first: [
        'I only make what I can test.',
        'These are the loaders I play with.',
        'Each loader is twice the work, so I stay with these.',
        'A port is welcome if you’ll look after it.',
      ],
      second: [
        'Talk to me before you start.',
        'Maybe next year.',
        'People have asked, so I keep a list.',
        'I’d rather do one properly.',
      ],
    },
  ],
  modpack: [
    {
      questions: [
        'How much memory does it need?',
        'How much RAM should I give it?',
        'It stutters. Should I add memory?',
      ],
      first: [
        '4 GB are enough to play.',
        'Start with 4 GB.',
        'I play with 4 GB and a short view distance.',
        'Give {title} 5 GB if your computer has 16.',
      ],
      second: [
        'More than 8 makes it slower.',
        'Close the browser if it still stutters.',
        'A server for friends needs about 1 GB more.',
        'The first start is the slowest.',
      ],
    },
    {
      questions: ['Can I add mods?', 'May I add my own mods?', 'Is it fine to add mods?'],
      first: [
        'Yes, it’s your game.',
        'Small ones are fine.',
        'Yes, but copy your world first.',
        'Add one at a time and start the game in between.',
      ],
      second: [
        'Please report bugs without your additions.',
        'What changes the land has to be there before the first world.',
        'Maps and inventory mods caused no trouble so far.',
        'Keep a list, which makes the next update easy.',
      ],
    },
    {
      questions: [
        'Can I take a mod out?',
        'Can I remove some of the mods?',
        'Can I delete a mod that I don’t like?',
      ],
      first: [
        'Sound and performance mods: any time.',
        'Everything with blocks should stay once you have a world.',
        'Yes, if nothing else needs it.',
        'Disable it in your launcher instead of deleting it.',
      ],
      second: [
        'The launcher shows which ones others need.',
        'Try it with a copy of your world.',
        'Recipes that use it will be gone.',
        'Tell me why; it may go for everybody.',
      ],
    },
    {
      questions: ['Is there a server?', 'How do I run it on a server?', 'Can I play it on a server?'],
      first: [
        'The same file works for servers.',
        'Server owners use the file from this page.',
        'Ours is only for friends, but you can run your own.',
        'Any host that takes `.mrpack` files works.',
      ],
      second: [
        'Mods for the client are left out by themselves.',
        'Plan 4 GB for five players.',
        'Copy your world before each update.',
        'Everybody needs the same version of {title}.',
      ],
    },
    {
      questions: [
        'Why is my favorite mod missing?',
        'Will you add more mods?',
        'Can you add a mod that I like?',
      ],
      first: [
        'I add little and remove often.',
        'Tell me why you miss it.',
        'It may be on my list already.',
        'Each mod has to earn its place.',
      ],
      second: [
        'A pack is mostly what isn’t in it.',
        'I try every suggestion for an evening.',
        'New mods come with the next big version only.',
        'If two mods do the same, the smaller one stays.',
      ],
    },
  ],
  plugin: [
    {
      questions: [
        'Does it work after a reload?',
        'Can I reload instead of restarting?',
        'Does it need a restart?',
      ],
      first: [
        'Reloading works, but I only test restarts.',
        'There’s a reload command for the settings.',
        'Restart once after installing it, and never again for settings.',
        'Please restart: reloading hides errors.',
      ],
      second: [
        'Players won’t notice.',
        'Data is saved before that.',
        'If it acts up after a reload, restart before you report it.',
        'Other plugins may be less forgiving.',
      ],
    },
    {
      questions: ['Where is the data?', 'How do I back it up?', 'How do I move it to another server?'],
      first: [
        'Everything is in the plugin’s folder.',
        'It’s one file, next to the settings.',
        'Copy the folder while the server is off.',
        '{title} writes to a single database file.',
      ],
      second: [
        'Put it back and you’re where you were.',
        'Old files are converted at the first start.',
        'Don’t edit it while the server runs.',
        'A copy from each day is kept for a week.',
      ],
    },
    {
      questions: [
        'Does it slow the server down?',
        'Is it fine for a large server?',
        'How much server time does it take?',
      ],
      first: [
        'With thirty players I can’t find it in the profile.',
        'The work happens away from the main thread.',
        'It waits until something happens.',
        'The largest server I know of has two hundred players.',
      ],
      second: [
        'Send me a profile if yours looks different.',
        'The database never blocks the game.',
        'Memory stays at a few megabytes.',
        'Turn off the log if your disk is slow.',
      ],
    },
    {
      questions: ['Can I translate it?', 'Can I translate the messages?', 'Is there a translation?'],
      first: [
        'Copy `messages_en.yml`, rename it and translate.',
        'All messages are in one file.',
        'Yes, all of it.',
        'A few languages are in it already.',
      ],
      second: [
        'Send it to me and it’ll be in the next version.',
        'Empty lines aren’t shown at all.',
        'Lines you leave out stay in English.',
        'The reload command reads the file again.',
      ],
    },
    {
      questions: [
        'Which permissions do players need?',
        'Which permissions are there?',
        'How do permissions work here?',
      ],
      first: [
        'None for the basic commands.',
        'Every command has its own permission.',
        'By default only operators can change things.',
        'The wiki lists every permission of {title}.',
      ],
      second: [
        'Any permissions plugin works.',
        'Try it with an account that isn’t an operator.',
        'You can limit groups by world as well.',
        'Whoever may not use it gets a clear message.',
      ],
    },
  ],
  datapack: [
    {
      questions: ['Can I remove it later?', 'How do I uninstall it?', 'How do I get rid of it?'],
      first: [
        'Run the uninstall function first, then delete the file.',
        'There’s a function for that.',
        'Disable it, then remove the file.',
        'The uninstall function of {title} cleans up its scores and tags.',
      ],
      second: [
        'Items you have already will stay.',
        'Land that exists stays as it is.',
        'What you built isn’t touched.',
        'Reload once afterwards.',
      ],
    },
    {
      questions: [
        'Does it work with other data packs?',
        'Does it fit with my other data packs?',
        'Can I combine it with other packs?',
      ],
      first: [
        'Mostly, yes.',
        'Where two change the same table, the last one wins.',
        'I keep to a namespace of my own.',
        'Load {title} last if something is missing.',
      ],
      second: [
        '`/datapack list` shows the order.',
        'Tell me which one, and I’ll have a look.',
        'Packs that only add things are always fine.',
        'Merging two takes ten lines; ask me how.',
      ],
    },
    {
      questions: ['Is there a mod version?', 'Will there be a mod of it?', 'Is this a mod as well?'],
      first: [
        'No, and there won’t be one.',
        'The game can do this on its own.',
        'No mods needed, on either side.',
        'Friends can join without installing anything.',
      ],
      second: [
        'That’s why I like data packs.',
        'It works with mods around it.',
        'The price is that a few things look plain.',
        'Somebody tried once; ask me for the link.',
      ],
    },
    {
      questions: [
        'Does it work on a server?',
        'Can I use it on a rented server?',
        'Can I use it on our server?',
      ],
      first: [
        'Yes, if you can upload to the world folder.',
        'Copy it to `world/datapacks` and reload.',
        'Yes, and players need nothing.',
        'It was made on one.',
      ],
      second: [
        'Turn the server off before the first time.',
        'Look for one line from {title} in the log.',
        'With more than twenty players, watch the tick time.',
        'The default permission level is enough.',
      ],
    },
    {
      questions: [
        'How do I know it’s working?',
        'Nothing happens. What did I do wrong?',
        'I don’t see a change. Why?',
      ],
      first: [
        'Type `/datapack list` and look for it in green.',
        'The most common mistake is a folder in a folder.',
        'Check that the file is for your game version.',
        'After a reload it says hello in the chat.',
      ],
      second: [
        'Don’t unpack the file.',
        'If it’s red, the log says why.',
        'Send me a picture of that list.',
        'If it still doesn’t work, open an issue.',
      ],
    },
  ],
  resourcepack: [
    {
      questions: [
        'The game says it’s for another version.',
        'Why is it marked as incompatible?',
        'Can I use it in a newer game version?',
      ],
      first: [
        'If this page lists your version, just confirm.',
        'The number in the pack is only a hint.',
        'It mostly works.',
        'The game changes that number every few months.',
      ],
      second: [
        'New things stay as they are until I get to them.',
        'It can’t break anything in your world.',
        'I update it within a month.',
        'Tell me if something is off.',
      ],
    },
    {
      questions: ['May I use parts of it?', 'Can I use your files in my pack?', 'Can I remix this?'],
      first: [
        'Read the license below first.',
        'Write me a line before you do.',
        'For yourself, change what you like.',
        'For a public pack, please ask.',
      ],
      second: [
        'I like to see what becomes of it.',
        'I usually say yes.',
        'Say where it came from.',
        'What others made is listed in the credits.',
      ],
    },
    {
      questions: ['Are mods covered?', 'Does it support mods?', 'Can you add support for a mod?'],
      first: [
        'Only a few that I use myself.',
        'Not yet.',
        'That would be a pack of its own.',
        '{title} covers the game and little else.',
      ],
      second: [
        'Other people make add-ons, and the wiki links to them.',
        'Ask the author of the mod too; we talk.',
        'Vote for one in the issue tracker.',
        'Most mods fit in well enough.',
      ],
    },
    {
      questions: [
        'Part of it is missing.',
        'Why do I get only half of it?',
        'Some things are as before. Why?',
      ],
      first: [
        'Another pack above this one wins.',
        'Move {title} to the top of the list.',
        'Check that the download is complete.',
        'Turn off other packs and try again.',
      ],
      second: [
        'Then restart the game once.',
        'If it’s still missing, I haven’t made it yet.',
        'The wiki lists what’s done.',
        'A picture of your list of packs helps.',
      ],
    },
    {
      questions: ['Does it cost frames?', 'Is it heavy?', 'Does it make the game slower?'],
      first: [
        'It’s as light as what comes with the game.',
        'No, only loading takes a moment longer.',
        'I made it on a ten-year-old laptop.',
        'There’s one size, and it’s a small one.',
      ],
      second: [
        'It needs a few more megabytes of memory.',
        'Close other programs while it loads.',
        'If it stutters, another pack is the reason.',
        'It’s never the reason for a crash.',
      ],
    },
  ],
  shader: [
    {
      questions: ['My screen is black.', 'It won’t load. What can I do?', 'Everything turns white. Why?'],
      first: [
        'Update your graphics driver first.',
        'Start with the lowest profile.',
        'Try it without resource packs.',
        'Check that your shader loader is up to date.',
      ],
      second: [
        'Then go up one step at a time.',
        'If that doesn’t help, send me the log.',
        'Laptops often use the wrong graphics card.',
        'Tell me which card you have.',
      ],
    },
    {
      questions: [
        'Which graphics card do I need?',
        'Will it run on my laptop?',
        'How many frames will I get?',
      ],
      first: [
        'Anything from the last eight years runs the lowest profile.',
        'I test on a laptop without a graphics card.',
        'The names of the profiles tell.',
        'On *high*, {title} takes about half of your frames.',
      ],
      second: [
        'Lower the shadow distance first.',
        'A smaller window helps more than any option.',
        'Sixty frames are normal on an average card.',
        'The pictures here were made on *high*.',
      ],
    },
    {
      questions: [
        'Does it work with resource packs?',
        'Can I use resource packs with it?',
        'Does it fit with my resource pack?',
      ],
      first: [
        'Yes, with all of them.',
        'Plain packs look best.',
        'Packs with material maps shine a little more.',
        'I made it with the game’s own textures.',
      ],
      second: [
        'You can turn material maps on in the options.',
        'Very large packs may fill your memory.',
        'The wiki names a few that fit well.',
        'If something shines that shouldn’t, tell me.',
      ],
    },
    {
      questions: [
        'Can I change the colors?',
        'It’s too dark for me. Can I change that?',
        'Can I tone it down?',
      ],
      first: [
        'Yes, under *Options* and then *Color*.',
        'Every effect has a slider.',
        'There are three sliders for brightness.',
        'Start from a profile and change one thing at a time.',
      ],
      second: [
        'A button puts everything back.',
        'Your settings stay when you update.',
        'Share yours, since I collect good ones.',
        'Nights are dark on purpose, but I won’t argue.',
      ],
    },
  ],
};
