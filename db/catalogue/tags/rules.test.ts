import { describe, expect, test } from 'vitest';
import { svgOf } from './icons.ts';
import * as tags from './rules.ts';

describe('sides and environments', () => {
  test.each([
    ['client_and_server', 'required', 'required'],
    ['singleplayer_only', 'required', 'required'],
    ['client_only', 'required', 'unsupported'],
    ['client_only_server_optional', 'required', 'optional'],
    ['server_only', 'unsupported', 'required'],
    ['dedicated_server_only', 'unsupported', 'required'],
    ['server_only_client_optional', 'optional', 'required'],
    ['client_or_server', 'optional', 'optional'],
    ['client_or_server_prefers_both', 'optional', 'optional'],
    ['unknown', 'unknown', 'unknown'],
    ['something_else', 'unknown', 'unknown'],
  ])('maps %s to client %s, server %s', (environment, client_side, server_side) => {
    expect(tags.sidesOf(environment)).toEqual({ client_side, server_side });
    expect(tags.sidesOf(environment, ['mod'])).toEqual({ client_side, server_side });
  });

  test.each([
    [['plugin'], 'unsupported', 'required'],
    [['datapack'], 'optional', 'required'],
    [['shader'], 'required', 'unsupported'],
    [['resourcepack'], 'required', 'unsupported'],
    [['datapack', 'mod'], 'optional', 'required'],
    [['modpack', 'datapack'], 'required', 'required'],
  ])('the type of %j takes precedence over the environment', (types, client_side, server_side) => {
    expect(tags.sidesOf('client_and_server', types)).toEqual({ client_side, server_side });
  });

  const stored: Record<string, string> = {
    'required required': 'client_and_server',
    'required unsupported': 'client_only',
    'required optional': 'client_only_server_optional',
    'unsupported required': 'server_only',
    'optional required': 'server_only_client_optional',
    'optional optional': 'client_or_server',
  };
  test('maps every pair of sides in the table to its environment, all other pairs to unknown', () => {
    for (const client of tags.sideTypes)
      for (const server of tags.sideTypes)
        expect(tags.environmentOf(client, server), `${client} ${server}`).toBe(
          stored[`${client} ${server}`] ?? 'unknown',
        );
  });
});

