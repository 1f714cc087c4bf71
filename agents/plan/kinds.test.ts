import { describe, expect, it } from 'vitest';
import type { ServerSpec } from '#control/protocol/agent.ts';
import { serverLoader, serverLoaderNames } from '#db/hosting/server-kinds/data/loaders.ts';
import { javaVersions } from '#db/hosting/server-kinds/java/rules.ts';
import {
  defaultVersion,
  kindIds,
  kindOffers,
  loadersFor,
  whyNotOffered,
} from '#db/hosting/server-kinds/rules.ts';
import { defaultHeapMb } from '#db/hosting/servers/startup/rules.ts';
import { load } from '../local-kind/loader.ts';
import { kindOf, kinds } from './kinds.ts';

const spec = (change: Partial<ServerSpec> = {}): ServerSpec => ({
  server_id: 'abc',
  generation: 1,
  name: 'Valley',
  kind: 'itzg',
  game_version: '1.21.4',
  loader: null,
  loader_version: null,
  java: null,
  jvm_flags: [],
  heap_mb: null,
  ram_mb: 4096,
  swap_mb: 0,
  cpu_millis: 2000,
  disk_mb: 20_000,
  port: 25600,
  extra_ports: [],
  terms_accepted: true,
  power: 'on',
  power_by: null,
  restart_seq: 0,
  resize_seq: 0,
  suspended: false,
  sleep: null,
  ...change,
});

describe('every kind', () => {
  it.each(kindIds)('%s offers its versions newest first, and something for each', (id) => {
    const { advised, game_versions, loaders } = kindOffers[id];
    expect(game_versions).toContain(defaultVersion(id));
    if (advised !== null) expect(game_versions).toContain(advised);
    const numbers = game_versions.map((version) => version.split('.').map(Number));
    const isNewer = ([a = 0, b = 0, c = 0]: number[], [x = 0, y = 0, z = 0]: number[]) =>
      a - x || b - y || c - z;
    expect(numbers.toSorted((one, other) => isNewer(other, one))).toEqual(numbers);
    expect(new Set(game_versions).size).toBe(game_versions.length);
    for (const version of game_versions) expect(loadersFor(id, version)[0]).toBe('vanilla');
    for (const offered of Object.values(loaders))
      expect(game_versions).toEqual(expect.arrayContaining([...offered]));
  });

  it.each(kindIds)('%s is known to the agent under its own name', (id) => {
    expect(kindOf({ kind: id })).toBe(kinds[id]);
    expect(kinds[id].id).toBe(id);
  });

  it('of another name is nothing the agent could start', () => {
    expect(kindOf({ kind: 'bedrock' })).toBeNull();
    expect(kindOf({ kind: 'toString' })).toBeNull();
  });

  it.each(kindIds)('%s accepts the terms of the game only when a user did', (id) => {
    expect(kinds[id].env(spec()).EULA).toBe('TRUE');
    expect(kinds[id].env(spec({ terms_accepted: false })).EULA).toBe('FALSE');
  });

  it.each(kindIds)('%s leaves a quarter of the memory to what is not heap', (id) => {
    expect(kinds[id].env(spec({ ram_mb: 4096 })).MEMORY).toBe('3072M');
    for (const ram_mb of [2048, 6144, 49_152]) expect(defaultHeapMb(ram_mb) / ram_mb).toBeCloseTo(0.75, 2);
  });

  it.each(kindIds)('%s never overwrites the owner’s properties', (id) => {
    expect(kinds[id].env(spec()).OVERRIDE_SERVER_PROPERTIES).toBe('false');
  });

  it.each(kindIds)('%s lives in one folder and can load nothing into its root', (id) => {
    expect(kinds[id].data_dir).toBe('/data');
    expect(kinds[id].user).toBe('own');
    for (const options of Object.values(kinds[id].tmpfs)) expect(options).toMatch(/nosuid,nodev,size=\d+m/);
  });
});

describe('the line that says players may come', () => {
  const { ready_pattern } = kinds.itzg;
  it.each([
    '[12:00:00] [Server thread/INFO]: Done (12.345s)! For help, type "help"',
    '[12:00:00 INFO]: Done (8,1s)! For help, type "help"',
    '[22:09:20] [INFO]: Done (1.665s)! For help, type "help"',
  ])('is %s', (line) => expect(line).toMatch(ready_pattern));
  it.each(['Preparing spawn area: 97%', '<kim> are you done (really)!', 'Done in 3s'])('is not %s', (line) =>
    expect(line).not.toMatch(ready_pattern),
  );
});

