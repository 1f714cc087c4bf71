import { expect, test } from 'vitest';
import { loaders, v2ProjectType } from '#db/catalogue/tags/rules.ts';
import { projectTypes, typeOfProject } from './project-types.ts';
import { projectPath } from './routes.ts';

const project = (project_type: string, ...names: string[]) => ({
  id: 'AABBCCDD',
  slug: 'stones',
  project_type,
  loaders: names,
});
const kind = (project_type: string, ...names: string[]) =>
  typeOfProject(project(project_type, ...names)).type;

test('every type of the API has a display type', () => {
  for (const { type } of projectTypes) expect(kind(type)).toBe(type);
});

test('a mod with the data pack loader is a data pack, with any plugin loader a plugin', () => {
  const plugins = [
    'bukkit',
    'bungeecord',
    'folia',
    'paper',
    'purpur',
    'spigot',
    'sponge',
    'velocity',
    'waterfall',
  ];
  for (const { name } of loaders) {
    const expected = name === 'datapack' ? 'datapack' : plugins.includes(name) ? 'plugin' : 'mod';
    expect([name, kind('mod', name)]).toEqual([name, expected]);
  }
  expect(kind('mod', 'fabric', 'paper', 'datapack')).toBe('datapack');
  expect(kind('modpack', 'paper')).toBe('modpack');
  expect(kind('project')).toBe('mod');
});

test('a project without files has the type that it was started as', () => {
  for (const { type } of projectTypes) {
    const draft = { ...project(v2ProjectType([type])), project_types: [type] };
    expect(projectPath(draft)).toBe(`/${type}/stones`);
    expect(typeOfProject({ ...draft, loaders: ['fabric'], project_type: 'mod' }).type).toBe('mod');
  }
});

test('a path has the slug, or the id when there is none', () => {
  expect(projectPath(project('shader', 'iris'))).toBe('/shader/stones');
  expect(projectPath({ ...project('mod', 'paper'), slug: null })).toBe('/plugin/AABBCCDD');
});