describe('project types', () => {
  const types: Record<string, string> = {
    babric: 'mod',
    'bta-babric': 'mod',
    fabric: 'mod',
    forge: 'mod',
    'java-agent': 'mod',
    'legacy-fabric': 'mod',
    liteloader: 'mod',
    modloader: 'mod',
    neoforge: 'mod',
    nilloader: 'mod',
    ornithe: 'mod',
    quilt: 'mod',
    rift: 'mod',
    bukkit: 'plugin',
    folia: 'plugin',
    paper: 'plugin',
    purpur: 'plugin',
    spigot: 'plugin',
    sponge: 'plugin',
    bungeecord: 'plugin',
    velocity: 'plugin',
    waterfall: 'plugin',
    datapack: 'datapack',
    minecraft: 'resourcepack',
    canvas: 'shader',
    iris: 'shader',
    optifine: 'shader',
    vanilla: 'shader',
    mrpack: 'modpack',
  };
  test('each loader gives the type in the table, and every other one gives some', () => {
    const given = Object.fromEntries(
      tags.loaders.map(({ name }) => [name, tags.projectTypesOf([name]).join()]),
    );
    expect(given).toMatchObject(types);
    expect(Object.values(given)).not.toContain('');
    expect(tags.projectTypesOf(['paper', 'fabric', 'datapack', 'forge', 'nonsense'])).toEqual([
      'datapack',
      'mod',
      'plugin',
    ]);
  });

  test('people choose among the loaders that fit the kinds, the most used first', () => {
    const plugins = [
      'paper',
      'spigot',
      'bukkit',
      'purpur',
      'folia',
      'sponge',
      'velocity',
      'bungeecord',
      'waterfall',
    ];
    expect(tags.loadersToChoose(['mod'])).toEqual(['fabric', 'neoforge', 'forge', 'quilt']);
    expect(tags.loadersToChoose(['modpack'])).toEqual(['fabric', 'neoforge', 'forge', 'quilt']);
    expect(tags.loadersToChoose(['plugin'])).toEqual(plugins);
    expect(tags.loadersToChoose(['shader'])).toEqual(['iris', 'optifine', 'vanilla', 'canvas']);
    // there is nothing to choose, unless there are other kinds beside it
    for (const types of [['resourcepack'], ['datapack'], ['datapack', 'resourcepack']])
      expect([types, tags.loadersToChoose(types)]).toEqual([types, []]);
    expect(tags.loadersToChoose(['mod', 'datapack'])).toEqual([
      'fabric',
      'neoforge',
      'forge',
      'quilt',
      'datapack',
    ]);
    const all = tags.loadersToChoose([]);
    expect(all).toEqual([...new Set(tags.sortLoaders(all))]);
    expect(all.filter(tags.isKindLoader)).toEqual([]);
    expect(all).toEqual(expect.arrayContaining(['fabric', ...plugins, 'iris']));
  });

  test('loaders are sorted by use, then by name, without duplicates', () => {
    expect(tags.sortLoaders(['zzz', 'babric', 'folia', 'paper', 'aaa', 'paper'])).toEqual([
      ...['paper', 'folia', 'aaa', 'babric', 'zzz'],
    ]);
    // every one that is offered has a place, but for those that stand for a kind
    const placed = tags.loaders
      .filter(({ hidden, name }) => !hidden && !tags.isKindLoader(name))
      .map(({ name }) => name);
    expect(tags.sortLoaders(['!', ...placed]).at(-1)).toBe('!');
  });

  test.each([
    [[], 'project'],
    [['mod'], 'mod'],
    [['plugin'], 'mod'],
    [['datapack'], 'mod'],
    [['shader'], 'shader'],
    [['resourcepack'], 'resourcepack'],
    [['modpack', 'datapack'], 'modpack'],
    [['datapack', 'resourcepack'], 'mod'],
    [['resourcepack', 'plugin'], 'mod'],
    [['shader', 'resourcepack'], 'resourcepack'],
  ])('v2 maps %j to %s', (all, one) => {
    expect(tags.v2ProjectType(all)).toBe(one);
  });

  test('v2 lists loaders without mrpack, with the additional types', () => {
    const of = Object.fromEntries(
      tags.loadersV2.map((loader) => [loader.name, loader.supported_project_types]),
    );
    expect(of.mrpack).toBeUndefined();
    expect(of.fabric).toEqual(['project', 'mod', 'modpack']);
    expect(of.rift).toEqual(['project', 'mod']);
    expect(of.paper).toEqual(['project', 'mod', 'plugin']);
    expect(of.velocity).toEqual(['project', 'mod', 'plugin']);
    expect(of.datapack).toEqual(['project', 'mod', 'datapack']);
    expect(of.iris).toEqual(['project', 'shader']);
    expect(tags.loadersV2.map(({ name }) => name)).toEqual(tags.loadersV2.map(({ name }) => name).toSorted());
  });
});

describe('categories', () => {
  test('every header has the tags of the specification', () => {
    const names = (type: string, header: string) =>
      tags.categories.filter((c) => c.project_type === type && c.header === header).map((c) => c.name);
    expect(names('resourcepack', 'resolutions')).toEqual([
      '8x-',
      '16x',
      '32x',
      '48x',
      '64x',
      '128x',
      '256x',
      '512x+',
    ]);
    expect(names('shader', 'performance impact')).toEqual(['potato', 'low', 'medium', 'high', 'screenshot']);
    expect(names('shader', 'features')).toContain('path-tracing');
    expect(names('resourcepack', 'features')).toContain('core-shaders');
    expect(names('mod', 'categories')).toEqual(names('modpack', 'categories'));
    expect(names('mod', 'categories')).toHaveLength(24);
  });

  test('plugins and data packs use the categories of mods', () => {
    expect(tags.categoriesOf(['plugin', 'datapack'])).toEqual(tags.categoriesOf(['mod']));
  });

  test('sorts headers in order, resolutions by number and performance from potato up', () => {
    expect(
      tags.sortCategories(['512x+', 'high', 'own', '8x-', '64x', 'potato', 'shadows', 'magic', 'low']),
    ).toEqual(['magic', 'shadows', 'potato', 'low', 'high', '8x-', '64x', '512x+', 'own']);
  });

  test('every category and loader has an icon without classes and sizes', () => {
    for (const { name, icon } of [...tags.categories, ...tags.loaders])
      expect(svgOf(icon), name).toMatch(/^<svg xmlns="[^"]+" .*<\/svg>$/);
  });
});

test("loaders replace mrpack by the modpack's own loaders", () => {
  expect(tags.displayLoaders({ loaders: ['mrpack'], mrpack_loaders: ['fabric', 'quilt'] })).toEqual([
    'fabric',
    'quilt',
  ]);
  expect(tags.displayLoaders({ loaders: ['fabric'], mrpack_loaders: [] })).toEqual(['fabric']);
});
