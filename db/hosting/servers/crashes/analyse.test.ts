import { describe, expect, it } from 'vitest';
import { analyseLogs } from './analyse.ts';
import { type CrashCause, crashRules } from './data/causes.ts';
import { type CrashRule, max_findings } from './rules.ts';

const first = (text: string) => analyseLogs([{ path: 'logs/latest.log', text }])[0];

/** Lines of real servers, and what they are about. */
const samples: ReadonlyArray<readonly [CrashCause, string, string]> = [
  [
    'eula',
    '',
    '[12:00:00] [main/INFO]: You need to agree to the EULA in order to run the server. Go to eula.txt for more info.',
  ],
  ['disk_full', '', 'java.io.IOException: No space left on device'],
  ['port_in_use', '', '[12:00:00] [Server thread/WARN]: **** FAILED TO BIND TO PORT!'],
  ['jvm_flag', '+UseFancyGC', "Unrecognized VM option '+UseFancyGC'"],
  ['jvm_flag', '-Xfoo', 'Unrecognized option: -Xfoo'],
  [
    'java_too_old',
    '21',
    'java.lang.UnsupportedClassVersionError: net/minecraft/bundler/Main has been compiled by a more recent version of the Java Runtime (class file version 65.0), this version of the Java Runtime only recognizes class file versions up to 61.0',
  ],
  [
    'java_too_old',
    '21',
    'Unsupported Java detected (61.0). Minecraft 1.20.5 requires running the server with Java 21 or above.',
  ],
  ['java_too_new', '22', 'java.lang.IllegalArgumentException: Unsupported class file major version 66'],
  ['out_of_memory', 'Java heap space', 'java.lang.OutOfMemoryError: Java heap space'],
  [
    'session_lock',
    '',
    'net.minecraft.util.DirectoryLock$LockException: /data/world/session.lock: already locked (possibly by other Minecraft instance?)',
  ],
  [
    'mods_duplicate',
    'Essentials',
    "Ambiguous plugin name `Essentials' for files `plugins/a.jar' and `plugins/b.jar' in `plugins'",
  ],
  [
    'dependency_missing',
    'sodium',
    " - Mod 'Sodium Extra' (sodium-extra) 0.5.4 requires version 0.5.0 or later of sodium, which is missing!",
  ],
  [
    'dependency_missing',
    'geckolib',
    "	Mod ID: 'geckolib', Requested by: 'beasts', Expected range: '[4.4,)', Actual version: '[MISSING]'",
  ],
  [
    'dependency_missing',
    'Vault',
    'org.bukkit.plugin.UnknownDependencyException: Unknown dependency Vault. Please download and install Vault to run this plugin.',
  ],
  [
    'mod_incompatible',
    'iris',
    " - Mod 'Iris' (iris) 1.6.4 is incompatible with any version of mod 'OptiFabric' (optifabric)",
  ],
  [
    'mod_wrong_side',
    '',
    'java.lang.RuntimeException: Attempted to load class net/minecraft/client/Minecraft for invalid dist DEDICATED_SERVER',
  ],
  [
    'mixin_failed',
    'lanterns',
    'Mixin apply for mod lanterns failed lanterns.mixins.json:WorldMixin from mod lanterns -> net.minecraft.class_1937',
  ],
  [
    'mixin_failed',
    'skylight',
    'org.spongepowered.asm.mixin.injection.throwables.InjectionError: Critical injection failure: skylight.mixins.json:RenderMixin',
  ],
  [
    'mod_failed',
    'lanterns',
    "java.lang.RuntimeException: Could not execute entrypoint stage 'main' due to errors, provided by 'lanterns' at 'x.Y'!",
  ],
  [
    'mod_failed',
    'crash-on-start-1.jar',
    '[12:00:00] [ERROR]: The mod crash-on-start-1.jar failed to load: remove or disable it.',
  ],
  [
    'plugin_failed',
    'WorldEdit',
    '[12:00:00 ERROR]: Error occurred while enabling WorldEdit v7.2 (Is it up to date?)',
  ],
  ['plugin_failed', 'old-1.jar', "[ERROR]: Could not load 'plugins/old-1.jar' in folder 'plugins'"],
  ['level_corrupt', '', 'java.util.zip.ZipException: Exception reading ./world/level.dat'],
  ['world_newer', '', 'Server attempted to load chunk saved with newer version of minecraft! 3465 > 2730'],
  ['world_missing', 'mill', "There is no world named 'mill'"],
  ['chunk_corrupt', 'r.0.-1.mca', '[ERROR]: Corrupt regionfile header in world/region/r.0.-1.mca'],
  ['datapack_broken', '', "Failed to load datapacks, can't proceed with server load."],
  [
    'property_invalid',
    'server.properties',
    '[ERROR]: Failed to load properties from file: server.properties',
  ],
  ['permission_denied', './ops.json', 'java.nio.file.AccessDeniedException: ./ops.json'],
  [
    'permission_denied',
    'logs/latest.log',
    'java.io.FileNotFoundException: logs/latest.log (Permission denied)',
  ],
  ['jar_broken', 'server.jar', 'Error: Invalid or corrupt jarfile server.jar'],
  ['stack_overflow', '', 'java.lang.StackOverflowError: null'],
  [
    'watchdog',
    '60.00',
    '[Server Watchdog/ERROR]: A single server tick took 60.00 seconds (should be max 0.05)',
  ],
  ['native_crash', '', '# A fatal error has been detected by the Java Runtime Environment:'],
  ['ticking', '', 'Description: Ticking entity'],
  ['class_missing', 'net/fabricmc/api/Foo', 'java.lang.NoClassDefFoundError: net/fabricmc/api/Foo'],
];

