import { expect, test } from 'vitest';
import { loaderGroupsOf, onlyLoader } from './loader-groups.ts';

const group = (label: string, fits: boolean, ...names: string[]) => ({
  ...{ label, fits },
  loaders: names.map((name) => ({ name, label: name, environment: false })),
});
const pageOf = (...kinds: string[]) => ({
  pack_loaders: ['fabric', 'forge'],
  loader_groups: [
    group('mods', kinds.includes('mod'), 'fabric', 'forge', 'rift'),
    group('plugins', kinds.includes('plugin'), 'paper', 'folia'),
    group('datapacks', kinds.includes('datapack'), 'datapack'),
    group('resourcepacks', kinds.includes('resourcepack'), 'minecraft'),
  ],
});
const labels = (kinds: string[], chosen: string[] = [], isPack = false) => {
  const { own, others } = loaderGroupsOf(pageOf(...kinds), chosen, isPack);
  return [own, others].map((list) => list.map(({ label }) => label).join(' '));
};

test.each<[string[], string[], string, string]>([
  [['mod'], [], 'mods', 'plugins datapacks resourcepacks'],
  [['resourcepack'], [], 'resourcepacks', 'mods plugins datapacks'],
  [['mod', 'datapack'], [], 'mods datapacks', 'plugins resourcepacks'],
  // what a manifest chose is shown
  [['mod'], ['folia'], 'mods plugins', 'datapacks resourcepacks'],
  [['modpack'], [], 'mods plugins datapacks resourcepacks', ''],
])('a project of %j with %j offers loaders of its kinds first', (kinds, chosen, own, others) => {
  expect(labels(kinds, chosen)).toEqual([own, others]);
});

test('a modpack is for loaders that packs can be for only', () => {
  const { own, others } = loaderGroupsOf(pageOf('modpack'), [], true);
  expect(own.map(({ loaders }) => loaders.map(({ name }) => name))).toEqual([['fabric', 'forge']]);
  expect(others).toEqual([]);
});

test.each([
  [['resourcepack'], ['minecraft']],
  [['datapack'], ['datapack']],
  [['datapack', 'resourcepack'], []],
  [['mod'], []],
  [['modpack'], []],
])('a new version of %j begins with %j', (kinds, loaders) => {
  expect(onlyLoader(pageOf(...kinds))).toEqual(loaders);
});
