import { expect, test } from 'vitest';
import { messages } from '#content/messages.ts';
import { lostAt, saidOf } from './problem.ts';

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

const { t } = messages('en-US');
const words = (status: number, path: string) => {
  const { title, leads, reasons, again } = saidOf(status, path);
  return { title: t(title), leads: leads.map((key) => t(key)), reasons: reasons.length, again };
};

test('a page that is nowhere has the general words', () => {
  const leads = ["The page you were looking for doesn't seem to exist."];
  expect(words(404, '/no/such')).toEqual({ title: 'Page not found', leads, reasons: 0, again: false });
});

test('a person, project, organization or collection that is nowhere says what may have happened', () => {
  expect(words(404, '/user/x')).toMatchObject({ title: 'User not found', reasons: 3, again: false });
  expect(words(404, '/organization/x')).toMatchObject({ title: 'Organization not found', reasons: 3 });
  expect(words(404, '/collection/x')).toMatchObject({ title: 'Collection not found', reasons: 3 });
  expect(words(404, '/modpack/x')).toMatchObject({ title: 'Project not found', reasons: 3 });
});

test('what the law keeps away is told apart from what is nowhere', () => {
  expect(words(451, '/mod/x')).toMatchObject({ title: 'Not available for legal reasons', again: false });
});

test('everything else asks for patience, and says where to look', () => {
  for (const status of [400, 403, 429, 500, 503]) {
    const { title, leads, again } = words(status, '/mod/x');
    expect(title).toBe('Uh oh!');
    expect(leads.slice(0, 2)).toEqual(['Something went wrong.', 'Please try again in a few minutes.']);
    expect(leads[2]).toMatch(/status page.*community chat/);
    expect(again).toBe(true);
  }
});
