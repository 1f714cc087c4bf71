import { expect, test } from 'vitest';
import { lostAt } from './problem.ts';

test('addresses of things have words of their own', () => {
  const titles = {
    mod: 'project',
    datapack: 'project',
    resourcepack: 'project',
    plugin: 'project',
    shader: 'project',
    modpack: 'project',
    project: 'project',
    user: 'user',
    organization: 'organization',
    collection: 'collection',
  };
  for (const [prefix, what] of Object.entries(titles)) {
    expect(lostAt(`/${prefix}/x`)?.title).toBe(`problem.${what}_title`);
    expect(lostAt(`/${prefix}/x/versions`)?.title).toBe(`problem.${what}_title`);
  }
});

test('all others have the general ones', () => {
  for (const path of ['/', '/mod', '/mod/', '/mods/x', '/constructor/x', '/__proto__/x', '']) {
    expect(lostAt(path)).toBeNull();
  }
});
