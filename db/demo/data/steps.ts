import type { DemoType } from '../world.ts';

/** Steps of installing a project: one of each slot, in order; null leaves the slot out. */
export type StepSlots = ReadonlyArray<ReadonlyArray<string | null>>;

/**
 * How authors tell people to install something. `{file}` is the newest file, `{loader}` what loads it, `{title}` the project.
 * One slot of each type names the file, so that no two pages have the same steps; a step that names neither is short.
 */
export const stepSlots: Record<DemoType, StepSlots> = {
  mod: [
    [
      'Install {loader} for your game version.',
      'Set up {loader}, if you haven’t yet.',
      'You need {loader} first.',
      'Make sure that {loader} starts on its own.',
      null,
    ],
    [
      'Move `{file}` into your `mods` folder.',
      'Put `{file}` in `mods`.',
      'Drop `{file}` into the `mods` folder of your instance.',
      'Copy `{file}` next to your other mods.',
      'Add `{file}` to a profile in your launcher.',
      'Download `{file}` and put it in `mods`.',
      'Close the game and copy `{file}` to `mods`.',
    ],
    [
      'Start the game.',
      'Start the game and open a world.',
      'Start the game once; that creates the settings file.',
      'Start the game and look for {title} under *Mods*.',
      'Press <kbd>Esc</kbd> and look for {title} under *Mods*.',
      'Open any world, old or new.',
      'Start the game; there is no setup.',
    ],
  ],
  modpack: [
    [
      'Download `{file}`.',
      'Get `{file}` from the versions tab.',
      'Drag `{file}` into your launcher.',
      'Import `{file}` in your launcher.',
      'Open `{file}` with your launcher.',
      'Create an instance from `{file}`.',
    ],
    [
      'Wait until it has fetched the mods.',
      'Let the launcher download the rest.',
      'Give it 4 GB of memory.',
      'Set the memory to 4 GB in the settings of the instance.',
      'Check that it has at least 4 GB of memory.',
    ],
    [
      'Start it and make a new world.',
      'Start it; the first time takes a few minutes.',
      'Create a new world with the default settings.',
      'Press play and get something to drink.',
      'Make a world, and choose *Normal* for the first one.',
    ],
  ],
  plugin: [
    ['Stop the server.', 'Turn the server off.', 'Make a backup, then stop the server.'],
    [
      'Put `{file}` in `plugins`.',
      'Upload `{file}` to the `plugins` folder.',
      'Copy `{file}` into `plugins`.',
      'Drop `{file}` into `plugins` and delete the old version.',
      'Download `{file}` and move it to `plugins`.',
    ],
    [
      'Start the server.',
      'Start the server and wait for {title} in the log.',
      'Start it once, so that the settings file appears.',
      'Start it again.',
    ],
    [
      'Change the settings if you like.',
      'Read through `config.yml`; it’s short.',
      'Give your helpers their permissions.',
      'Try it with an account that isn’t an operator.',
      'The defaults are fine for most servers.',
      null,
    ],
  ],
  datapack: [
    [
      'Put `{file}` in the `datapacks` folder of your world.',
      'Copy `{file}` to `saves/<world>/datapacks`.',
      'Drop `{file}` into your world’s `datapacks` folder.',
      'New world: choose *More*, *Data packs* and add `{file}`.',
      'On a server, upload `{file}` to `world/datapacks`.',
      'Leave `{file}` zipped and move it to `datapacks`.',
    ],
    [
      'Type `/reload`.',
      'Run `/reload` as an operator.',
      'Open the world.',
      'Close the world and open it again.',
      'Type `/reload` and wait a second.',
    ],
    [
      'Check with `/datapack list`.',
      '`/datapack list` should show it in green.',
      'A line in the chat says that it’s on.',
      null,
    ],
  ],
  resourcepack: [
    ['Press <kbd>Esc</kbd> and open *Options*.', 'Go to *Options*, *Resource packs*.', null],
    [
      'Put `{file}` in your `resourcepacks` folder.',
      'Drag `{file}` into the list of packs.',
      'Use *Open pack folder* and copy `{file}` into it.',
      'Save `{file}` in `resourcepacks`, still zipped.',
      'Copy `{file}` to `resourcepacks`.',
      'Drop `{file}` onto the game’s window.',
    ],
    [
      'Move it to the right side.',
      'Click the arrow to choose it.',
      'Choose it in the list on the left.',
      'Put it **above** the other packs.',
      'Select it and confirm.',
    ],
    [
      'Confirm with *Done*.',
      'Wait until the game has loaded it.',
      'If the game warns about its version, confirm anyway.',
      null,
    ],
  ],
  shader: [
    [
      'Install a shader loader, if you have none.',
      'You need a shader loader for your game version.',
      'Update your shader loader first.',
      null,
    ],
    [
      'Put `{file}` in `shaderpacks`, without unpacking it.',
      'Copy `{file}` into the `shaderpacks` folder.',
      'Drop `{file}` into `shaderpacks`.',
      'Use *Open shader pack folder* and copy `{file}` there.',
    ],
    [
      'Choose it under *Video settings*, *Shader packs*.',
      'Open *Shader packs* and select it.',
      'Press <kbd>O</kbd> in the game and choose it.',
      'Open *Video settings* and pick it from the list.',
    ],
    [
      'Start with the *medium* profile.',
      'Press <kbd>R</kbd> to load it again after changes.',
      'Choose a profile that fits your computer.',
      'Compare noon and dusk before you change anything.',
      null,
    ],
  ],
};