// its image cannot be pulled where these tests run: this checks what its documents promise (hosting §1b)
describe('itzg/minecraft-server', () => {
  it('gets its environment by its own names, and nothing else', () => {
    expect(kinds.itzg.env(spec({ loader: 'fabric' }))).toEqual({
      EULA: 'TRUE',
      TYPE: 'FABRIC',
      VERSION: '1.21.4',
      MEMORY: '3072M',
      OVERRIDE_SERVER_PROPERTIES: 'false',
      SERVER_PORT: '25565',
      HOME: '/data',
      STOP_DURATION: '60',
      ENABLE_AUTOPAUSE: 'false',
      ENABLE_AUTOSTOP: 'false',
      ENABLE_RCON: 'false',
      GUI: 'false',
    });
  });

  // each line: what its specification has, and the variable that its documents name for it (hosting §1b)
  it.each<[Partial<ServerSpec>, Record<string, string | undefined>]>([
    [{ loader: null, loader_version: '1' }, { TYPE: 'VANILLA' }],
    [
      { loader: 'fabric', loader_version: '0.16.9' },
      { TYPE: 'FABRIC', FABRIC_LOADER_VERSION: '0.16.9' },
    ],
    [
      { loader: 'quilt', loader_version: '0.27.1' },
      { TYPE: 'QUILT', QUILT_LOADER_VERSION: '0.27.1' },
    ],
    [
      { loader: 'forge', loader_version: '54.1.0' },
      { TYPE: 'FORGE', FORGE_VERSION: '54.1.0' },
    ],
    [
      { loader: 'neoforge', loader_version: '21.4.111' },
      { TYPE: 'NEOFORGE', NEOFORGE_VERSION: '21.4.111' },
    ],
    [
      { loader: 'paper', loader_version: '138' },
      { TYPE: 'PAPER', PAPER_BUILD: '138' },
    ],
    [
      { loader: 'purpur', loader_version: '2416' },
      { TYPE: 'PURPUR', PURPUR_BUILD: '2416' },
    ],
    [
      { loader: 'paper', loader_version: null },
      { TYPE: 'PAPER', PAPER_BUILD: undefined },
    ],
    [{ game_version: '1.20.1' }, { VERSION: '1.20.1' }],
    [{ heap_mb: 2000 }, { MEMORY: '2000M' }],
    [{ heap_mb: 9000, ram_mb: 4096 }, { MEMORY: '4096M' }],
    [
      { jvm_flags: ['-XX:+UseG1GC', '-Dterminal.ansi=true', '-XX:MaxGCPauseMillis=200'] },
      { JVM_XX_OPTS: '-XX:+UseG1GC -XX:MaxGCPauseMillis=200', JVM_OPTS: '-Dterminal.ansi=true' },
    ],
    // the image would split it, and the shell that reads it has its own ideas
    [{ jvm_flags: ['-Da=b -jar evil.jar', 'x', ''] }, { JVM_OPTS: undefined, JVM_XX_OPTS: undefined }],
  ])('is told %j by %j', (change, wanted) => {
    for (const id of kindIds) {
      const env = kinds[id].env(spec(change));
      for (const [name, value] of Object.entries(wanted)) expect(env[name]).toBe(value);
      const versions = ['FABRIC_LOADER_VERSION', 'QUILT_LOADER_VERSION', 'FORGE_VERSION', 'NEOFORGE_VERSION'];
      for (const name of [...versions, 'PAPER_BUILD', 'PURPUR_BUILD'])
        if (!(name in wanted)) expect(env).not.toHaveProperty(name);
    }
  });

  it.each(javaVersions)('runs on Java %s when its owner chose that', (java) => {
    expect(kinds.itzg.image(spec({ java }))).toEqual({ pull: `docker.io/itzg/minecraft-server:java${java}` });
  });

  it.each(loadersFor('itzg', '1.21.4'))('is told the loader %s as its TYPE', (loader) => {
    expect(kinds.itzg.env(spec({ loader })).TYPE).toBe(loader.toUpperCase());
  });

  it('is killed only after it gave up waiting for its game itself', () => {
    const env = kinds.itzg.env(spec());
    expect(env.STOP_SERVER_ANNOUNCE_DELAY).toBeUndefined();
    expect(kinds.itzg.stop.grace_s).toBeGreaterThanOrEqual(Number(env.STOP_DURATION) + 10);
  });

  it.each([
    ['1.8.9', 'java8'],
    ['1.12.2', 'java8'],
    ['1.16.5', 'java8'],
    ['1.17.1', 'java17'],
    ['1.18.2', 'java17'],
    ['1.20.4', 'java17'],
    ['1.20.5', 'java21'],
    ['1.20.6', 'java21'],
    ['1.21.4', 'java21'],
    ['1.21.11', 'java21'],
    ['26.1', 'java25'],
    ['26.2', 'java25'],
  ])('runs version %s on %s', (game_version, tag) => {
    expect(kinds.itzg.image(spec({ game_version }))).toEqual({
      pull: `docker.io/itzg/minecraft-server:${tag}`,
    });
  });

  it('may load native libraries from /tmp, where Java unpacks them', () => {
    expect(kinds.itzg.tmpfs['/tmp']).toMatch(/(^|,)exec(,|$)/);
  });
});

describe('the demo server', () => {
  it('is built here, whatever the version', () => {
    for (const game_version of kindOffers.local.game_versions)
      expect(kinds.local.image(spec({ kind: 'local', game_version }))).toEqual({ build: 'local' });
  });

  it.each(serverLoaderNames)('is told all that it has to know of the loader %s', (loader) => {
    const { example: loader_version = null, content } = serverLoader(loader)!;
    const env = kinds.local.env(spec({ kind: 'local', loader, loader_version }));
    const { lines, error } = load(env, '/nowhere');
    expect([error, lines[1]]).toEqual([null, ['Loader:', loader, loader_version].filter(Boolean).join(' ')]);
    expect(env.LOADER_CONTENT).toBe(content);
  });
});

describe('the version and loader of a kind', () => {
  it.each([
    ['local', '1.16.5', null, null],
    ['local', '1.16.5', 'vanilla', null],
    ['local', '1.16.5', 'paper', null],
    ['local', '1.16.5', 'sponge', 'server_loader_unknown'],
    ['local', '1.8.9', null, 'server_version_unknown'],
    ['local', '', null, 'server_version_unknown'],
    ['itzg', '1.21.4', 'neoforge', null],
    ['itzg', '1.16.5', 'neoforge', 'server_loader_unknown'],
    ['itzg', '1.16.5', 'forge', null],
    ['itzg', '1.8.9', 'toString', 'server_loader_unknown'],
    ['bedrock', '1.21.4', null, 'server_kind_unknown'],
    ['constructor', '1.21.4', null, 'server_kind_unknown'],
  ])('%s with %s and %s: %s', (kind, version, loader, why) => {
    expect(whyNotOffered(kind, version, loader)).toBe(why);
  });
});
