import { describe, expect, it } from 'vitest';
import {
  contentFolders,
  contentTypesOf,
  enabledPath,
  newestFirst,
  pathAs,
  typeOfFile,
  typeOfVersion,
  type VersionFacts,
  whyNotInstall,
  worldFolder,
} from './rules.ts';

const target = (loader: string | null, world = 'world') => ({ game_version: '1.21.4', loader, world });
const facts = (given: Partial<VersionFacts> = {}): VersionFacts => ({
  ...{ loaders: ['fabric'], game_versions: ['1.21.4'], environment: 'client_and_server' },
  ...{ server_side: 'required', filename: 'a.jar', ...given },
});

describe('folders of content', () => {
  it.each([
    [null, ['datapack'], ['world/datapacks']],
    ['fabric', ['mod', 'datapack'], ['mods', 'world/datapacks']],
    ['quilt', ['mod', 'datapack'], ['mods', 'world/datapacks']],
    ['forge', ['mod', 'datapack'], ['mods', 'world/datapacks']],
    ['neoforge', ['mod', 'datapack'], ['mods', 'world/datapacks']],
    ['paper', ['plugin', 'datapack'], ['plugins', 'world/datapacks']],
    ['purpur', ['plugin', 'datapack'], ['plugins', 'world/datapacks']],
  ])('of %s', (loader, types, folders) => {
    expect(contentTypesOf(loader)).toEqual(types);
    expect(contentFolders(target(loader))).toEqual(folders);
  });

  it.each([
    [null, 'world'],
    ['', 'world'],
    ['motd=hi\n', 'world'],
    ['level-name=\n', 'world'],
    ['level-name=old\nlevel-name = new world \r\n', 'new world'],
    ['  level-name:a/b', 'a/b'],
    ['#level-name=no', 'world'],
    ['level-name=..', 'world'],
    ['level-name=../elsewhere', 'world'],
    ['level-name=.cairn', 'world'],
    ['level-name=caf\\u00e9', 'café'],
    ['level-name=a\\:b', 'a:b'],
  ])('finds the world in %j', (text, world) => {
    expect(worldFolder(text)).toBe(world);
  });

  it('knows content by its folder and name', () => {
    expect(typeOfFile('mods/a.jar', target('fabric'))).toBe('mod');
    expect(typeOfFile('mods/a.jar.disabled', target('fabric'))).toBe('mod');
    expect(typeOfFile('mods/a.JAR', target('fabric'))).toBe('mod');
    expect(typeOfFile('mods/readme.txt', target('fabric'))).toBeNull();
    expect(typeOfFile('mods/sub/a.jar', target('fabric'))).toBeNull();
    expect(typeOfFile('mods/a.jar', target('paper'))).toBeNull();
    expect(typeOfFile('plugins/a.jar', target('paper'))).toBe('plugin');
    expect(typeOfFile('big/datapacks/a.zip', target(null, 'big'))).toBe('datapack');
    expect(typeOfFile('world/datapacks/a.jar', target(null))).toBeNull();
    expect(typeOfFile('a.jar', target('fabric'))).toBeNull();
  });

  it('turns files on and off by their name', () => {
    expect(pathAs('mods/a.jar', false)).toBe('mods/a.jar.disabled');
    expect(pathAs('mods/a.jar.disabled', false)).toBe('mods/a.jar.disabled');
    expect(pathAs('mods/a.jar.disabled', true)).toBe('mods/a.jar');
    expect(enabledPath('mods/a.jar')).toBe('mods/a.jar');
  });
});

describe('versions on a server', () => {
  it.each([
    ['fabric', ['fabric'], 'mod'],
    ['quilt', ['fabric'], 'mod'],
    ['fabric', ['quilt'], null],
    ['neoforge', ['forge'], null],
    ['paper', ['spigot'], 'plugin'],
    ['paper', ['bukkit'], 'plugin'],
    ['purpur', ['paper'], 'plugin'],
    ['paper', ['purpur'], null],
    ['paper', ['fabric'], null],
    ['fabric', ['datapack'], 'datapack'],
    ['fabric', ['datapack', 'fabric'], 'mod'],
    [null, ['datapack', 'fabric'], 'datapack'],
    [null, ['fabric'], null],
    ['fabric', ['minecraft'], null],
  ])('%s loads %j as %s', (loader, loaders, type) => {
    expect(typeOfVersion(loaders, loader)).toBe(type);
  });

  it.each<[string, Partial<VersionFacts>, string | null, string | null]>([
    ['fits', {}, 'fabric', null],
    ['for another loader', { loaders: ['forge'] }, 'fabric', 'wrong_loader'],
    ['a plugin on a server for mods', { loaders: ['paper'] }, 'fabric', 'wrong_loader'],
    ['for another game version', { game_versions: ['1.20.1'] }, 'fabric', 'wrong_game_version'],
    ['for players only', { environment: 'client_only' }, 'fabric', 'client_only'],
    ['for one player', { environment: 'singleplayer_only' }, 'fabric', 'client_only'],
    ['optional on servers', { environment: 'client_only_server_optional' }, 'fabric', null],
    [
      'its project is for players',
      { environment: 'unknown', server_side: 'unsupported' },
      'fabric',
      'client_only',
    ],
    ['its version is for both', { server_side: 'unsupported' }, 'fabric', null],
    ['a data pack without environment', datapack({ server_side: 'unsupported' }), null, null],
    ['a shader', { loaders: ['iris'] }, 'fabric', 'not_supported'],
    ['a resource pack', { loaders: ['minecraft'] }, null, 'not_supported'],
    ['a modpack', { loaders: ['mrpack'] }, 'fabric', 'not_supported'],
    ['a file with an odd name', { filename: '../a.jar' }, 'fabric', 'not_supported'],
    ['a mod that is no jar', { filename: 'a.zip' }, 'fabric', 'not_supported'],
    ['a data pack that is no zip', datapack({ filename: 'a.jar' }), null, 'not_supported'],
    ['without a file', { filename: null }, 'fabric', 'not_supported'],
  ])('%s', (_, given, loader, why) => {
    expect(whyNotInstall(facts(given), target(loader))).toBe(why);
  });

  it('sorts game versions by their numbers', () => {
    expect(newestFirst(['1.9', '1.21.4', '1.21', '1.16.5'])).toEqual(['1.21.4', '1.21', '1.16.5', '1.9']);
  });
});

function datapack(given: Partial<VersionFacts>): Partial<VersionFacts> {
  return { loaders: ['datapack'], environment: 'unknown', filename: 'a.zip', ...given };
}
