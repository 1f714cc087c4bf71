/** What is known of the keys of `server.properties`. Defaults are those of the game, versions 1.8 to 26.2. Source: hosting §1b. */

/** What a value of a key may be. Whole numbers include both ends; `null` is without an end. */
export type PropertyType =
  | { type: 'boolean' }
  | { type: 'integer'; min: number; max: number }
  | { type: 'choice'; choices: readonly string[] }
  | { type: 'text'; length: number }
  /** Cairn needs this value: the server cannot be reached, or has a second way in, with any other one. */
  | { type: 'fixed'; value: string };

/** Groups of the page, in the order shown. */
export const propertyGroups = [
  'players',
  'world',
  'server',
  'performance',
  'resource_pack',
  'network',
] as const;
type PropertyGroup = (typeof propertyGroups)[number];

interface Definition {
  group: PropertyGroup;
  /** What the game takes when the key is missing. */
  default: string;
  is: PropertyType;
}

const boolean = (group: PropertyGroup, value: 'true' | 'false'): Definition => ({
  ...{ group, default: value, is: { type: 'boolean' } },
});
const integer = (group: PropertyGroup, value: number, min: number, max: number): Definition => ({
  ...{ group, default: String(value), is: { type: 'integer', min, max } },
});
const choice = (group: PropertyGroup, value: string, choices: readonly string[]): Definition => ({
  ...{ group, default: value, is: { type: 'choice', choices } },
});
const text = (group: PropertyGroup, value: string, length: number): Definition => ({
  ...{ group, default: value, is: { type: 'text', length } },
});
const fixed = (value: string): Definition => ({
  ...{ group: 'network', default: value, is: { type: 'fixed', value } },
});

const max_integer = 2 ** 31 - 1;

/** Definitions by key, in the order shown. */
export const propertyDefinitions: Readonly<Record<string, Definition>> = {
  'max-players': integer('players', 20, 0, 1_000),
  gamemode: choice('players', 'survival', ['survival', 'creative', 'adventure', 'spectator']),
  'force-gamemode': boolean('players', 'false'),
  'online-mode': boolean('players', 'true'),
  'white-list': boolean('players', 'false'),
  'enforce-whitelist': boolean('players', 'false'),
  pvp: boolean('players', 'true'),
  'allow-flight': boolean('players', 'false'),
  'spawn-protection': integer('players', 16, 0, max_integer),
  'player-idle-timeout': integer('players', 0, 0, max_integer),
  'op-permission-level': integer('players', 4, 0, 4),
  'function-permission-level': integer('players', 2, 1, 4),
  'hide-online-players': boolean('players', 'false'),
  'enforce-secure-profile': boolean('players', 'true'),
  difficulty: choice('world', 'easy', ['peaceful', 'easy', 'normal', 'hard']),
  hardcore: boolean('world', 'false'),
  'level-name': text('world', 'world', 64),
  'level-seed': text('world', '', 128),
  'level-type': text('world', 'minecraft:normal', 64),
  'generator-settings': text('world', '{}', 2_000),
  'generate-structures': boolean('world', 'true'),
  'allow-nether': boolean('world', 'true'),
  'spawn-animals': boolean('world', 'true'),
  'spawn-monsters': boolean('world', 'true'),
  'spawn-npcs': boolean('world', 'true'),
  'max-world-size': integer('world', 29_999_984, 1, 29_999_984),
  motd: text('server', 'A Minecraft Server', 500),
  'enable-command-block': boolean('server', 'false'),
  'enable-status': boolean('server', 'true'),
  'broadcast-console-to-ops': boolean('server', 'true'),
  'log-ips': boolean('server', 'true'),
  'pause-when-empty-seconds': integer('server', 60, -1, max_integer),
  'initial-enabled-packs': text('server', 'vanilla', 500),
  'initial-disabled-packs': text('server', '', 500),
  'bug-report-link': text('server', '', 500),
  'view-distance': integer('performance', 10, 2, 32),
  'simulation-distance': integer('performance', 10, 3, 32),
  'entity-broadcast-range-percentage': integer('performance', 100, 10, 1_000),
  'max-tick-time': integer('performance', 60_000, -1, max_integer),
  'max-chained-neighbor-updates': integer('performance', 1_000_000, -1, max_integer),
  'sync-chunk-writes': boolean('performance', 'true'),
  'region-file-compression': choice('performance', 'deflate', ['deflate', 'lz4', 'none']),
  'network-compression-threshold': integer('performance', 256, -1, 65_535),
  'use-native-transport': boolean('performance', 'true'),
  'resource-pack': text('resource_pack', '', 1_000),
  'resource-pack-sha1': text('resource_pack', '', 40),
  'resource-pack-id': text('resource_pack', '', 36),
  'resource-pack-prompt': text('resource_pack', '', 1_000),
  'require-resource-pack': boolean('resource_pack', 'false'),
  'prevent-proxy-connections': boolean('network', 'false'),
  'accepts-transfers': boolean('network', 'false'),
  'rate-limit': integer('network', 0, 0, max_integer),
  'server-port': fixed('25565'),
  'server-ip': fixed(''),
  'enable-rcon': fixed('false'),
  'enable-query': fixed('false'),
};