describe('the rules of crashes', () => {
  it.each(samples)('%s: %s', (cause, what, line) => {
    expect(first(`all is well\n${line}\n\tat java.base/java.lang.Thread.run`)).toMatchObject({
      cause,
      what,
      line: 2,
    });
  });

  it('know at least twenty causes, each with a sample', () => {
    const causes: string[] = crashRules.map(({ cause }) => cause);
    expect(causes.length).toBeGreaterThanOrEqual(20);
    expect(new Set(samples.map(([cause]) => cause))).toEqual(new Set(causes));
  });

  it('repeat nothing without a bound', () => {
    for (const { cause, patterns } of crashRules as readonly CrashRule[])
      for (const { has, and, take } of patterns) {
        expect(`${cause}: ${has}`).toBe(`${cause}: ${has.toLowerCase()}`);
        expect(and ?? '').toBe((and ?? '').toLowerCase());
        // outside of a class of characters neither * nor +, and no repetition of a repetition
        const source = take?.source.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x') ?? '';
        expect(source, cause).not.toMatch(/[*+]|\{\d+,\}|\}\)[{?]*\{/);
      }
  });

  it('are not slowed by lines that were made for that', () => {
    const rules = crashRules as readonly CrashRule[];
    const hostile = rules.flatMap(({ patterns }) =>
      patterns.map(({ has, and = '' }) => `${has} ${and} ${has.slice(-3).repeat(400)}${'a.'.repeat(400)}'((`),
    );
    const text = Array.from({ length: 20 }, () => hostile.join('\n')).join('\n');
    // catastrophic backtracking would take minutes here
    expect(
      analyseLogs([
        { path: null, text },
        { path: null, text: '\n'.repeat(2_000_000) },
        { path: null, text: 'x'.repeat(5_000_000) },
      ]).length,
    ).toBeLessThanOrEqual(max_findings);
  });
});

it('names a cause once for each mod, the certain ones before the vague', () => {
  const text = [
    'java.lang.NoClassDefFoundError: a/b',
    ...Array.from({ length: 20 }, (_, i) => `Mixin apply for mod m${i % 3} failed m.mixins.json:X`),
    'java.lang.OutOfMemoryError: Java heap space',
  ].join('\n');
  expect(analyseLogs([{ path: null, text }]).map(({ cause, what }) => `${cause} ${what}`)).toEqual([
    'out_of_memory Java heap space',
    'mixin_failed m0',
    'mixin_failed m1',
    'mixin_failed m2',
  ]);
});

it('finds nothing in a log without trouble, and shows lines without colours', () => {
  expect(
    analyseLogs([{ path: null, text: '[12:00:00] [INFO]: Done (3.1s)! For help, type "help"\n' }]),
  ).toEqual([]);
  expect(first('\u001b[31mjava.lang.StackOverflowError\u001b[0m\u0007')?.excerpt).toBe(
    'java.lang.StackOverflowError',
  );
});
